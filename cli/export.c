/* SPDX-License-Identifier: MIT */
#include "cli/export.h"

#include "cli/errors.h"
#include "cli/format.h"
#include "cli/rows.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct export_format *const export_formats[] = {
    &export_pprof, &export_collapsed, &export_speedscope, &export_trace,
    &export_dhat,  &export_csv,       &export_markdown,   NULL};

const struct export_format *export_find(const char *name)
{
    for (const struct export_format *const *format = export_formats; *format != NULL; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    return NULL;
}

void export_begin(struct export_request *request)
{
    const struct model *model = request->base.model;
    struct model_row *rows = rows_select(&request->base, &request->matching, &request->sum);
    struct model_amount *steady = rows_steady(&request->base);

    request->summary = summary_of(request->base.model, request->base.loop);
    request->count =
        request->matching < request->base.limit ? request->matching : request->base.limit;
    request->sites = xcalloc(request->count + 1, sizeof *request->sites);
    for (size_t i = 0; i < request->count; i++)
        request->sites[i] =
            (struct export_site){.row = rows[i], .steady = steady[rows[i].site - model->sites]};
    free(steady);
    free(rows);
}

void export_end(struct export_request *request)
{
    summary_free(&request->summary);
    free(request->sites);
    request->sites = NULL;
    request->count = 0;
}

static int64_t bounded(uint64_t number)
{
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

int64_t export_value_of(const struct export_site *site, enum export_value value)
{
    switch (value) {
    case EXPORT_ALLOCATIONS:
        return bounded(site->row.amount.allocations);
    case EXPORT_LIVE:
        return site->row.live_bytes;
    case EXPORT_TEMPORARY:
        return bounded(site->row.temporary_bytes);
    default:
        return bounded(site->row.amount.bytes);
    }
}

const char *export_value_name(enum export_value value)
{
    static const char *const names[] = {[EXPORT_BYTES] = "bytes",
                                        [EXPORT_ALLOCATIONS] = "allocations",
                                        [EXPORT_LIVE] = "live bytes",
                                        [EXPORT_TEMPORARY] = "temporary bytes"};

    return names[value];
}

const char *export_cut(const struct model_stack *stack)
{
    if (stack->flags & DUMP_STACK_CALL_SITE)
        return "[call site only]";
    if (stack->flags & DUMP_STACK_BROKEN)
        return "[unwinder stopped]";
    if (stack->flags & DUMP_STACK_DEEPER)
        return "[more frames]";
    if (stack->flags & DUMP_STACK_EARLY)
        return "[too early for a stack]";
    return stack->count == 0 ? "[no stack]" : NULL;
}

char *export_program(const struct model *model)
{
    char *line = xstrdup("");

    for (size_t i = 0; i < model->argument_count; i++) {
        char *word = text_shell(i == 0 ? model->program_name : model->arguments[i]);
        char *longer = xasprintf("%s%s%s", line, i > 0 ? " " : "", word);
        free(line);
        free(word);
        line = longer;
    }
    if (*line != '\0')
        return line;
    free(line);
    return xstrdup(*model->program_name != '\0' ? model->program_name : "(unknown)");
}

char **export_remarks(const struct export_request *request)
{
    const struct model *model = request->base.model;
    const struct summary *summary = &request->summary;
    char **lines = xcalloc(4 + DUMP_LOSS_COUNT + model->note_count, sizeof *lines);
    size_t used = 0;

    lines[used++] = xasprintf("allocreport %s: allocations of %s", ALLOCREPORT_VERSION,
                              *model->program_path != '\0' ? model->program_path : "(unknown)");
    if (summary->units > 0)
        lines[used++] = xasprintf("%ss of the steady phase: %" PRIu64
                                  "; bytes per %s are steady bytes / %" PRIu64,
                                  summary->unit, summary->units, summary->unit, summary->units);
    else
        lines[used++] = xstrdup("there is no steady phase");
    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++)
        if (model->loss[i] > 0)
            lines[used++] =
                xasprintf("lost: %s %s", format_count(model->loss[i]).text,
                          model_loss_text(i) != NULL ? model_loss_text(i) : "of an unknown kind");
    for (size_t i = 0; i < model->note_count; i++)
        if (model->notes[i].bad)
            lines[used++] = xstrdup(model->notes[i].text);
    return lines;
}

void export_remarks_free(char **lines)
{
    for (char **line = lines; *line != NULL; line++)
        free(*line);
    free(lines);
}
