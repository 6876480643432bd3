/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"

struct polls_values {
    struct request_options common;
    uint64_t limit;
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
    REQUEST_COLOUR(polls_values),
    {.name = NULL},
};

static int polls_run(const void *data, int count, char **operands)
{
    const struct polls_values *values = data;
    struct out_request request;
    int status = request_open(&request, &values->common, operands[0]);

    (void)count;
    if (status != EXIT_FINE)
        return status;
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
