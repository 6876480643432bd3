/* SPDX-License-Identifier: MIT */
#include "cli/baseline.h"
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/errors.h"
#include "cli/out_html.h"
#include "cli/outfile.h"
#include "cli/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct html_values {
    struct request_options common; /* none of them is in the table */
    const char *output;
};

static const struct option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_FILE,
     .value = "FILE",
     .help = "write the page there, not to standard output",
     .offset = offsetof(struct html_values, output)},
    {.name = NULL},
};

static int check_output(const char *output, int count, char **operands)
{
    if (output == NULL && isatty(STDOUT_FILENO)) {
        error("the page is not for a terminal; write it to a file by -o FILE");
        return EXIT_USAGE;
    }
    for (int i = 0; output != NULL && i < count; i++)
        if (outfile_check(output, operands[i]) != 0)
            return EXIT_INCONCLUSIVE;
    return EXIT_FINE;
}

static int write_page(const char *output, const struct out_request *runs, size_t count,
                      const struct out_compare *compare)
{
    size_t size;
    char *page = out_html_page(runs, count, compare, &size);
    FILE *out = outfile_open(output, runs[0].model->path);
    int status = EXIT_INCONCLUSIVE;

    if (out != NULL) {
        fwrite(page, 1, size, out);
        status = outfile_close(out, output) == 0 ? EXIT_FINE : EXIT_INCONCLUSIVE;
    }
    free(page);
    return status;
}

static int write_compared(const char *output, const struct out_request *runs)
{
    const struct compare_options chosen = compare_defaults();
    struct baseline *before = baseline_of(runs[0].model);
    struct baseline *after = baseline_of(runs[1].model);
    struct compare *compare = compare_runs(&before, 1, &after, 1, &chosen);
    const struct out_compare request = {
        .compare = compare, .before = &before, .after = &after, .term = runs[0].term};
    int status = write_page(output, runs, 2, &request);

    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
    return status;
}

static int html_run(const void *data, int count, char **operands)
{
    const struct html_values *values = data;
    struct out_request runs[2];
    int opened = 0;
    int status = check_output(values->output, count, operands);

    while (status == EXIT_FINE && opened < count) {
        status = request_open(&runs[opened], &values->common, operands[opened]);
        if (status == EXIT_FINE)
            request_symbolise(&runs[opened++]);
    }
    if (status == EXIT_FINE)
        status = count > 1 ? write_compared(values->output, runs)
                           : write_page(values->output, runs, 1, NULL);
    for (int i = 0; i < opened; i++)
        request_close(&runs[i]);
    return status;
}

const struct command command_html = {
    .name = "html",
    .operands = "DUMP [AFTER]",
    .summary = "write a page to look at in a browser, of a run or of two",
    .notes = "The page is one file that needs nothing beside it. Of two dumps it shows what\n"
             "became worse or better from the first to the second.",
    .options = options,
    .values_size = sizeof(struct html_values),
    .least = 1,
    .most = 2,
    .run = html_run,
};
