/* SPDX-License-Identifier: MIT */
#include "cli/annotate.h"
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/request.h"

#include <stdio.h>
#include <stdlib.h>

struct sites_values {
    struct request_options common;
    struct request_choice choice;
    uint64_t limit;
    bool all;
    bool stacks;
    bool annotate;
    const char *source_path;
};

static const struct option_spec options[] = {
    REQUEST_JSON(sites_values),
    REQUEST_SORT(sites_values),
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
    {.name = "annotate",
     .letter = 'A',
     .type = OPTION_FLAG,
     .help = "print source lines with their bytes per frame",
     .offset = offsetof(struct sites_values, annotate)},
    {.name = "source-path",
     .type = OPTION_FILE,
     .value = "DIRS",
     .help = "look for sources also below these directories (A:B)",
     .offset = offsetof(struct sites_values, source_path)},
    REQUEST_FILTER(sites_values),
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

static void print_annotated(const struct out_request *request, const struct sites_values *values)
{
    const char *path =
        values->source_path != NULL ? values->source_path : getenv("ALLOCREPORT_SOURCE");
    struct annotate annotate = annotate_of(request, path);

    if (values->common.json)
        out_json_annotate(request, &annotate);
    else
        out_text_annotate(request, &annotate);
    annotate_free(&annotate);
}

static int sites_run(const void *data, int count, char **operands)
{
    const struct sites_values *values = data;
    struct out_request request;
    int status = request_open(&request, &values->common, operands[0]);

    if (status != EXIT_FINE)
        return status;
    status = request_choose(&request, &values->choice, count > 1 ? operands[1] : NULL);
    if (status != EXIT_FINE) {
        request_close(&request);
        return status;
    }
    request.limit = limit_of(values);
    request.stacks = values->stacks;
    if (request.filter.glob != NULL || request.limit > LINES_TEXT || values->annotate)
        request_symbolise(&request);
    if (values->annotate)
        print_annotated(&request, values);
    else
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
