/* SPDX-License-Identifier: MIT */
#include "cli/budget_yaml.h"

#include "cli/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define DEPTH_MOST 16u

struct reader {
    struct budget_source *source;
    yaml_parser_t parser;
    yaml_event_t event;
    bool holds; /* event is to be deleted */
};

int budget_yaml_error(struct budget_source *source, struct budget_mark mark, const char *format,
                      ...)
{
    va_list arguments;
    char *text;

    if (source->why != NULL)
        return -1;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = xstrdup("out of memory");
    va_end(arguments);
    source->why = xasprintf("%s:%u:%u: %s", source->path, mark.line, mark.column, text);
    free(text);
    return -1;
}

void budget_yaml_free(struct budget_yaml *yaml)
{
    if (yaml == NULL)
        return;
    for (size_t i = 0; i < yaml->count; i++)
        budget_yaml_free(yaml->children[i]);
    free(yaml->children);
    free(yaml->text);
    free(yaml);
}

static struct budget_mark mark_of(yaml_mark_t mark)
{
    return (struct budget_mark){(unsigned)mark.line + 1, (unsigned)mark.column + 1};
}

/* The next event; false: said what is wrong. */
static bool next(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;

    if (reader->holds)
        yaml_event_delete(&reader->event);
    reader->holds = yaml_parser_parse(&reader->parser, &reader->event) != 0;
    if (!reader->holds)
        budget_yaml_error(reader->source, mark_of(parser->problem_mark), "%s%s%s",
                          parser->problem != NULL ? parser->problem : "it is no YAML",
                          parser->context != NULL ? ", " : "",
                          parser->context != NULL ? parser->context : "");
    return reader->holds;
}

/* Anchors and tags make a file mean what it does not look like. */
static bool is_plain(struct reader *reader, const void *anchor, const void *tag)
{
    struct budget_mark mark = mark_of(reader->event.start_mark);

    if (anchor != NULL)
        budget_yaml_error(reader->source, mark, "anchors ('&name') are not taken: write it out");
    else if (tag != NULL)
        budget_yaml_error(reader->source, mark,
                          "tags ('!name') are not taken: quote text that begins so");
    else
        return true;
    return false;
}

static void add_child(struct budget_yaml *yaml, struct budget_yaml *child)
{
    yaml->children = xreallocarray(yaml->children, yaml->count + 1, sizeof *yaml->children);
    yaml->children[yaml->count++] = child;
}

static struct budget_yaml *read_node(struct reader *reader, unsigned depth);

/* The key that was read last: it must be a scalar, and new. */
static bool key_is_right(struct reader *reader, const struct budget_yaml *mapping)
{
    const struct budget_yaml *key = mapping->children[mapping->count - 1];

    if (key->kind != BUDGET_YAML_SCALAR) {
        budget_yaml_error(reader->source, key->mark, "a key is a word, not a list or mapping");
        return false;
    }
    for (size_t i = 0; i + 1 < mapping->count; i += 2)
        if (strcmp(mapping->children[i]->text, key->text) == 0) {
            budget_yaml_error(reader->source, key->mark, "'%s' is here twice; first in line %u",
                              key->text, mapping->children[i]->mark.line);
            return false;
        }
    return true;
}

static bool read_children(struct reader *reader, struct budget_yaml *yaml, unsigned depth)
{
    yaml_event_type_t end =
        yaml->kind == BUDGET_YAML_MAPPING ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;

    while (next(reader)) {
        bool is_key = yaml->kind == BUDGET_YAML_MAPPING && yaml->count % 2 == 0;

        if (reader->event.type == end)
            return true;
        struct budget_yaml *child = read_node(reader, depth + 1);
        if (child == NULL)
            return false;
        add_child(yaml, child);
        if (is_key && !key_is_right(reader, yaml))
            return false;
    }
    return false;
}

/* From the event that is there. NULL: said what is wrong. */
static struct budget_yaml *read_node(struct reader *reader, unsigned depth)
{
    const yaml_event_t *event = &reader->event;
    struct budget_mark mark = mark_of(event->start_mark);
    struct budget_yaml *yaml = xcalloc(1, sizeof *yaml);
    bool right = false;

    yaml->mark = mark;
    if (depth > DEPTH_MOST) {
        budget_yaml_error(reader->source, mark, "nested too deep");
    } else if (event->type == YAML_ALIAS_EVENT) {
        budget_yaml_error(reader->source, mark,
                          "aliases ('*name') are not taken: write it out, and quote a "
                          "pattern that begins with '*'");
    } else if (event->type == YAML_SCALAR_EVENT) {
        size_t length = event->data.scalar.length;

        yaml->kind = BUDGET_YAML_SCALAR;
        yaml->text = xmalloc(length + 1);
        memcpy(yaml->text, event->data.scalar.value, length);
        yaml->text[length] = '\0';
        right = is_plain(reader, event->data.scalar.anchor, event->data.scalar.tag);
        if (right && strlen(yaml->text) != length)
            right = budget_yaml_error(reader->source, mark, "text with a NUL in it") == 0;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        yaml->kind = BUDGET_YAML_SEQUENCE;
        right =
            is_plain(reader, event->data.sequence_start.anchor, event->data.sequence_start.tag) &&
            read_children(reader, yaml, depth);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        yaml->kind = BUDGET_YAML_MAPPING;
        right = is_plain(reader, event->data.mapping_start.anchor, event->data.mapping_start.tag) &&
                read_children(reader, yaml, depth);
    } else {
        budget_yaml_error(reader->source, mark, "the file is empty");
    }
    if (right)
        return yaml;
    budget_yaml_free(yaml);
    return NULL;
}

/* The one document that the file may have. */
static struct budget_yaml *read_document(struct reader *reader)
{
    struct budget_yaml *yaml = NULL;

    if (!next(reader) || !next(reader)) /* the stream begins, the document begins */
        return NULL;
    if (reader->event.type == YAML_STREAM_END_EVENT) {
        budget_yaml_error(reader->source, mark_of(reader->event.start_mark), "the file is empty");
        return NULL;
    }
    if (next(reader))
        yaml = read_node(reader, 0);
    if (yaml == NULL || !next(reader) || !next(reader)) {
        budget_yaml_free(yaml);
        return NULL;
    }
    if (reader->event.type != YAML_STREAM_END_EVENT) {
        budget_yaml_error(reader->source, mark_of(reader->event.start_mark),
                          "a second document begins here; a budget file is one");
        budget_yaml_free(yaml);
        return NULL;
    }
    return yaml;
}

struct budget_yaml *budget_yaml_parse(struct budget_source *source, const char *text, size_t length)
{
    struct reader reader = {.source = source};

    if (yaml_parser_initialize(&reader.parser) == 0) {
        budget_yaml_error(source, (struct budget_mark){1, 1}, "out of memory");
        return NULL;
    }
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    struct budget_yaml *yaml = read_document(&reader);
    if (reader.holds)
        yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    return yaml;
}

const struct budget_yaml *budget_yaml_get(const struct budget_yaml *mapping, const char *key)
{
    for (size_t i = 0; mapping->kind == BUDGET_YAML_MAPPING && i < mapping->count; i += 2)
        if (strcmp(mapping->children[i]->text, key) == 0)
            return mapping->children[i + 1];
    return NULL;
}
