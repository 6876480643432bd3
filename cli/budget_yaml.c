/* SPDX-License-Identifier: MIT */
#include "cli/budget_yaml.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define DEPTH_MOST   16u
#define COLUMNS_MOST 1000u /* of a message; what is quoted in the middle is cut */

struct reader {
    struct budget_source *source;
    const char *text;
    size_t length;
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
    char *plain = text_escape(text, strlen(text), true);
    char *line = text_fit(plain, COLUMNS_MOST, false);
    source->why = xasprintf("%s:%u:%u: %s", source->path, mark.line, mark.column, line);
    free(line);
    free(plain);
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

/* Where a byte is. The parser counts characters too. */
static struct budget_mark mark_at(const struct reader *reader, size_t offset)
{
    struct budget_mark mark = {1, 1};

    for (size_t i = 0; i < offset && i < reader->length; i++) {
        if (reader->text[i] == '\n')
            mark = (struct budget_mark){mark.line + 1, 1};
        else
            mark.column += ((unsigned char)reader->text[i] & 0xc0) != 0x80;
    }
    return mark;
}

/* What to do about text that is no YAML, by what the parser was at; "" where it says so itself. */
static const char *advice_of(const yaml_parser_t *parser)
{
    static const struct {
        const char *at, *advice; /* a part of the parser's problem or context */
    } all[] = {
        {"scanning an alias", ": quote a pattern that begins with '*'"},
        {"scanning an anchor", ": quote text that begins with '&'"},
        {"a tag", ": quote text that begins with '!'"},
        {"cannot start any token", ": indent with blanks, not tabs, and quote text that begins "
                                   "with '@', '`' or '%'"},
        {"mapping values are not allowed", ": quote text that has ': ' in it, and begin each key "
                                           "on a line of its own"},
        {"unexpected end of stream", ": a quote is not closed"},
        {"expected <block end>", ": indent what belongs together alike"},
        {"did not find expected key", ": indent what belongs together alike"},
        {"could not find expected ':'", ": a key is followed by ': ' and its value"},
        {"expected ',' or", ": a '[' or '{' is not closed, or a comma is missing"},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((parser->problem != NULL && strstr(parser->problem, all[i].at) != NULL) ||
            (parser->context != NULL && strstr(parser->context, all[i].at) != NULL))
            return all[i].advice;
    return "";
}

static void report_problem(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem != NULL ? parser->problem : "it is no YAML";

    if (parser->error == YAML_MEMORY_ERROR)
        budget_yaml_error(reader->source, (struct budget_mark){1, 1}, "out of memory");
    else if (parser->error == YAML_READER_ERROR)
        budget_yaml_error(reader->source, mark_at(reader, parser->problem_offset),
                          "a budget file is text in UTF-8, and this is not: %s", problem);
    else
        budget_yaml_error(reader->source, mark_of(parser->problem_mark), "%s%s%s%s", problem,
                          parser->context != NULL ? " " : "",
                          parser->context != NULL ? parser->context : "", advice_of(parser));
}

/* The next event; false: said what is wrong. */
static bool next(struct reader *reader)
{
    if (reader->holds)
        yaml_event_delete(&reader->event);
    reader->holds = yaml_parser_parse(&reader->parser, &reader->event) != 0;
    if (!reader->holds)
        report_problem(reader);
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
    /* There is room for as many as the next power of two. */
    if ((yaml->count & (yaml->count - 1)) == 0)
        yaml->children = xreallocarray(yaml->children, yaml->count > 0 ? 2 * yaml->count : 1,
                                       sizeof *yaml->children);
    yaml->children[yaml->count++] = child;
}

static struct budget_yaml *read_node(struct reader *reader, unsigned depth);

static int compare_keys(const void *a, const void *b)
{
    const struct budget_yaml *x = a;
    const struct budget_yaml *y = b;

    return strcmp(x->text, y->text);
}

/* It must be a scalar, and none of the keys in the tree, to which it is added. */
static bool key_is_right(struct reader *reader, const struct budget_yaml *key, void **keys)
{
    if (key->kind != BUDGET_YAML_SCALAR) {
        budget_yaml_error(reader->source, key->mark, "a key is a word, not a list or mapping");
        return false;
    }
    const struct budget_yaml **first = tsearch(key, keys, compare_keys);
    if (first == NULL)
        budget_yaml_error(reader->source, key->mark, "out of memory");
    else if (*first != key)
        budget_yaml_error(reader->source, key->mark, "'%s' is here twice; first in line %u",
                          key->text, (*first)->mark.line);
    return first != NULL && *first == key;
}

static void leave_key(void *key)
{
    (void)key;
}

static bool read_children(struct reader *reader, struct budget_yaml *yaml, unsigned depth)
{
    yaml_event_type_t end =
        yaml->kind == BUDGET_YAML_MAPPING ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    void *keys = NULL;
    bool right = false;

    while (next(reader)) {
        bool is_key = yaml->kind == BUDGET_YAML_MAPPING && yaml->count % 2 == 0;

        right = reader->event.type == end;
        if (right)
            break;
        struct budget_yaml *child = read_node(reader, depth + 1);
        if (child == NULL)
            break;
        add_child(yaml, child);
        if (is_key && !key_is_right(reader, child, &keys))
            break;
    }
    tdestroy(keys, leave_key);
    return right;
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
    struct reader reader = {.source = source, .text = text, .length = length};

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
