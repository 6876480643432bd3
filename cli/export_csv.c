/* SPDX-License-Identifier: MIT */
/*
 * Comma-separated values (RFC 4180 but for the line's end, which is a line feed): a line for each
 * site. Texts are in quotes; one that a spreadsheet would take for a formula has a ' in front.
 */
#include "cli/errors.h"
#include "cli/export.h"
#include "cli/rows.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_quoted(FILE *out, const char *text)
{
    char *safe = text_escape(text, strlen(text), true);

    fprintf(out, "\"%s", *safe != '\0' && strchr("=+-@", *safe) != NULL ? "'" : "");
    for (const char *at = safe; *at != '\0'; at++) {
        if (*at == '"')
            fputc('"', out);
        fputc(*at, out);
    }
    fputc('"', out);
    free(safe);
}

static void put_text(FILE *out, const char *text)
{
    fputc(',', out);
    put_quoted(out, text != NULL ? text : "");
}

/* Innermost first, as "function < caller < ...". */
static void put_stack(FILE *out, struct model *model, const struct model_stack *stack)
{
    const char *cut = export_cut(stack);
    size_t count;
    struct model_line *lines = model_lines(model, stack, &count);
    char *whole = xstrdup("");

    for (size_t i = 0; i < count + (cut != NULL); i++) {
        char *name = i < count ? model_line_text(&lines[i]) : xstrdup(cut);
        char *longer = xasprintf("%s%s%s", whole, i > 0 ? " < " : "", name);
        free(name);
        free(whole);
        whole = longer;
    }
    put_text(out, whole);
    free(whole);
    free(lines);
}

static void put_name(FILE *out, struct model *model, const struct model_stack *stack)
{
    struct model_line line;
    bool known = model_name(model, stack, &line);
    char *name = known ? model_line_text(&line) : xstrdup("");

    put_text(out, name);
    put_text(out, line.file);
    if (line.line > 0)
        fprintf(out, ",%" PRIu32, line.line);
    else
        fputc(',', out);
    put_text(out, line.module != NULL ? line.module->path : "");
    put_text(out, line.module != NULL ? line.module->build_id : "");
    free(name);
}

#define HEAD                                                                                       \
    "site,where,thread,cadence,bytes,allocations,reallocations,frees,freed_bytes,live_bytes,"      \
    "live_blocks,growth_bytes,temporary,temporary_bytes,temporary_frame,polls,most_bytes,"         \
    "steady_bytes,steady_allocations,%ss,bytes_per_%s,function,file,line,module,build_id,stack\n"

static void write_csv(struct export_request *request)
{
    struct model *model = request->base.model;
    const struct summary *summary = &request->summary;
    FILE *out = request->base.term.out;

    fprintf(out, HEAD, summary->unit, summary->unit);
    for (size_t i = 0; i < request->count; i++) {
        const struct model_row *row = &request->sites[i].row;
        const struct model_site *site = row->site;
        const struct model_amount *amount = &row->amount;
        const struct model_amount *steady = &request->sites[i].steady;
        fprintf(out, "%" PRIu32, site->id);
        put_text(out, model_place_name(rows_place(model, site)));
        put_text(out, site->thread != MODEL_NONE ? model->threads[site->thread].name : "");
        put_text(out, cadence_name(site->cadence.kind));
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, amount->bytes,
                amount->allocations, amount->reallocations, amount->frees, amount->freed_bytes);
        fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64, row->live_bytes, row->live_blocks,
                row->growth_bytes);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, row->temporary,
                row->temporary_bytes, row->temporary_frame, row->polls, row->most_bytes);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.17g", steady->bytes,
                steady->allocations, summary->units, summary_per_unit(summary, steady->bytes));
        put_name(out, model, site->stack);
        put_stack(out, model, site->stack);
        fputc('\n', out);
    }
}

const struct export_format export_csv = {
    .name = "csv",
    .summary = "a line for each site",
    .write = write_csv,
};
