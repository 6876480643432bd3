/* SPDX-License-Identifier: MIT */
/* The words of a budget file, and what they may be joined with. */
#include "cli/budget_read.h"

#include "cli/errors.h"
#include "cli/glob.h"
#include "cli/options.h"
#include "cli/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST (1u << 20) /* bytes of a budget file */

void *budget_keep(struct budget_reader *reader, void *block)
{
    struct budget_memory *memory = xcalloc(1, sizeof *memory);

    memory->block = block;
    memory->next = reader->file->memory;
    reader->file->memory = memory;
    return block;
}

static void *zeroed(struct budget_reader *reader, size_t count, size_t size)
{
    return budget_keep(reader, xcalloc(count > 0 ? count : 1, size));
}

void budget_free(struct budget_file *file)
{
    if (file == NULL)
        return;
    for (size_t i = 0; file->path != NULL && i < file->budget_count; i++)
        glob_free((struct glob *)file->budgets[i].site);
    for (size_t i = 0; i < file->allowance_count; i++)
        glob_free((struct glob *)file->allowances[i].site);
    for (struct budget_memory *memory = file->memory; memory != NULL;) {
        struct budget_memory *next = memory->next;

        free(memory->block);
        free(memory);
        memory = next;
    }
    free(file);
}

const char *budget_text(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    if (yaml->kind != BUDGET_YAML_SCALAR) {
        budget_yaml_error(reader->source, yaml->mark, "text is meant here, not a list or mapping");
        return NULL;
    }
    if (*yaml->text == '\0') {
        budget_yaml_error(reader->source, yaml->mark, "nothing is written here");
        return NULL;
    }
    return budget_keep(reader, xstrdup(yaml->text));
}

int budget_unknown(struct budget_reader *reader, const struct budget_yaml *key, const char *what,
                   const char *const *words)
{
    const char *nearest = options_nearest(key->text, words);
    char *all = xstrdup("");

    for (size_t i = 0; words[i] != NULL; i++) {
        char *longer = xasprintf("%s%s%s", all, i > 0 ? ", " : "", words[i]);

        free(all);
        all = longer;
    }
    if (nearest != NULL)
        budget_yaml_error(reader->source, key->mark, "'%s' is no %s; did you mean '%s'?", key->text,
                          what, nearest);
    else
        budget_yaml_error(reader->source, key->mark, "'%s' is no %s; there are: %s", key->text,
                          what, all);
    free(all);
    return -1;
}

int budget_word(struct budget_reader *reader, const struct budget_yaml *yaml, const char *what,
                const char *const *words)
{
    if (yaml->kind != BUDGET_YAML_SCALAR)
        return budget_yaml_error(reader->source, yaml->mark, "one word is meant here: a %s", what);
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], yaml->text) == 0)
            return i;
    if (*yaml->text == '\0')
        return budget_yaml_error(reader->source, yaml->mark, "nothing is written here: a %s?",
                                 what);
    return budget_unknown(reader, yaml, what, words);
}

int budget_flag(struct budget_reader *reader, const struct budget_yaml *yaml, bool *flag)
{
    static const char *const words[] = {"false", "true", NULL};
    int word = budget_word(reader, yaml, "truth value", words);

    *flag = word == 1;
    return word < 0 ? -1 : 0;
}

int budget_whole_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                        uint64_t *number)
{
    if (yaml->kind == BUDGET_YAML_SCALAR && options_number(yaml->text, number))
        return 0;
    return budget_yaml_error(reader->source, yaml->mark,
                             "'%s' is no whole number; one like '300' is meant",
                             yaml->kind == BUDGET_YAML_SCALAR ? yaml->text : "...");
}

const struct glob *budget_site(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    char *why = NULL;
    const char *text = budget_text(reader, yaml);
    struct glob *glob = text != NULL ? glob_parse(text, &why) : NULL;

    if (why != NULL)
        budget_yaml_error(reader->source, yaml->mark, "no pattern of a site: %s", why);
    free(why);
    return glob;
}

/* A name is part of the answer's lines. */
static bool is_plain(const char *name)
{
    char *shown = text_escape(name, strlen(name), true);
    bool plain = strcmp(shown, name) == 0;

    free(shown);
    return plain;
}

/* Reads the settings, then the limits, which depend on them. */
static int read_budget(struct budget_reader *reader, const struct budget_yaml *key,
                       const struct budget_yaml *yaml, struct budget *budget)
{
    *budget = (struct budget){.name = budget_text(reader, key), .mark = key->mark};
    if (budget->name == NULL)
        return -1;
    if (!is_plain(budget->name))
        return budget_yaml_error(reader->source, key->mark,
                                 "'%s' is no name: one line of plain text is", budget->name);
    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "the budget '%s' is empty: give it a limit, like 'bytes: 0 B'",
                                 budget->name);
    budget->limits = zeroed(reader, yaml->count, sizeof *budget->limits);
    if (budget_read_settings(reader, yaml, budget) != 0)
        return -1;
    for (size_t i = 0; i < yaml->count; i += 2)
        if (!budget_is_setting(yaml->children[i]) &&
            budget_read_limit(reader, yaml->children[i], yaml->children[i + 1], budget) != 0)
            return -1;
    if (budget->limit_count == 0)
        return budget_yaml_error(reader->source, key->mark,
                                 "the budget '%s' limits nothing: add one, like 'bytes: 0 B'",
                                 budget->name);
    return 0;
}

static int read_budgets(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    struct budget_file *file = reader->file;

    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'budgets' is empty: name one, with its limits below it");
    file->budgets = zeroed(reader, yaml->count / 2, sizeof *file->budgets);
    for (size_t i = 0; i < yaml->count; i += 2) {
        file->budget_count++;
        if (read_budget(reader, yaml->children[i], yaml->children[i + 1], &file->budgets[i / 2]) !=
            0)
            return -1;
    }
    return 0;
}

static int read_require(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    static const char *const words[] = {"polls", "dropped", "steady", NULL};
    struct budget_require *require = &reader->file->require;

    require->mark = yaml->mark;
    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'require' has one or more of polls, dropped, steady");
    for (size_t i = 0; i < yaml->count; i += 2) {
        const struct budget_yaml *value = yaml->children[i + 1];
        int word = budget_word(reader, yaml->children[i], "requirement", words);
        int result = word == 0   ? budget_whole_number(reader, value, &require->polls)
                     : word == 1 ? budget_whole_number(reader, value, &require->dropped)
                     : word == 2 ? budget_flag(reader, value, &require->steady)
                                 : -1;
        if (result != 0)
            return -1;
        if (word == 0 && require->polls == 0)
            return budget_yaml_error(reader->source, value->mark,
                                     "of no polls nothing can be told: 1 at least");
    }
    return 0;
}

static int read_file(struct budget_reader *reader, const struct budget_yaml *yaml)
{
    static const char *const words[] = {"budgets", "allowances", "require", NULL};
    const struct budget_yaml *budgets = budget_yaml_get(yaml, "budgets");

    if (yaml->kind != BUDGET_YAML_MAPPING || (budgets == NULL && yaml->count == 0))
        return budget_yaml_error(reader->source, yaml->mark,
                                 "a budget file begins with 'budgets:', and names them below it");
    for (size_t i = 0; i < yaml->count; i += 2) {
        const struct budget_yaml *value = yaml->children[i + 1];
        int word = budget_word(reader, yaml->children[i], "part of a budget file", words);
        int result = word == 0   ? read_budgets(reader, value)
                     : word == 1 ? budget_read_allowances(reader, value)
                     : word == 2 ? read_require(reader, value)
                                 : -1;
        if (result != 0)
            return -1;
    }
    if (budgets == NULL)
        return budget_yaml_error(reader->source, yaml->mark, "'budgets:' is missing");
    return 0;
}

struct budget_file *budget_parse(const char *path, const char *text, size_t length, char **why)
{
    struct budget_source source = {.path = path};
    struct budget_yaml *yaml = NULL;
    struct budget_file *standard = budget_default();
    struct budget_file *file = xcalloc(1, sizeof *file);
    struct budget_reader reader = {.source = &source, .file = file};

    file->require = standard->require;
    budget_free(standard);
    file->path = budget_keep(&reader, xstrdup(path));
    if (length > FILE_MOST)
        budget_yaml_error(&source, (struct budget_mark){1, 1},
                          "this is no budget file: it is larger than %u bytes", FILE_MOST);
    else
        yaml = budget_yaml_parse(&source, text, length);
    int result = yaml != NULL ? read_file(&reader, yaml) : -1;
    budget_yaml_free(yaml);
    *why = source.why;
    if (result == 0)
        return file;
    budget_free(file);
    return NULL;
}

/* The file's bytes, or one more than it may have; the caller frees. NULL: said why not. */
static char *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *text = xmalloc(FILE_MOST + 1);

    *length = file != NULL ? fread(text, 1, FILE_MOST + 1, file) : 0;
    bool failed = file == NULL || ferror(file) != 0;
    int reason = errno;
    if (file != NULL)
        fclose(file);
    if (!failed)
        return text;
    error("cannot read '%s': %s", path, strerror(reason));
    free(text);
    return NULL;
}

struct budget_file *budget_read(const char *path)
{
    size_t length;
    char *text = load(path, &length);
    char *why = NULL;

    if (text == NULL)
        return NULL;
    struct budget_file *file = budget_parse(path, text, length, &why);
    if (file == NULL)
        error("%s", why);
    free(why);
    free(text);
    return file;
}
