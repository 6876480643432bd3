/* SPDX-License-Identifier: MIT */
/* The words of a budget file, and what they may be joined with. */
#include "cli/budget_read.h"

#include "cli/cadence.h"
#include "cli/errors.h"
#include "cli/glob.h"
#include "cli/options.h"

#include <ctype.h>
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
    return budget_yaml_error(reader->source, yaml->mark, "a whole number is meant here");
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

static int read_when(struct budget_reader *reader, const struct budget_yaml *yaml,
                     struct budget_when *when)
{
    static const char *const words[] = {"sdl", "video", "arch", NULL};

    when->mark = yaml->mark;
    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'when' has one or more of sdl, video, arch: {video: dummy}");
    for (size_t i = 0; i < yaml->count; i += 2) {
        int word = budget_word(reader, yaml->children[i], "condition", words);
        const char *text = word >= 0 ? budget_text(reader, yaml->children[i + 1]) : NULL;

        if (text == NULL)
            return -1;
        *(word == 0 ? &when->sdl : word == 1 ? &when->video : &when->arch) = text;
    }
    return 0;
}

/* A word, or several in a list: as bits. */
static int read_bits(struct budget_reader *reader, const struct budget_yaml *yaml, const char *what,
                     const char *const *words, unsigned *bits)
{
    size_t count = yaml->kind == BUDGET_YAML_SEQUENCE ? yaml->count : 1;

    if (count == 0)
        return budget_yaml_error(reader->source, yaml->mark, "the list is empty: of which %s?",
                                 what);
    for (size_t i = 0; i < count; i++) {
        const struct budget_yaml *one =
            yaml->kind == BUDGET_YAML_SEQUENCE ? yaml->children[i] : yaml;
        int word = budget_word(reader, one, what, words);

        if (word < 0)
            return -1;
        *bits |= 1u << word;
    }
    return 0;
}

static const char *const scopes[] = {"startup", "warmup",  "steady", "shutdown",
                                     "process", "warm-up", NULL};
static const char *const pers[] = {"run", "poll", "drain", "frame", "second", NULL};
static const char *const places[] = {"in poll", "between polls", "other threads", NULL};
static const char *const cadences[] = {[CADENCE_STARTUP] = "startup",
                                       [CADENCE_WARMUP] = "warm-up",
                                       [CADENCE_ONCE] = "once",
                                       [CADENCE_GROWTH] = "growth",
                                       [CADENCE_BURST] = "burst",
                                       [CADENCE_PERIODIC] = "periodic",
                                       [CADENCE_EVERY_POLL] = "every poll",
                                       [CADENCE_SHUTDOWN] = "shutdown",
                                       NULL};
static const char *const settings[] = {"scope", "thread", "site",    "where",
                                       "per",   "when",   "cadence", NULL};
enum setting { SCOPE, THREAD, SITE, WHERE, PER, WHEN, CADENCE };

int budget_per(struct budget_reader *reader, const struct budget_yaml *yaml, enum budget_per *per)
{
    int word = budget_word(reader, yaml, "unit to count by", pers);

    *per = word < 0 ? BUDGET_PER_NONE : (enum budget_per)word;
    return word < 0 ? -1 : 0;
}

static int read_setting(struct budget_reader *reader, const struct budget_yaml *value,
                        enum setting setting, struct budget *budget)
{
    int word;

    switch (setting) {
    case SCOPE:
        word = budget_word(reader, value, "scope", scopes);
        budget->scope = word < 0                ? BUDGET_STEADY
                        : word == BUDGET_SCOPES ? BUDGET_WARMUP
                                                : (enum budget_scope)word;
        return word < 0 ? -1 : 0;
    case THREAD:
        budget->thread = budget_text(reader, value);
        budget->thread_mark = value->mark;
        return budget->thread != NULL ? 0 : -1;
    case SITE:
        budget->site = budget_site(reader, value);
        budget->site_text = budget->site != NULL ? budget_text(reader, value) : NULL;
        budget->site_mark = value->mark;
        return budget->site != NULL ? 0 : -1;
    case WHERE:
        return read_bits(reader, value, "place", places, &budget->places);
    case PER:
        return budget_per(reader, value, &budget->per);
    case WHEN:
        return read_when(reader, value, &budget->when);
    default:
        return read_bits(reader, value, "cadence", cadences, &budget->cadences);
    }
}

static int setting_of(const struct budget_yaml *key)
{
    for (int i = 0; settings[i] != NULL; i++)
        if (strcmp(settings[i], key->text) == 0)
            return i;
    return -1;
}

/* Reads the settings, then the limits, which depend on them. */
static int read_budget(struct budget_reader *reader, const struct budget_yaml *key,
                       const struct budget_yaml *yaml, struct budget *budget)
{
    const struct budget_yaml *scope = budget_yaml_get(yaml, "scope");

    *budget = (struct budget){.name = budget_text(reader, key),
                              .mark = key->mark,
                              .scope = BUDGET_STEADY,
                              .thread = "loop",
                              .thread_mark = key->mark,
                              .per = BUDGET_PER_POLL};
    if (budget->name == NULL)
        return -1;
    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "the budget '%s' is empty: give it a limit, like 'bytes: 0 B'",
                                 budget->name);
    for (const char *at = budget->name; *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            return budget_yaml_error(reader->source, key->mark, "a name is one line of plain text");
    if (scope != NULL && scope->kind == BUDGET_YAML_SCALAR &&
        (strcmp(scope->text, "startup") == 0 || strcmp(scope->text, "shutdown") == 0))
        budget->per = BUDGET_PER_NONE; /* there are no polls to count by */
    budget->limits = zeroed(reader, yaml->count, sizeof *budget->limits);
    for (size_t i = 0; i < yaml->count; i += 2) {
        int setting = setting_of(yaml->children[i]);

        if (setting >= 0 &&
            read_setting(reader, yaml->children[i + 1], (enum setting)setting, budget) != 0)
            return -1;
    }
    for (size_t i = 0; i < yaml->count; i += 2)
        if (setting_of(yaml->children[i]) < 0 &&
            budget_read_limit(reader, yaml->children[i], yaml->children[i + 1], settings, budget) !=
                0)
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
    struct budget_yaml *yaml = budget_yaml_parse(&source, text, length);
    struct budget_file *standard = budget_default();
    struct budget_file *file = xcalloc(1, sizeof *file);
    struct budget_reader reader = {.source = &source, .file = file};

    file->require = standard->require;
    budget_free(standard);
    file->path = budget_keep(&reader, xstrdup(path));
    int result = yaml != NULL ? read_file(&reader, yaml) : -1;
    budget_yaml_free(yaml);
    *why = source.why;
    if (result == 0)
        return file;
    budget_free(file);
    return NULL;
}

/* The file's bytes; the caller frees. NULL: said why not. */
static char *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *text = xmalloc(FILE_MOST + 1);

    *length = file != NULL ? fread(text, 1, FILE_MOST + 1, file) : 0;
    bool failed = file == NULL || ferror(file) != 0;
    int reason = errno;
    if (file != NULL)
        fclose(file);
    if (!failed && *length <= FILE_MOST)
        return text;
    if (failed)
        error("cannot read '%s': %s", path, strerror(reason));
    else
        error("'%s' is no budget file: it is larger than %u bytes", path, FILE_MOST);
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
