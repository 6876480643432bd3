/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

/* Every command has it, so it stands in no table. */
static const struct option_spec help_option = {.name = "help", .letter = 'h'};

bool options_number(const char *text, uint64_t *number)
{
    uint64_t sum = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
            return false;
    }
    *number = sum;
    return true;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define WORD_MOST 32

/* Edits (insert, delete, replace, swap neighbours) that turn a into b: optimal string alignment. */
static size_t edits(const char *a, const char *b)
{
    size_t rows[3][WORD_MOST + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    size_t a_length = strlen(a), b_length = strlen(b);

    if (a_length > WORD_MOST || b_length > WORD_MOST)
        return WORD_MOST;
    for (size_t j = 0; j <= b_length; j++)
        above[j] = before[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t cost = a[i - 1] != b[j - 1];
            row[j] = least_of(least_of(above[j] + 1, row[j - 1] + 1), above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[b_length];
}

const char *options_nearest(const char *word, const char *const *words)
{
    const char *nearest = NULL;
    const char *begun = NULL;
    size_t fewest = strlen(word) > 4 ? 3 : 2;
    int begun_by = 0;

    for (; *words != NULL; words++) {
        size_t count = edits(word, *words);
        if (count < fewest) {
            fewest = count;
            nearest = *words;
        }
        if (*word != '\0' && strncmp(word, *words, strlen(word)) == 0) {
            begun = *words;
            begun_by++;
        }
    }
    return begun_by == 1 ? begun : nearest;
}

void options_initialise(const struct option_spec *options, void *values)
{
    for (const struct option_spec *option = options; option->name != NULL; option++) {
        void *variable = (char *)values + option->offset;
        if (option->type == OPTION_NUMBER)
            *(uint64_t *)variable = option->initial;
        else if (option->type == OPTION_CHOICE)
            *(int *)variable = (int)option->initial;
    }
}

static int set_number(const struct option_spec *option, uint64_t *variable, const char *text)
{
    uint64_t number;

    if (!options_number(text, &number))
        return error("option '--%s': '%s' is not a whole number", option->name, text);
    if (number < option->least || number > option->most)
        return error("option '--%s': %s is not between %llu and %llu", option->name, text,
                     (unsigned long long)option->least, (unsigned long long)option->most);
    *variable = number;
    return 0;
}

static int set_choice(const struct option_spec *option, int *variable, const char *text)
{
    for (int i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *variable = i;
            return 0;
        }
    }

    const char *nearest = options_nearest(text, option->choices);
    if (nearest != NULL)
        return error("option '--%s': unknown '%s'; did you mean '%s'?", option->name, text,
                     nearest);

    char *all = xstrdup(option->choices[0]);
    for (int i = 1; option->choices[i] != NULL; i++) {
        char *longer = xasprintf("%s, %s", all, option->choices[i]);
        free(all);
        all = longer;
    }
    error("option '--%s': unknown '%s'; there are: %s", option->name, text, all);
    free(all);
    return -1;
}

static int set_value(const struct option_spec *option, void *values, const char *text)
{
    void *variable = (char *)values + option->offset;

    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)variable = true;
        return 0;
    case OPTION_NUMBER:
        return set_number(option, variable, text);
    case OPTION_CHOICE:
        return set_choice(option, variable, text);
    case OPTION_TEXT:
    case OPTION_FILE:
        if (*text == '\0')
            return error("option '--%s' needs a value that is not empty", option->name);
        *(const char **)variable = text;
        return 0;
    }
    abort();
}

static const struct option_spec *find_long(const struct option_spec *options, const char *name,
                                           size_t length)
{
    for (; options->name != NULL; options++)
        if (strlen(options->name) == length && strncmp(options->name, name, length) == 0)
            return options;
    if (length == strlen(help_option.name) && strncmp(name, help_option.name, length) == 0)
        return &help_option;
    return NULL;
}

static const struct option_spec *find_letter(const struct option_spec *options, char letter)
{
    for (; options->name != NULL; options++)
        if (options->letter == letter && letter != '\0')
            return options;
    return letter == help_option.letter ? &help_option : NULL;
}

static int unknown_long(const struct option_spec *options, const char *word, size_t length)
{
    const char *names[64];
    size_t count = 0;
    char *name = xasprintf("%.*s", (int)length, word);

    for (; options->name != NULL && count < 62; options++)
        names[count++] = options->name;
    names[count++] = help_option.name;
    names[count] = NULL;

    const char *nearest = options_nearest(name, names);
    if (nearest != NULL)
        error("unknown option '--%s'; did you mean '--%s'?", name, nearest);
    else
        error("unknown option '--%s'; --help lists them", name);
    free(name);
    return -1;
}

struct parser {
    const struct option_spec *options;
    void *values;
    int argc;
    char **argv;
    int next; /* word not yet used */
    struct parsed *parsed;
};

/* `--name`, `--name=value` or `--name value`; `word` is behind the dashes. */
static int parse_long(struct parser *parser, const char *word)
{
    size_t length = strcspn(word, "=");
    const struct option_spec *option = find_long(parser->options, word, length);
    const char *value = word[length] == '=' ? word + length + 1 : NULL;

    if (option == NULL)
        return unknown_long(parser->options, word, length);
    if (option->type == OPTION_FLAG) {
        if (value != NULL)
            return error("option '--%s' takes no value", option->name);
        if (option == &help_option) {
            parser->parsed->help = true;
            return 0;
        }
    } else if (value == NULL) {
        if (parser->next >= parser->argc)
            return error("option '--%s' needs a value: %s", option->name, option->value);
        value = parser->argv[parser->next++];
    }
    return set_value(option, parser->values, value);
}

/* `-a`, `-ab`, `-n5` or `-n 5`; `letters` is behind the dash. */
static int parse_letters(struct parser *parser, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        const struct option_spec *option = find_letter(parser->options, *letters);

        if (option == NULL)
            return error("unknown option '-%c'; --help lists them", *letters);
        if (option == &help_option) {
            parser->parsed->help = true;
        } else if (option->type == OPTION_FLAG) {
            set_value(option, parser->values, NULL);
        } else {
            const char *value = letters + 1;
            if (*value == '\0') {
                if (parser->next >= parser->argc)
                    return error("option '-%c' needs a value: %s", *letters, option->value);
                value = parser->argv[parser->next++];
            }
            return set_value(option, parser->values, value);
        }
    }
    return 0;
}

int options_parse(const struct option_spec *options, void *values, bool stops_at_operand, int argc,
                  char **argv, struct parsed *parsed)
{
    struct parser parser = {options, values, argc, argv, 0, parsed};
    bool only_operands = false;

    *parsed = (struct parsed){.operands = argv};
    while (parser.next < argc) {
        char *word = argv[parser.next++];
        int result = 0;

        if (only_operands || word[0] != '-' || word[1] == '\0') {
            argv[parsed->count++] = word;
            only_operands = only_operands || stops_at_operand;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (word[1] == '-') {
            result = parse_long(&parser, word + 2);
        } else {
            result = parse_letters(&parser, word + 1);
        }
        if (result != 0)
            return -1;
        if (parsed->help)
            return 0;
    }
    return 0;
}
