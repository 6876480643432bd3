/* SPDX-License-Identifier: MIT */
#include "cli/runreport.h"

#include "cli/command.h"
#include "cli/errors.h"
#include "cli/runwords.h"
#include "cli/settle.h"
#include "cli/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The report, or with --check the gate's answer; `failure` as gate_judge has it. */
static int print_result(const struct run_values *values, const struct gate *gate,
                        struct out_request *request, const char *failure)
{
    if (values->check)
        return gate_judge(gate, request, failure);
    request->limit = values->limit;
    request_format(&values->common)->report(request);
    return summary_is_blind(request->model) ? EXIT_INCONCLUSIVE : EXIT_FINE;
}

/* Where the report goes; NULL: printed why it cannot. */
static FILE *open_report(const struct run_values *values)
{
    FILE *out = values->report != NULL ? fopen(values->report, "we") : stdout;

    if (out == NULL)
        error("cannot write '%s': %s", values->report, strerror(errno));
    return out;
}

static int close_report(const struct run_values *values, FILE *out, int status)
{
    if (out == stdout || (ferror(out) != 0) + (fclose(out) != 0) == 0)
        return status;
    error("cannot write '%s': %s", values->report, strerror(errno));
    return status == EXIT_FINE ? EXIT_INCONCLUSIVE : status;
}

static int print_report(const struct run_values *values, const struct gate *gate,
                        const char *failure, const char *path)
{
    struct out_request request;
    int status = request_open(&request, &values->common, path);

    if (status != EXIT_FINE)
        return status;
    FILE *out = open_report(values);
    if (out == NULL) {
        request_close(&request);
        return EXIT_INCONCLUSIVE;
    }
    if (out != stdout)
        request.term = term_of(out, (enum term_colour)values->common.colour);
    status = print_result(values, gate, &request, failure);
    request_close(&request);
    return close_report(values, out, status);
}

/* No dump was made. */
static int explain(const struct run_values *values, const struct unseen *unseen, pid_t pid)
{
    bool json = values->common.json && !values->quiet && !values->check;
    FILE *out = json ? open_report(values) : NULL;

    unseen_explain(unseen, pid, out);
    return out != NULL ? close_report(values, out, EXIT_INCONCLUSIVE) : EXIT_INCONCLUSIVE;
}

int runreport_dumps(const struct run_values *values, const struct gate *gate, const char *failure,
                    const struct rundumps *dumps, pid_t pid, const struct unseen *unseen)
{
    size_t count;
    struct rundump *list = rundumps_find(dumps, pid, &count);
    int status = EXIT_FINE;

    if (count == 0)
        return explain(values, unseen, pid);
    if (values->found != NULL)
        *values->found = xstrdup(list[0].path);
    if (!values->quiet && values->found == NULL) {
        if (count > 1)
            runwords_others(list, count);
        if (list[0].running)
            warning("process %" PRIu32 " still runs: the report is of what it has done so far",
                    list[0].pid);
        if (values->report == NULL && isatty(STDOUT_FILENO))
            fputc('\n', stdout); /* the program may have left the cursor anywhere */
        status = print_report(values, gate, failure, runwords_path(list[0].path));
    }
    if (status == EXIT_FINE && fflush(stdout) != 0)
        status = EXIT_INCONCLUSIVE; /* main says why */
    for (size_t i = 0; i < count; i++) {
        settle(list[i].path);
        if (status != EXIT_FINE)
            continue; /* what could not be reported is kept */
        if (values->keep == RUN_KEEP_NONE || (values->keep == RUN_KEEP_REPORTED && i > 0))
            unlink(list[i].path);
    }
    rundumps_free(list, count);
    return status;
}

int runreport_patches(const struct run_values *values, char *const *paths)
{
    struct patchfigures figures[2];

    for (unsigned i = 0; i < 2; i++) {
        struct model *model = model_open(paths[i]);

        if (model == NULL)
            return EXIT_UNREADABLE;
        figures[i] = patchfigures_of(model);
        model_close(model);
    }
    FILE *out = open_report(values);
    if (out == NULL)
        return EXIT_INCONCLUSIVE;
    request_format(&values->common)
        ->patches(
            &(struct out_patches){.before = &figures[0],
                                  .after = &figures[1],
                                  .term = term_of(out, (enum term_colour)values->common.colour)});
    return close_report(values, out, EXIT_FINE);
}
