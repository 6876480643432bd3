/* SPDX-License-Identifier: MIT */
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"
#include "cli/text.h"
#include "cli/verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct budget_values {
    struct request_options common;
    const char *output; /* of init; NULL: standard output */
    const char *dump;   /* of lint; NULL: none */
};

static const struct option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_FILE,
     .value = "FILE",
     .help = "init: write to FILE, which must not be there yet",
     .offset = offsetof(struct budget_values, output)},
    {.name = "dump",
     .letter = 'd',
     .type = OPTION_FILE,
     .value = "DUMP",
     .help = "lint: threads and modules that are named must have been in this run",
     .offset = offsetof(struct budget_values, dump)},
    REQUEST_COLOUR(budget_values),
    {.name = NULL},
};

/* --- lint ------------------------------------------------------------------------------------ */

/* Whether a run has the threads and modules that the file names: what the gate itself would say. */
static int lint_names(const struct budget_values *values, const struct budget_file *file)
{
    struct verdict_options judged = {.updates = true};
    struct out_request request;
    int status = request_open(&request, &values->common, values->dump);

    if (status != EXIT_FINE)
        return status;
    if (request.model->damaged) {
        error("'%s' is damaged: what it lacks may have been in the run", values->dump);
        status = EXIT_UNREADABLE;
    }
    struct verdict *verdict = verdict_of(request.model, file, &judged);
    for (size_t i = 0; i < verdict->item_count && status != EXIT_UNREADABLE; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->status != VERDICT_WRONG)
            continue;
        error("%s:%u:%u: %s: %s", file->path, item->mark.line, item->mark.column, item->name,
              item->text);
        status = EXIT_USAGE;
    }
    verdict_free(verdict);
    request_close(&request);
    return status;
}

/* "1 budget", "2 budgets"; the caller frees. */
static char *counted(size_t count, const char *what)
{
    return xasprintf("%zu %s%s", count, what, count == 1 ? "" : "s");
}

static int lint(const struct budget_values *values, const char *path)
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
    int status = values->dump != NULL ? lint_names(values, file) : EXIT_FINE;
    if (status == EXIT_FINE) {
        char *budgets = counted(file->budget_count, "budget");
        char *allowances = counted(file->allowance_count, "allowance");

        printf("%s, %s: well written%s\n", budgets, allowances,
               values->dump != NULL ? ", and what they name was in the run" : "");
        free(budgets);
        free(allowances);
    }
    budget_free(file);
    return status;
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

static void print_limit(FILE *out, const struct first *first, const struct verdict_item *item)
{
    char *number = decimal(item->most, first->headroom);
    char *limit = xasprintf("%s: %s%s", budget_metric_name(first->metric), number,
                            item->unit == VERDICT_BYTES ? " B" : "");

    if (first->headroom > 0)
        fprintf(out, "    %-26s # measured %s; %u %% above it\n", limit, item->actual_text,
                first->headroom);
    else
        fprintf(out, "    %-26s # measured %s; no headroom\n", limit, item->actual_text);
    free(limit);
    free(number);
}

static void print_file(FILE *out, const struct verdict *verdict, const struct budget *budgets)
{
    const char *before = "";
    char *program =
        text_escape(verdict->model->program_name, strlen(verdict->model->program_name), false);

    fprintf(out,
            "# What %s may allocate, made from one run of it; allocreport-budget(5) says what\n"
            "# can stand here. What is counted in the loop is exact and has no headroom.\n"
            "require:\n"
            "  polls: %-20llu # the run had %llu steady ones\n"
            "  dropped: 0\n"
            "  steady: true\n"
            "budgets:\n",
            program, (unsigned long long)verdict->file->require.polls,
            (unsigned long long)verdict->steady_polls);
    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->kind != VERDICT_LIMIT || !item->has_actual)
            continue;
        const struct first *first = &firsts[item->budget - budgets];
        if (strcmp(before, first->budget) != 0) {
            fprintf(out, "  %s:\n    scope: %s\n    thread: %s\n", first->budget,
                    budget_scope_name(first->scope), first->thread);
            if (first->per_frame)
                fprintf(out, "    per: %s\n", item->per);
        }
        print_limit(out, first, item);
        before = first->budget;
    }
    free(program);
}

/* Never over a file that somebody may have worked on. */
static int write_file(const char *path, const struct verdict *verdict, const struct budget *budgets)
{
    FILE *out = path != NULL ? fopen(path, "wxe") : stdout;

    if (out == NULL)
        return error("cannot write '%s': %s", path, strerror(errno));
    print_file(out, verdict, budgets);
    if (path != NULL && (ferror(out) != 0) + (fclose(out) != 0) > 0)
        return error("cannot write '%s': %s", path, strerror(errno));
    return 0;
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
    } else if (write_file(values->output, verdict, budgets) != 0) {
        status = EXIT_USAGE;
    }
    verdict_free(verdict);
    request_close(&request);
    return status;
}

static int budget_run(const void *data, int count, char **operands)
{
    const struct budget_values *values = data;

    (void)count;
    bool lints = strcmp(operands[0], "lint") == 0;
    if (!lints && strcmp(operands[0], "init") != 0)
        error("budget: '%s' is neither 'init' nor 'lint'", operands[0]);
    else if (lints && values->output != NULL)
        error("option '--output' is for 'budget init': 'lint' writes no file");
    else if (!lints && values->dump != NULL)
        error("option '--dump' is for 'budget lint': 'init' has its dump behind it");
    else
        return lints ? lint(values, operands[1]) : init(values, operands[1]);
    return EXIT_USAGE;
}

const struct command command_budget = {
    .name = "budget",
    .operands = "{init DUMP | lint FILE}",
    .summary = "write a first budget file from a run, or check one",
    .notes = "init prints the file on standard output unless told otherwise. Exit status:\n"
             "2 for a wrong file, 3 for a dump that cannot be read, 4 for a run of which\n"
             "nothing can be told.",
    .options = options,
    .values_size = sizeof(struct budget_values),
    .least = 2,
    .most = 2,
    .run = budget_run,
};
