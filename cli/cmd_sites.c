/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"

#include <stdio.h>

struct sites_values {
    struct request_options common;
    int order; /* enum model_order */
    uint64_t limit;
    bool all;
    bool stacks;
    const char *thread;
    int phase; /* 0: all, else 1 + enum model_phase */
    bool in_poll, between, other;
};

static const char *const orders[] = {
    [MODEL_BY_BYTES] = "bytes",
    [MODEL_BY_ALLOCATIONS] = "allocations",
    [MODEL_BY_LIVE] = "live",
    [MODEL_BY_TEMPORARY] = "temporary",
    [MODEL_BY_POLLS] = "polls",
    [MODEL_BY_GROWTH] = "growth",
    [MODEL_BY_FREES] = "frees",
    [MODEL_BY_MOST] = "largest",
    NULL,
};

static const char *const phases[] = {
    "all",
    [1 + MODEL_STARTUP] = "startup",
    [1 + MODEL_WARMUP] = "warm-up",
    [1 + MODEL_STEADY] = "steady",
    [1 + MODEL_SHUTDOWN] = "shutdown",
    NULL,
};

static const struct option_spec options[] = {
    REQUEST_JSON(sites_values),
    {.name = "sort",
     .letter = 's',
     .type = OPTION_CHOICE,
     .value = "KEY",
     .help = "greatest first by",
     .choices = orders,
     .offset = offsetof(struct sites_values, order)},
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites; with --json all, unless it is given",
     .most = UINT32_MAX,
     .offset = offsetof(struct sites_values, limit)},
    {.name = "all",
     .letter = 'a',
     .type = OPTION_FLAG,
     .help = "all sites",
     .offset = offsetof(struct sites_values, all)},
    {.name = "stacks",
     .letter = 'S',
     .type = OPTION_FLAG,
     .help = "print the whole stack of each site",
     .offset = offsetof(struct sites_values, stacks)},
    {.name = "thread",
     .letter = 't',
     .type = OPTION_TEXT,
     .value = "THREAD",
     .help = "only this thread: a glob of its name, its number, or its tid",
     .offset = offsetof(struct sites_values, thread)},
    {.name = "phase",
     .letter = 'p',
     .type = OPTION_CHOICE,
     .value = "PHASE",
     .help = "only allocations of this phase",
     .choices = phases,
     .offset = offsetof(struct sites_values, phase)},
    {.name = "in-poll",
     .type = OPTION_FLAG,
     .help = "only sites inside polls",
     .offset = offsetof(struct sites_values, in_poll)},
    {.name = "between",
     .type = OPTION_FLAG,
     .help = "only sites outside polls, on threads that poll",
     .offset = offsetof(struct sites_values, between)},
    {.name = "other",
     .type = OPTION_FLAG,
     .help = "only sites on threads that never poll",
     .offset = offsetof(struct sites_values, other)},
    REQUEST_LOOP(sites_values),
    REQUEST_COLOUR(sites_values),
    {.name = NULL},
};

#define LINES_TEXT 20 /* sites of the table, unless asked */

static size_t limit_of(const struct sites_values *values)
{
    if (values->all)
        return SIZE_MAX;
    if (values->limit > 0)
        return values->limit;
    return values->common.json ? SIZE_MAX : LINES_TEXT;
}

static int sites_run(const void *data, int count, char **operands)
{
    const struct sites_values *values = data;
    struct out_request request;
    int status = request_open(&request, &values->common, operands[0]);

    if (status != EXIT_FINE)
        return status;
    if (values->thread != NULL && !model_has_thread(request.model, values->thread)) {
        error("option '--thread': no thread matches '%s'; 'allocreport info' lists them",
              values->thread);
        request_close(&request);
        return EXIT_USAGE;
    }

    request.filter.thread = values->thread;
    request.filter.phase = values->phase > 0 ? values->phase - 1 : MODEL_ANY;
    request.filter.glob = count > 1 ? operands[1] : NULL;
    request.places = (unsigned)values->in_poll << MODEL_IN_POLL |
                     (unsigned)values->between << MODEL_BETWEEN |
                     (unsigned)values->other << MODEL_OTHER;
    request.order = (enum model_order)values->order;
    request.order_name = orders[values->order];
    request.limit = limit_of(values);
    request.stacks = values->stacks;
    if (request.filter.glob != NULL || request.limit > LINES_TEXT)
        request_symbolise(&request);
    request_format(&values->common)->sites(&request);
    request_close(&request);
    return EXIT_FINE;
}

const struct command command_sites = {
    .name = "sites",
    .operands = "DUMP [PATTERN]",
    .summary = "list the call stacks that allocate",
    .notes = "PATTERN is a glob of a function, or of module!function, anywhere in the stack.",
    .options = options,
    .values_size = sizeof(struct sites_values),
    .least = 1,
    .most = 2,
    .run = sites_run,
};
