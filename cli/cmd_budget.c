/* SPDX-License-Identifier: MIT */
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"
#include "cli/text.h"
#include "cli/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct budget_values {
    struct request_options common;
};

static const struct option_spec options[] = {
    REQUEST_COLOUR(budget_values),
    {.name = NULL},
};

/* --- lint ------------------------------------------------------------------------------------ */

static int lint(const char *path)
{
    struct budget_file *file = budget_read(path);
    char today[16] = "";
    time_t now = time(NULL);
    struct tm parts;

    if (file == NULL)
        return EXIT_USAGE;
    if (gmtime_r(&now, &parts) != NULL)
        strftime(today, sizeof today, "%Y-%m-%d", &parts);
    for (size_t i = 0; i < file->allowance_count; i++)
        if (strcmp(file->allowances[i].expires, today) < 0)
            warning("%s:%u:%u: expired on %s: '%s'", path, file->allowances[i].mark.line,
                    file->allowances[i].mark.column, file->allowances[i].expires,
                    file->allowances[i].site_text);
    printf("%zu budget%s, %zu allowance%s: well written\n", file->budget_count,
           file->budget_count == 1 ? "" : "s", file->allowance_count,
           file->allowance_count == 1 ? "" : "s");
    budget_free(file);
    return EXIT_FINE;
}

/* --- init ------------------------------------------------------------------------------------ */

/* What a first file limits. Start-up and the peak differ a little from one machine to another. */
static const struct first {
    const char *budget;
    enum budget_scope scope;
    const char *thread;
    bool per_frame;
    enum budget_metric metric;
    unsigned headroom; /* per cent that the limit is above what was measured */
} firsts[] = {
    {"loop", BUDGET_STEADY, "loop", true, BUDGET_BYTES, 0},
    {"loop", BUDGET_STEADY, "loop", true, BUDGET_ALLOCATIONS, 0},
    {"growth", BUDGET_STEADY, "all", true, BUDGET_LIVE_GROWTH, 0},
    {"start", BUDGET_STARTUP, "all", false, BUDGET_BYTES, 10},
    {"memory", BUDGET_PROCESS, "all", false, BUDGET_PEAK_LIVE, 10},
};
#define FIRSTS (sizeof firsts / sizeof firsts[0])

/* The value with its headroom as a number of the file, rounded up so that what was measured passes:
 * to two decimals, or from WHOLE_FROM on to a whole number. */
#define WHOLE_FROM 1000u
static char *decimal(struct ratio value, unsigned headroom)
{
    unsigned __int128 part = value.negative ? 0 : value.part * (100 + headroom);
    unsigned __int128 whole = value.whole * 100;
    unsigned scale = part / whole >= WHOLE_FROM || part % whole == 0 ? 1 : 100;
    unsigned __int128 rounded = part * scale / whole + (part * scale % whole != 0);

    if (rounded > UINT64_MAX)
        rounded = UINT64_MAX;
    if (scale == 1)
        return xasprintf("%llu", (unsigned long long)rounded);
    return xasprintf("%llu.%02u", (unsigned long long)(rounded / 100), (unsigned)(rounded % 100));
}

static bool is_bytes(enum budget_metric metric)
{
    return metric != BUDGET_ALLOCATIONS;
}

static void print_limit(const struct first *first, const struct verdict_item *item)
{
    char *number = decimal(item->most, first->headroom);

    printf("    %s: %s%s\n", budget_metric_name(first->metric), number,
           is_bytes(first->metric) ? " B" : "");
    free(number);
}

static void print_file(const struct verdict *verdict, const struct budget *budgets)
{
    const char *before = "";
    char *program =
        text_escape(verdict->model->program_name, strlen(verdict->model->program_name), false);

    printf("# What %s may allocate, made from one run of it; see allocreport-budget(1).\n"
           "require:\n  polls: %llu\n  dropped: 0\n  steady: true\nbudgets:\n",
           program, (unsigned long long)verdict->file->require.polls);
    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->kind != VERDICT_LIMIT || !item->has_actual)
            continue;
        const struct first *first = &firsts[item->budget - budgets];
        if (strcmp(before, first->budget) != 0)
            printf("  %s:\n    scope: %s\n    thread: %s\n    per: %s\n", first->budget,
                   budget_scope_name(first->scope), first->thread,
                   first->per_frame ? item->per : "run");
        print_limit(first, item);
        before = first->budget;
    }
    free(program);
}

/* Judged as budgets that nothing exceeds, for their values alone. */
static int init(const struct budget_values *values, const char *path)
{
    struct budget budgets[FIRSTS];
    struct budget_limit limits[FIRSTS];
    struct budget_file file = {.budgets = budgets,
                               .budget_count = FIRSTS,
                               .require = {.polls = 300, .has_dropped = true, .steady = true}};
    struct verdict_options judged = {.now = 0};
    struct out_request request;
    int status = request_open(&request, &values->common, path);

    if (status != EXIT_FINE)
        return status;
    for (size_t i = 0; i < FIRSTS; i++) {
        limits[i] = (struct budget_limit){
            .metric = firsts[i].metric, .has_most = true, .most = ratio_of(UINT64_MAX, 1)};
        budgets[i] = (struct budget){
            .name = firsts[i].budget,
            .scope = firsts[i].scope,
            .thread = firsts[i].thread,
            .per = firsts[i].per_frame ? BUDGET_PER_FRAME : BUDGET_PER_NONE,
            .limits = &limits[i],
            .limit_count = 1,
        };
    }
    struct verdict *verdict = verdict_of(request.model, &file, &judged);
    if (request.model->damaged || verdict->code != EXIT_FINE) {
        error("no budget is made from such a run: %s",
              request.model->damaged ? "its dump is damaged" : verdict->headline);
        status = request.model->damaged ? EXIT_UNREADABLE : verdict->code;
    } else {
        print_file(verdict, budgets);
    }
    verdict_free(verdict);
    request_close(&request);
    return status;
}

static int budget_run(const void *data, int count, char **operands)
{
    (void)count;
    if (strcmp(operands[0], "lint") == 0)
        return lint(operands[1]);
    if (strcmp(operands[0], "init") == 0)
        return init(data, operands[1]);
    error("budget: '%s' is neither 'init' nor 'lint'", operands[0]);
    return EXIT_USAGE;
}

const struct command command_budget = {
    .name = "budget",
    .operands = "{init DUMP | lint FILE}",
    .summary = "write a first budget file from a run, or check one",
    .notes = "init prints the file on standard output. Exit status: 2 for a wrong file.",
    .options = options,
    .values_size = sizeof(struct budget_values),
    .least = 2,
    .most = 2,
    .run = budget_run,
};
