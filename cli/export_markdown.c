/* SPDX-License-Identifier: MIT */
/* Markdown with GitHub's tables: the first screen's answer and the sites, for an issue or a page.
 */
#include "cli/blind.h"
#include "cli/errors.h"
#include "cli/escape.h"
#include "cli/export.h"
#include "cli/format.h"
#include "cli/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
{
    char *safe = escape_markdown(text);

    fputs(safe, out);
    free(safe);
}

static void put_verdict(const struct export_request *request)
{
    const struct summary *summary = &request->summary;
    const struct blind_words *words = blind_words(request->base.model->blind);
    FILE *out = request->base.term.out;

    switch (summary->verdict) {
    case SUMMARY_NO_POLLS:
        fprintf(out, "**No poll was seen**: %s\n",
                words != NULL ? words->reason : "there is no event loop to tell about");
        break;
    case SUMMARY_BLIND:
        fprintf(out, "**Nothing can be told**: not one allocation was seen%s%s\n",
                words != NULL ? ": " : "", words != NULL ? words->reason : "");
        break;
    case SUMMARY_NO_STEADY:
        fprintf(out, "**No steady phase**: %s polls are too few to tell what the loop allocates\n",
                format_count(summary->rate.polls).text);
        break;
    case SUMMARY_NOTHING:
        fprintf(out, "The steady loop allocates **nothing**: 0 allocations in %s polls\n",
                format_count(summary->steady_polls).text);
        break;
    case SUMMARY_ALLOCATES:
        fprintf(out,
                "The steady loop allocates: **%s allocations, %s bytes per %s** from %s site%s\n",
                format_short(summary_per_unit(summary, summary->steady.allocations)).text,
                format_short(summary_per_unit(summary, summary->steady.bytes)).text, summary->unit,
                format_count(summary->loop_sites).text, summary->loop_sites == 1 ? "" : "s");
        break;
    }
}

static void put_rate(const struct export_request *request)
{
    const struct model_rate *rate = &request->summary.rate;

    if (rate->polls == 0)
        return;
    fprintf(request->base.term.out,
            "\n%s bytes/poll x %s polls/s = %s bytes/s: %s bytes and %s polls in %" PRIu64
            ".%09" PRIu64 " s\n",
            format_precise(model_bytes_per_poll(rate)).text,
            format_precise(model_polls_per_second(rate)).text,
            format_real(model_bytes_per_second(rate), 0).text, format_count(rate->bytes).text,
            format_count(rate->polls).text, rate->ns / 1000000000, rate->ns % 1000000000);
}

static void put_where_row(const struct export_request *request, const char *name,
                          const struct model_amount *all, const struct model_amount *steady)
{
    const struct summary *summary = &request->summary;
    FILE *out = request->base.term.out;

    fprintf(out, "| %s | %s | %s |", name, format_count(all->allocations).text,
            format_count(all->bytes).text);
    if (steady == NULL || summary->units == 0)
        fputs(" | |\n", out);
    else
        fprintf(out, " %s | %s |\n",
                format_cell(summary_per_unit(summary, steady->allocations)).text,
                format_cell(summary_per_unit(summary, steady->bytes)).text);
}

static void put_where(const struct export_request *request)
{
    const struct model_totals *totals = &request->base.model->totals;
    const struct summary *summary = &request->summary;

    fprintf(request->base.term.out,
            "\n| where | allocations | bytes | steady: allocations/%s | bytes/%s |\n"
            "|---|---:|---:|---:|---:|\n",
            summary->unit, summary->unit);
    if (summary->loop != NULL) {
        put_where_row(request, "in poll", &summary->loop->in_poll, NULL);
        put_where_row(request, "between polls", &summary->loop->between, NULL);
        return;
    }
    put_where_row(request, "startup", &totals->phase[MODEL_STARTUP], NULL);
    for (int place = 0; place < MODEL_PLACES; place++)
        if (place != MODEL_OTHER || totals->place[place].allocations > 0)
            put_where_row(request, model_place_name((enum model_place)place), &totals->place[place],
                          &totals->cell[MODEL_STEADY][place]);
}

static void put_site(const struct export_request *request, const struct export_site *site)
{
    struct model *model = request->base.model;
    const struct model_row *row = &site->row;
    FILE *out = request->base.term.out;
    struct model_line line;
    bool known = model_name(model, row->site->stack, &line);
    char *name = known ? model_line_text(&line) : xstrdup("(no stack)");

    fprintf(out, "| %s | %s | %s | %s | %s | ",
            format_cell(summary_per_unit(&request->summary, site->steady.bytes)).text,
            format_count(row->amount.bytes).text, format_count(row->amount.allocations).text,
            row->site->cadence.words, model_place_name(rows_place(model, row->site)));
    put_text(out, name);
    if (line.file != NULL && line.line > 0) {
        const char *slash = strrchr(line.file, '/');
        char *place = xasprintf(" %s:%" PRIu32, slash != NULL ? slash + 1 : line.file, line.line);
        put_text(out, place);
        free(place);
    }
    fputs(" |\n", out);
    free(name);
}

static void write_markdown(struct export_request *request)
{
    FILE *out = request->base.term.out;
    char *program = export_program(request->base.model);
    char **remarks = export_remarks(request);

    fputs("### Allocations of ", out);
    put_text(out, program);
    fputs("\n\n", out);
    put_verdict(request);
    put_rate(request);
    put_where(request);
    if (request->count > 0)
        fprintf(out,
                "\n| bytes/%s | bytes | allocations | cadence | where | site (%s of %s) |\n"
                "|---:|---:|---:|---|---|---|\n",
                request->summary.unit, format_count(request->count).text,
                format_count(request->matching).text);
    for (size_t i = 0; i < request->count; i++)
        put_site(request, &request->sites[i]);
    for (size_t i = 0; remarks[i] != NULL; i++) {
        fputs(i == 0 ? "\n- " : "- ", out);
        put_text(out, remarks[i]);
        fputc('\n', out);
    }
    export_remarks_free(remarks);
    free(program);
}

const struct export_format export_markdown = {
    .name = "markdown",
    .summary = "tables for an issue or a page",
    .limit = 20,
    .write = write_markdown,
};
