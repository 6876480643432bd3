/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/launch.h"
#include "cli/recorder.h"
#include "cli/runreport.h"
#include "cli/runview.h"
#include "cli/runwords.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of each kind of value means that the option was not given. */
static const char *const forks[] = {"default", "follow", "stop", NULL};

static const char *const keeps[] = {"all", "reported", "none", NULL};

static const struct option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_FILE,
     .value = "TEMPLATE",
     .help = "name of the dump: %e is the program, %p its pid [%e.%p.alloc]",
     .offset = offsetof(struct run_values, output)},
    {.name = "report",
     .letter = 'r',
     .type = OPTION_FILE,
     .value = "FILE",
     .help = "write the report to FILE instead of standard output",
     .offset = offsetof(struct run_values, report)},
    REQUEST_JSON(run_values),
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites in the report",
     .most = UINT32_MAX,
     .initial = 6,
     .offset = offsetof(struct run_values, limit)},
    {.name = "live",
     .letter = 'l',
     .type = OPTION_FLAG,
     .help = "watch it while it runs, as 'allocreport live' does",
     .offset = offsetof(struct run_values, live)},
    {.name = "quiet",
     .letter = 'q',
     .type = OPTION_FLAG,
     .help = "neither status line nor report: only the dump",
     .offset = offsetof(struct run_values, quiet)},
    {.name = "keep",
     .letter = 'k',
     .type = OPTION_CHOICE,
     .value = "WHICH",
     .help = "dumps that stay when the report is made",
     .choices = keeps,
     .offset = offsetof(struct run_values, keep)},
    {.name = "stack-depth",
     .letter = 'd',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "frames kept of each stack [64]",
     .least = 1,
     .most = 64,
     .offset = offsetof(struct run_values, stack_depth)},
    {.name = "max-size",
     .type = OPTION_NUMBER,
     .value = "MIB",
     .help = "most MiB of one dump [64]",
     .least = 2,
     .most = 4096,
     .offset = offsetof(struct run_values, max_size)},
    {.name = "fork",
     .type = OPTION_CHOICE,
     .value = "WHAT",
     .help = "what a forked child does with recording",
     .choices = forks,
     .offset = offsetof(struct run_values, fork)},
    {.name = "always",
     .letter = 'a',
     .type = OPTION_FLAG,
     .help = "also make dumps of programs that never poll",
     .offset = offsetof(struct run_values, always)},
    {.name = "no-arguments",
     .type = OPTION_FLAG,
     .help = "keep the program's arguments out of the dump",
     .offset = offsetof(struct run_values, no_arguments)},
    {.name = "patch",
     .letter = 'p',
     .type = OPTION_FLAG,
     .help = "serve what is allocated inside polls without the heap",
     .offset = offsetof(struct run_values, patch)},
    {.name = "compare-patch",
     .letter = 'P',
     .type = OPTION_FLAG,
     .help = "run it twice, without and with --patch, and compare the two",
     .offset = offsetof(struct run_values, compare_patch)},
    {.name = "recorder",
     .type = OPTION_FILE,
     .value = "FILE",
     .help = "the recorder's library, if it is not where it was installed",
     .offset = offsetof(struct run_values, recorder)},
    {.name = "verbose",
     .letter = 'v',
     .type = OPTION_FLAG,
     .help = "let the recorder say what it does",
     .offset = offsetof(struct run_values, verbose)},
    {.name = "check",
     .letter = 'c',
     .type = OPTION_FLAG,
     .help = "judge the run as 'allocreport check' does, instead of the report",
     .offset = offsetof(struct run_values, check)},
    GATE_OPTIONS(run_values),
    REQUEST_COLOUR(run_values),
    {.name = NULL},
};

#define VARIABLES_MOST 20

struct setup {
    struct launch_variable variables[VARIABLES_MOST];
    size_t count;
    char *recorder, *preload, *template, *patch;
    char depth[24], size[24];
};

static void set(struct setup *setup, const char *name, const char *value)
{
    setup->variables[setup->count++] = (struct launch_variable){name, value};
}

/* SDL asks the library that `name` holds to fill its table of functions: the recorder, which asks
 * the one that was there before, from `chain`. */
static void set_table(struct setup *setup, const char *name, const char *chain)
{
    const char *before = getenv(name);

    if (before != NULL && *before != '\0' && strcmp(before, setup->recorder) != 0)
        set(setup, chain, before);
    set(setup, name, setup->recorder);
}

/* What the program gets in its environment. Options that are not given leave what is there. */
static int prepare(struct setup *setup, const struct run_values *values, const char *program)
{
    const char *output = values->output != NULL ? values->output : getenv("ALLOCREPORT_OUT");

    *setup = (struct setup){.count = 0};
    setup->recorder = recorder_find(values->recorder, program);
    if (setup->recorder == NULL)
        return -1;
    setup->preload = recorder_preload(setup->recorder, getenv("LD_PRELOAD"));
    setup->template = rundumps_template(output != NULL && *output != '\0' ? output : NULL);
    if (setup->preload == NULL || setup->template == NULL)
        return -1;

    set(setup, "LD_PRELOAD", setup->preload);
    set_table(setup, "SDL_DYNAMIC_API", "ALLOCREPORT_SDL_DYNAMIC_API");
    set_table(setup, "SDL3_DYNAMIC_API", "ALLOCREPORT_SDL3_DYNAMIC_API");
    set(setup, "ALLOCREPORT_OUT", setup->template);
    if (!values->verbose && getenv("ALLOCREPORT_QUIET") == NULL)
        set(setup, "ALLOCREPORT_QUIET", "1"); /* the report says it all */
    if (values->stack_depth != 0) {
        snprintf(setup->depth, sizeof setup->depth, "%" PRIu64, values->stack_depth);
        set(setup, "ALLOCREPORT_STACK_DEPTH", setup->depth);
    }
    if (values->max_size != 0) {
        snprintf(setup->size, sizeof setup->size, "%" PRIu64, values->max_size);
        set(setup, "ALLOCREPORT_MAX_SIZE", setup->size);
    }
    if (values->fork != 0)
        set(setup, "ALLOCREPORT_FORK", forks[values->fork]);
    if (values->always)
        set(setup, "ALLOCREPORT_ALWAYS", "1");
    if (values->no_arguments)
        set(setup, "ALLOCREPORT_ARGUMENTS", "0");
    if (values->patch) {
        const char *more = getenv("ALLOCREPORT_PATCH");
        setup->patch = xasprintf("poll,%s", more != NULL ? more : "");
        set(setup, "ALLOCREPORT_PATCH", setup->patch);
    }
    if (values->compare_patch && !values->patch)
        set(setup, "ALLOCREPORT_PATCH", "");
    if (values->verbose)
        set(setup, "ALLOCREPORT_VERBOSE", "1");
    return 0;
}

static void clean_up(struct setup *setup)
{
    free(setup->recorder);
    free(setup->preload);
    free(setup->template);
    free(setup->patch);
}

/* What the options say together; false: printed what is wrong. */
static bool agree(const struct run_values *values)
{
    const struct gate_options *gate = &values->gate;
    const char *only = gate->budget != NULL     ? "budget"
                       : gate->baseline != NULL ? "baseline"
                       : gate->junit != NULL    ? "junit"
                       : gate->markdown != NULL ? "markdown"
                       : gate->strict           ? "strict"
                       : gate->format != 0      ? "format"
                                                : NULL;

    if (only != NULL && !values->check)
        error("option '--%s' is for --check", only);
    else if (values->check && values->quiet)
        error("options '--check' and '--quiet': one of the two");
    else if (values->compare_patch &&
             (values->check || values->quiet || values->keep != RUN_KEEP_ALL))
        error("option '--compare-patch' goes with none of '--check', '--quiet' and '--keep'");
    else if (values->common.json && gate->format != OUT_VERDICT_TEXT)
        error("options '--json' and '--format': one of the two");
    else
        return true;
    return false;
}

/* Runs the program and looks at what it left. */
static int run_and_report(const struct run_values *values, const struct gate *gate,
                          struct setup *setup, char **arguments)
{
    struct rundumps dumps = rundumps_start(setup->template);
    struct runview view;
    pid_t pid = 0;

    runview_start(&view,
                  &(struct runview_options){.dumps = &dumps,
                                            .program = arguments[0],
                                            .recorder = setup->recorder,
                                            .quiet = values->quiet,
                                            .live = values->live,
                                            .colour = (enum term_colour)values->common.colour});
    if (view.unseen.census != NULL)
        set(setup, "ALLOCREPORT_CENSUS", view.unseen.census);
    struct launch launch = {
        .arguments = arguments,
        .variables = setup->variables,
        .variable_count = unseen_starts_bare(&view.unseen) ? 0 : setup->count,
        .standard = view.live.standard,
        .tick = runview_tick,
        .data = &view,
        .tick_ms = runview_tick_ms(&view),
    };
    int status = launch_run(&launch, &pid);
    runview_hide(&view);

    if (pid > 0) {
        char *failure = runwords_failure(status);
        runwords_signal(arguments[0], status);
        int reported = runreport_dumps(values, gate, failure, &dumps, pid, &view.unseen);
        free(failure);
        if (values->check && status == 0)
            status = reported;
        else if (!values->check)
            status = status == 0 ? reported : status;
        else
            status = EXIT_PROGRAM;
    } else if (values->check) {
        status = EXIT_PROGRAM;
    }
    runview_end(&view);
    rundumps_end(&dumps);
    return status;
}

/* Prepares, runs, reports. */
static int run_once(const struct run_values *values, const struct gate *gate, char **arguments)
{
    struct setup setup;
    int status = prepare(&setup, values, arguments[0]) == 0
                     ? run_and_report(values, gate, &setup, arguments)
                     : EXIT_USAGE;

    clean_up(&setup);
    return status;
}

/* Without and with the patch. Returns the first status that is not 0. */
static int run_twice(const struct run_values *values, const struct gate *gate, char **arguments)
{
    struct run_values each = *values;
    char *paths[2] = {NULL, NULL};
    int status = EXIT_FINE;

    for (unsigned i = 0; i < 2 && status != EXIT_USAGE; i++) {
        each.patch = i == 1;
        each.found = &paths[i];
        int result = run_once(&each, gate, arguments);
        status = status != EXIT_FINE ? status : result;
    }
    if (paths[0] != NULL && paths[1] != NULL) {
        int printed = runreport_patches(values, paths);
        status = status != EXIT_FINE ? status : printed;
    }
    free(paths[0]);
    free(paths[1]);
    return status;
}

static int run_run(const void *data, int count, char **operands)
{
    struct run_values values = *(const struct run_values *)data;
    struct gate gate = {.options = &values.gate};

    if (!agree(&values))
        return EXIT_USAGE;
    if (values.check && values.common.json)
        values.gate.format = OUT_VERDICT_JSON;
    int status = values.check ? gate_open(&gate, &values.gate) : EXIT_FINE;
    if (status != EXIT_FINE)
        return status;

    char **arguments = xcalloc((size_t)count + 1, sizeof *arguments);
    memcpy(arguments, operands, (size_t)count * sizeof *arguments);
    status = values.compare_patch ? run_twice(&values, &gate, arguments)
                                  : run_once(&values, &gate, arguments);
    free(arguments);
    gate_close(&gate);
    return status;
}

const struct command command_run = {
    .name = "run",
    .operands = "[--] PROGRAM [ARGUMENT]...",
    .summary = "run a program under the recorder, then print its report",
    .notes = "The exit status is that of PROGRAM: 128 and the signal's number if a signal\n"
             "ended it, 127 if there is no such program, 126 if it cannot be run; 4 if all\n"
             "went well but nothing was recorded. With --check it is that of 'check', and 6\n"
             "if the program failed.",
    .options = options,
    .values_size = sizeof(struct run_values),
    .least = 1,
    .most = -1,
    .program = true,
    .run = run_run,
};
