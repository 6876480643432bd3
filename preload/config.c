/* SPDX-License-Identifier: MIT */
#include "preload/config.h"

#include "preload/log.h"

#include <string.h>

enum option_kind { OPTION_TEXT, OPTION_FLAG, OPTION_NUMBER, OPTION_CHOICE, OPTION_LIST };

struct option {
    const char *name; /* after ALLOCREPORT_ */
    enum option_kind kind;
    uint64_t least;
    uint64_t most;
    void *value;
    const char *const *choices; /* of OPTION_CHOICE: the value is the place; of OPTION_LIST: each
                                   word is the bit of its place; NULL ends them */
};

struct ar_config ar_config = {
    .stack_depth = AR_DEPTH_MOST,
    .follow_fork = 1,
    .sample = 1,
    .max_size = 64,
    .arguments = 1,
    .reserve = 16,
    .queue = 512,
};

static const char *const fork_choices[] = {"stop", "follow", NULL};
static const char *const loop_choices[] = {"sdl", "glfw", "epoll", NULL}; /* enum ar_loop_kind */
static const char *const patch_choices[] = {"poll", "wait", NULL}; /* AR_PATCH_POLL, .._WAIT */

static const struct option options[] = {
    {"OUT", OPTION_TEXT, 0, 0, &ar_config.out, NULL},
    {"DIRECT", OPTION_FLAG, 0, 1, &ar_config.direct, NULL},
    {"QUIET", OPTION_FLAG, 0, 1, &ar_config.quiet, NULL},
    {"ALWAYS", OPTION_FLAG, 0, 1, &ar_config.always, NULL},
    {"STACK_DEPTH", OPTION_NUMBER, 1, AR_DEPTH_MOST, &ar_config.stack_depth, NULL},
    {"VERBOSE", OPTION_FLAG, 0, 1, &ar_config.verbose, NULL},
    {"FORK", OPTION_CHOICE, 0, 0, &ar_config.follow_fork, fork_choices},
    {"LOOP", OPTION_CHOICE, 0, 0, &ar_config.loop, loop_choices},
    {"SAMPLE", OPTION_NUMBER, 1, 1000000, &ar_config.sample, NULL},
    {"VERIFY", OPTION_FLAG, 0, 1, &ar_config.verify, NULL},
    {"DLSYM", OPTION_FLAG, 0, 1, &ar_config.dlsym, NULL},
    {"ARGUMENTS", OPTION_FLAG, 0, 1, &ar_config.arguments, NULL},
    {"MAX_SIZE", OPTION_NUMBER, 2, 4096, &ar_config.max_size, NULL},
    {"CENSUS", OPTION_TEXT, 0, 0, &ar_config.census, NULL},
    {"PATCH", OPTION_LIST, 0, 0, &ar_config.patch, patch_choices},
    {"RESERVE", OPTION_NUMBER, 1, 1024, &ar_config.reserve, NULL},
    {"QUEUE", OPTION_NUMBER, 0, 4096, &ar_config.queue, NULL},
};

static char *const *variables;

const char *ar_config_environment(const char *name)
{
    size_t length = strlen(name);

    for (char *const *at = variables; at != NULL && *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

static bool parse_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || value > 100000000)
            return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    *number = value;
    return true;
}

static bool parse_choice(const struct option *option, const char *text)
{
    for (uint64_t i = 0; option->choices[i] != NULL; i++)
        if (strcmp(text, option->choices[i]) == 0) {
            *(uint64_t *)option->value = i;
            return true;
        }
    return false;
}

static size_t word_length(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0' && text[length] != ',')
        length++;
    return length;
}

/* The place of a word of `length` bytes among the choices, or their number. */
static unsigned choice_of(const struct option *option, const char *word, size_t length)
{
    unsigned place = 0;

    while (option->choices[place] != NULL && (strncmp(option->choices[place], word, length) != 0 ||
                                              option->choices[place][length] != '\0'))
        place++;
    return place;
}

/* Words with commas between; those that are known hold, whatever the others are. */
static bool parse_list(const struct option *option, const char *text)
{
    bool known = true;
    uint64_t bits = 0;

    for (;;) {
        size_t length = word_length(text);
        unsigned place = choice_of(option, text, length);

        if (length > 0 && option->choices[place] != NULL)
            bits |= UINT64_C(1) << place;
        known = known && (length == 0 || option->choices[place] != NULL);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *(uint64_t *)option->value = bits;
    return known;
}

static bool parse(const struct option *option, const char *text)
{
    uint64_t number;

    switch (option->kind) {
    case OPTION_TEXT:
        if (*text != '\0')
            *(const char **)option->value = text;
        return true;
    case OPTION_CHOICE:
        return parse_choice(option, text);
    case OPTION_LIST:
        return parse_list(option, text);
    default:
        if (option->kind == OPTION_FLAG && *text == '\0')
            return true;
        if (!parse_number(text, &number) || number < option->least || number > option->most)
            return false;
        *(uint64_t *)option->value = number;
        return true;
    }
}

static void explain(const struct option *option, const char *name, const char *text)
{
    char buffer[256];
    struct ar_text reason = ar_text_in(buffer, sizeof buffer);

    ar_text_add(&reason, "'");
    ar_text_add(&reason, text);
    if (option->choices != NULL) {
        ar_text_add(&reason,
                    option->kind == OPTION_LIST ? "' has a word that is none of" : "' is none of");
        for (unsigned i = 0; option->choices[i] != NULL; i++) {
            ar_text_add(&reason, i > 0 ? ", '" : " '");
            ar_text_add(&reason, option->choices[i]);
            ar_text_add(&reason, "'");
        }
        ar_text_add(&reason, ", ignored");
    } else {
        ar_text_add(&reason, "' is not a number from ");
        ar_text_add_number(&reason, option->least);
        ar_text_add(&reason, " to ");
        ar_text_add_number(&reason, option->most);
        ar_text_add(&reason, ", ignored");
    }
    ar_log(name, buffer);
}

void ar_config_start(char *const *environment)
{
    variables = environment;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char buffer[64];
        struct ar_text name = ar_text_in(buffer, sizeof buffer);
        const char *text;

        ar_text_add(&name, "ALLOCREPORT_");
        ar_text_add(&name, options[i].name);
        text = ar_config_environment(buffer);
        if (text != NULL && !parse(&options[i], text))
            explain(&options[i], buffer, text);
    }
}
