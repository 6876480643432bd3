/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"

struct polls_values {
    struct request_options common;
    uint64_t limit;
    bool by_event;
};

static const struct option_spec options[] = {
    REQUEST_JSON(polls_values),
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N of the loops and of the worst polls",
     .most = UINT32_MAX,
     .initial = 5,
     .offset = offsetof(struct polls_values, limit)},
    REQUEST_LOOP(polls_values),
    {.name = "by-event",
     .letter = 'e',
     .type = OPTION_FLAG,
     .help = "print what drains allocate in their polls, by type of event",
     .offset = offsetof(struct polls_values, by_event)},
    REQUEST_COLOUR(polls_values),
    {.name = NULL},
};

static int polls_run(const void *data, int count, char **operands)
{
    const struct polls_values *values = data;
    struct out_request request;
    int status;

    (void)count;
    if (values->by_event && values->common.loop != NULL) {
        error("option '--by-event' is of all loops: it cannot go with '--loop'");
        return EXIT_USAGE;
    }
    status = request_open(&request, &values->common, operands[0]);
    if (status != EXIT_FINE)
        return status;
    request.by_event = values->by_event;
    request.limit = values->limit;
    request_format(&values->common)->polls(&request);
    request_close(&request);
    return EXIT_FINE;
}

const struct command command_polls = {
    .name = "polls",
    .operands = "DUMP",
    .summary = "print how much the polls allocate: percentiles, time line, the worst",
    .options = options,
    .values_size = sizeof(struct polls_values),
    .least = 1,
    .most = 1,
    .run = polls_run,
};
