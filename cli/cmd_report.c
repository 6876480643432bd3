/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"
#include "cli/summary.h"

struct report_values {
    struct request_options common;
    uint64_t limit;
};

static const struct option_spec options[] = {
    REQUEST_JSON(report_values),
    REQUEST_LOOP(report_values),
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites",
     .most = UINT32_MAX,
     .initial = 6,
     .offset = offsetof(struct report_values, limit)},
    REQUEST_COLOUR(report_values),
    {.name = NULL},
};

static int report_run(const void *data, int count, char **operands)
{
    const struct report_values *values = data;
    struct out_request request;
    int status = request_open(&request, &values->common, operands[0]);

    (void)count;
    if (status != EXIT_FINE)
        return status;
    request.limit = values->limit;
    request_format(&values->common)->report(&request);
    if (summary_is_blind(request.model))
        status = EXIT_INCONCLUSIVE;
    request_close(&request);
    return status;
}

const struct command command_report = {
    .name = "report",
    .operands = "DUMP",
    .summary = "print one screen: what the event loop allocates, and where",
    .notes = "This is also what 'allocreport DUMP' does.",
    .options = options,
    .values_size = sizeof(struct report_values),
    .least = 1,
    .most = 1,
    .run = report_run,
};
