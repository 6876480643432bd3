/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/fallback.h"
#include "cli/request.h"

struct fallback_values {
    struct request_options common;
    int language;
};

static const struct option_spec options[] = {
    {.name = "lang",
     .letter = 'L',
     .type = OPTION_CHOICE,
     .value = "LANGUAGE",
     .help = "in which language",
     .choices = fallback_names,
     .offset = offsetof(struct fallback_values, language)},
    REQUEST_JSON(fallback_values),
    {.name = NULL},
};

static int fallback_run(const void *data, int count, char **operands)
{
    const struct fallback_values *values = data;
    const struct fallback_language *language = &fallback_languages[values->language];
    struct out_request request = {.term = term_of(stdout, TERM_NEVER)};

    if (count > 0) {
        int status = request_open(&request, &values->common, operands[0]);

        if (status != EXIT_FINE)
            return status;
    }
    request_format(&values->common)->fallback(&request, language);
    if (count > 0)
        request_close(&request);
    return EXIT_FINE;
}

const struct command command_fallback = {
    .name = "fallback",
    .operands = "[DUMP]",
    .summary = "print a poll that allocates nothing, as source to paste",
    .notes = "With a dump it says first where it goes, and what it would save there.",
    .options = options,
    .values_size = sizeof(struct fallback_values),
    .least = 0,
    .most = 1,
    .run = fallback_run,
};
