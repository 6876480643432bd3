/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"

struct info_values {
    struct request_options common;
};

static const struct option_spec options[] = {
    REQUEST_JSON(info_values),
    REQUEST_COLOUR(info_values),
    {.name = NULL},
};

static int info_run(const void *data, int count, char **operands)
{
    const struct info_values *values = data;
    struct out_request request;
    char **wrong;
    int status = request_open(&request, &values->common, operands[0]);

    (void)count;
    if (status != EXIT_FINE)
        return status;
    request_symbolise(&request);
    size_t wrong_count = model_check(request.model, &wrong);
    request_format(&values->common)->info(&request, wrong, wrong_count);
    if (wrong_count > 0 && !request.model->running && !request.model->killed)
        status = EXIT_INCONCLUSIVE;
    model_check_free(wrong, wrong_count);
    request_close(&request);
    return status;
}

const struct command command_info = {
    .name = "info",
    .operands = "DUMP",
    .summary = "print what a dump holds: process, threads, modules, losses, health",
    .notes = "Exit status 4 if sums of the dump disagree though its program ended by itself.",
    .options = options,
    .values_size = sizeof(struct info_values),
    .least = 1,
    .most = 1,
    .run = info_run,
};
