/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/export.h"
#include "cli/outfile.h"
#include "cli/request.h"

#include <unistd.h>

struct export_values {
    struct request_options common;
    struct request_choice choice;
    const char *output;
    int value; /* enum export_value */
    uint64_t limit;
};

static const char *const values_words[] = {[EXPORT_BYTES] = "bytes",
                                           [EXPORT_ALLOCATIONS] = "allocations",
                                           [EXPORT_LIVE] = "live",
                                           [EXPORT_TEMPORARY] = "temporary",
                                           NULL};

static const struct option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_FILE,
     .value = "FILE",
     .help = "write to FILE, not to standard output",
     .offset = offsetof(struct export_values, output)},
    {.name = "value",
     .letter = 'v',
     .type = OPTION_CHOICE,
     .value = "VALUE",
     .help = "the number that 'collapsed' and 'dhat' show",
     .choices = values_words,
     .offset = offsetof(struct export_values, value)},
    REQUEST_SORT(export_values),
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites; else all, of Markdown 20",
     .most = UINT32_MAX,
     .offset = offsetof(struct export_values, limit)},
    REQUEST_FILTER(export_values),
    REQUEST_LOOP(export_values),
    {.name = NULL},
};

static const struct export_format *find_format(const char *name)
{
    const char *names[16];
    size_t count = 0;

    for (const struct export_format *const *format = export_formats; *format != NULL; format++)
        names[count++] = (*format)->name;
    names[count] = NULL;
    const struct export_format *format = export_find(name);
    const char *nearest = format == NULL ? options_nearest(name, names) : NULL;
    if (nearest != NULL)
        error("export: no format '%s'; did you mean '%s'?", name, nearest);
    else if (format == NULL)
        error("export: no format '%s'; 'allocreport help export' lists them", name);
    return format;
}

static int write_to(FILE *out, const struct export_values *values,
                    const struct export_format *format, struct out_request *base)
{
    struct export_request request = {.base = *base, .value = (enum export_value)values->value};
    size_t limit = values->limit > 0 ? values->limit : format->limit;

    request.base.limit = limit > 0 ? limit : SIZE_MAX;
    request.base.term = (struct term){.out = out, .columns = 80, .utf8 = true};
    export_begin(&request);
    format->write(&request);
    if (request.left_out > 0)
        warning("%zu %s left out: more was freed of %s than was seen made", request.left_out,
                request.left_out == 1 ? "site is" : "sites are",
                request.left_out == 1 ? "it" : "them");
    export_end(&request);
    return outfile_close(out, values->output) == 0 ? EXIT_FINE : EXIT_INCONCLUSIVE;
}

static int export_run(const void *data, int count, char **operands)
{
    const struct export_values *values = data;
    const struct export_format *format = find_format(operands[0]);
    struct out_request request;

    if (format == NULL)
        return EXIT_USAGE;
    if (values->value != EXPORT_BYTES && !format->one_value) {
        error("option '--value': '%s' has all of them", format->name);
        return EXIT_USAGE;
    }
    if (format->binary && values->output == NULL && isatty(STDOUT_FILENO)) {
        error("'%s' is not for a terminal; write it to a file by -o FILE", format->name);
        return EXIT_USAGE;
    }
    int status = request_open(&request, &values->common, operands[1]);
    if (status != EXIT_FINE)
        return status;
    status = request_choose(&request, &values->choice, count > 2 ? operands[2] : NULL);
    if (status == EXIT_FINE) {
        request_symbolise(&request);
        FILE *out = outfile_open(values->output, operands[1]);
        status = out != NULL ? write_to(out, values, format, &request) : EXIT_INCONCLUSIVE;
    }
    request_close(&request);
    return status;
}

const struct command command_export = {
    .name = "export",
    .operands = "FORMAT DUMP [PATTERN]",
    .summary = "write a dump in the format of another viewer",
    .notes = "FORMAT is one of\n"
             "  pprof       profile.proto, gzipped: go tool pprof\n"
             "  collapsed   a line for each stack: flamegraph.pl and its kin\n"
             "  speedscope  JSON of speedscope\n"
             "  trace       trace events of Chrome and Perfetto: frames over time\n"
             "  dhat        JSON of valgrind's dh_view\n"
             "  csv         a line for each site\n"
             "  markdown    tables for an issue or a page\n"
             "PATTERN is a glob of a function, or of module!function, anywhere in the stack.",
    .options = options,
    .values_size = sizeof(struct export_values),
    .least = 2,
    .most = 3,
    .run = export_run,
};
