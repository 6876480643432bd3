/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/errors.h"
#include "cli/request.h"

#include <stdlib.h>
#include <string.h>

struct compare_values {
    struct request_options common;
    bool markdown;
    const char *threshold, *time_threshold;
    uint64_t slack;
    int times; /* enum compare_times */
    int phase; /* place in phases[] */
    uint64_t limit;
    bool all;
    bool stacks;
};

static const char *const times_words[] = {[COMPARE_TIMES_WARN] = "warn",
                                          [COMPARE_TIMES_FAIL] = "fail",
                                          [COMPARE_TIMES_OFF] = "off",
                                          NULL};
static const char *const phases[] = {"steady", "startup", NULL};

static const struct option_spec options[] = {
    REQUEST_JSON(compare_values),
    {.name = "markdown",
     .letter = 'm',
     .type = OPTION_FLAG,
     .help = "print Markdown, for a comment",
     .offset = offsetof(struct compare_values, markdown)},
    {.name = "threshold",
     .letter = 'x',
     .type = OPTION_TEXT,
     .value = "PERCENT",
     .help = "counts that rise by no more are the same (1)",
     .offset = offsetof(struct compare_values, threshold)},
    {.name = "slack",
     .type = OPTION_NUMBER,
     .value = "BYTES",
     .help = "bytes, or bytes per frame, that rise by no more are the same",
     .most = INT64_MAX,
     .offset = offsetof(struct compare_values, slack)},
    {.name = "times",
     .type = OPTION_CHOICE,
     .value = "HOW",
     .help = "worse times",
     .choices = times_words,
     .offset = offsetof(struct compare_values, times)},
    {.name = "time-threshold",
     .type = OPTION_TEXT,
     .value = "PERCENT",
     .help = "times that change by no more are the same (5)",
     .offset = offsetof(struct compare_values, time_threshold)},
    {.name = "phase",
     .letter = 'p',
     .type = OPTION_CHOICE,
     .value = "PHASE",
     .help = "the sites of this phase",
     .choices = phases,
     .offset = offsetof(struct compare_values, phase)},
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites; with --json all, unless it is given",
     .most = UINT32_MAX,
     .offset = offsetof(struct compare_values, limit)},
    {.name = "all",
     .letter = 'a',
     .type = OPTION_FLAG,
     .help = "all sites, those that are the same too",
     .offset = offsetof(struct compare_values, all)},
    {.name = "stacks",
     .letter = 'S',
     .type = OPTION_FLAG,
     .help = "print the whole stack of each site",
     .offset = offsetof(struct compare_values, stacks)},
    REQUEST_COLOUR(compare_values),
    {.name = NULL},
};

#define LINES_TEXT 20   /* sites of the table, unless asked */
#define SEPARATOR  "vs" /* between the sides */
#define DECIMALS   9    /* of a percentage */

/* "1", "0.5", "2.5%": digits, perhaps a point and at most nine more. False: said why. */
static bool read_percent(const char *option, const char *text, struct ratio *percent)
{
    char digits[32];
    uint64_t number, whole = 1;
    size_t length = text != NULL ? strlen(text) : 0;
    const char *point = text != NULL ? strchr(text, '.') : NULL;

    if (text == NULL)
        return true;
    if (length > 0 && text[length - 1] == '%')
        length--;
    size_t decimals =
        point != NULL && (size_t)(point - text) < length ? length - (size_t)(point - text) - 1 : 0;
    if (length >= sizeof digits || decimals > DECIMALS || (point != NULL && decimals == 0) ||
        point == text) {
        error("option '--%s': '%s' is no percentage", option, text);
        return false;
    }
    size_t used = 0;
    for (size_t i = 0; i < length; i++)
        if (text + i != point)
            digits[used++] = text[i];
    digits[used] = '\0';
    for (size_t i = 0; i < decimals; i++)
        whole *= 10;
    if (!options_number(digits, &number) || number > 1000000 * whole) {
        error("option '--%s': '%s' is no percentage up to 1000000", option, text);
        return false;
    }
    *percent = ratio_of(number, whole);
    return true;
}

struct sides {
    struct baseline *runs[2 * COMPARE_RUNS_MOST];
    size_t before, after;
};

/* How many operands stand before the separator: of two without one, the first. -1: said why. */
static int split(int count, char **operands)
{
    int at = -1;

    for (int i = 0; i < count; i++)
        if (strcmp(operands[i], SEPARATOR) == 0) {
            if (at >= 0)
                return error("compare: '" SEPARATOR
                             "' stands twice; a file of that name is './" SEPARATOR "'");
            at = i;
        }
    if (at < 0 && count == 2)
        return 1;
    if (at < 0)
        return error("compare: which are before and which after? put '" SEPARATOR
                     "' between them: A1 A2 " SEPARATOR " B1 B2");
    if (at == 0 || at == count - 1)
        return error("compare: no file stands %s '" SEPARATOR "'", at == 0 ? "before" : "after");
    if (at > (int)COMPARE_RUNS_MOST || count - 1 - at > (int)COMPARE_RUNS_MOST)
        return error("compare: at most %u runs on a side", COMPARE_RUNS_MOST);
    return at;
}

static int open_all(struct sides *sides, int before, int count, char **operands)
{
    size_t used = 0;

    for (int i = 0; i < count; i++) {
        if (strcmp(operands[i], SEPARATOR) == 0)
            continue;
        struct baseline *run = baseline_open(operands[i]);
        if (run == NULL)
            return EXIT_UNREADABLE;
        sides->runs[used++] = run;
        if (i < before)
            sides->before++;
        else
            sides->after++;
    }
    return EXIT_FINE;
}

static void print(const struct compare_values *values, const struct compare *compare,
                  const struct sides *sides)
{
    struct out_compare request = {
        .compare = compare,
        .before = sides->runs,
        .after = sides->runs + sides->before,
        .term = term_of(stdout, (enum term_colour)values->common.colour),
        .limit = values->limit > 0                    ? values->limit
                 : values->common.json || values->all ? SIZE_MAX
                                                      : LINES_TEXT,
        .same = values->all || values->common.json,
        .stacks = values->stacks,
    };

    if (values->markdown)
        out_markdown_compare(&request);
    else
        request_format(&values->common)->compare(&request);
}

static int compare_run(const void *data, int count, char **operands)
{
    const struct compare_values *values = data;
    struct compare_options chosen = compare_defaults();
    struct sides sides = {{NULL}, 0, 0};
    int before = split(count, operands);

    if (before < 0 || !read_percent("threshold", values->threshold, &chosen.percent) ||
        !read_percent("time-threshold", values->time_threshold, &chosen.time_percent))
        return EXIT_USAGE;
    if (values->markdown && values->common.json) {
        error("options '--json' and '--markdown': only one of them");
        return EXIT_USAGE;
    }
    chosen.bytes = values->slack;
    chosen.times = (enum compare_times)values->times;
    chosen.phase = values->phase == 0 ? MODEL_STEADY : MODEL_STARTUP;

    int status = open_all(&sides, before, count, operands);
    if (status == EXIT_FINE) {
        struct compare *compare =
            compare_runs(sides.runs, sides.before, sides.runs + sides.before, sides.after, &chosen);
        print(values, compare, &sides);
        status = compare_status(compare);
        compare_free(compare);
    }
    for (size_t i = 0; i < sides.before + sides.after; i++)
        baseline_free(sides.runs[i]);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .operands = "BEFORE... [vs] AFTER...",
    .summary = "compare runs: what became worse or better, and where",
    .notes = "Each is a dump or a baseline. With several on a side, 'vs' stands between them:\n"
             "compare old.1.alloc old.2.alloc vs new.1.alloc new.2.alloc\n"
             "Exit status: 0 the same or better, 1 worse, 4 nothing can be compared.",
    .options = options,
    .values_size = sizeof(struct compare_values),
    .least = 2,
    .most = -1,
    .run = compare_run,
};
