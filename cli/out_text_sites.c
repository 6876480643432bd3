/* SPDX-License-Identifier: MIT */
/* Lists of sites, as a table or with whole stacks. */
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/rows.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_head(const struct out_request *request, size_t shown, size_t count,
                       const struct model_amount *sum)
{
    char *phase =
        request->filter.phase == MODEL_ANY
            ? xstrdup("the whole run")
            : xasprintf("the %s phase", model_phase_name((enum model_phase)request->filter.phase));

    out_text_say(&request->term, TERM_BOLD, "%s site%s: %s allocation%s, %s bytes in %s",
                 format_count(count).text, format_plural(count),
                 format_count(sum->allocations).text, format_plural(sum->allocations),
                 format_count(sum->bytes).text, phase);
    if (shown < count)
        out_text_say(&request->term, TERM_PLAIN, "the first %s by %s (--limit N, --all for more)",
                     format_count(shown).text, request->order_name);
    free(phase);
}

/* The third column: what the list is sorted by, where that has no column of its own. */
static const char *key_head(enum model_order order)
{
    static const char *const heads[] = {[MODEL_BY_POLLS] = "polls",
                                        [MODEL_BY_GROWTH] = "growth",
                                        [MODEL_BY_FREES] = "frees",
                                        [MODEL_BY_MOST] = "largest poll"};

    return (size_t)order < sizeof heads / sizeof heads[0] && heads[order] != NULL ? heads[order]
                                                                                  : "live";
}

static struct shown key_cell(enum model_order order, const struct model_row *row)
{
    switch (order) {
    case MODEL_BY_POLLS:
        return format_count(row->polls);
    case MODEL_BY_GROWTH:
        return format_bytes_signed(row->growth_bytes);
    case MODEL_BY_FREES:
        return format_count(row->amount.frees);
    case MODEL_BY_MOST:
        return format_bytes(row->most_bytes);
    default:
        return format_bytes_real((double)row->live_bytes);
    }
}

static void print_table(const struct out_request *request, const struct model_row *rows,
                        size_t count)
{
    const struct table_column columns[] = {
        {"bytes", TABLE_RIGHT}, {"allocs", TABLE_RIGHT}, {key_head(request->order), TABLE_RIGHT},
        {"temp", TABLE_RIGHT},  {"cadence", TABLE_LEFT}, {"site", TABLE_NAME},
    };
    struct table *table = table_new(columns, 6, 0);

    for (size_t i = 0; i < count; i++) {
        const struct model_row *row = &rows[i];
        char *name = out_text_site(request, row->site);
        table_cell(table, format_count(row->amount.bytes).text);
        table_cell(table, format_count(row->amount.allocations).text);
        table_cell(table, key_cell(request->order, row).text);
        table_cell(table, out_text_percent(row->temporary, row->site->all.allocations).text);
        table_cell(table, row->site->cadence.words);
        table_cell(table, name);
        free(name);
    }
    table_print(table, &request->term);
}

void out_text_stack(const struct out_request *request, const struct model_stack *stack,
                    unsigned indent)
{
    size_t count;
    struct model_line *lines = model_lines(request->model, stack, &count);

    for (size_t i = 0; i < count; i++) {
        const struct model_line *line = &lines[i];
        char *name = model_line_text(line);
        char *place = line->file != NULL ? xasprintf(" at %s:%" PRIu32, line->file, line->line)
                      : line->function != NULL && line->module != NULL
                          ? xasprintf(" in %s", line->module->path)
                          : xstrdup("");
        char *safe = out_text_safe(&request->term, name);
        char *safe_place = out_text_safe(&request->term, place);
        fprintf(request->term.out, "%*s%s%s%s\n", (int)indent, "", safe, safe_place,
                line->inlined ? " (inlined)" : "");
        free(safe_place);
        free(safe);
        free(place);
        free(name);
    }
    free(lines);
    const char *end = NULL;
    if (stack->flags & DUMP_STACK_CALL_SITE)
        end = "... only the call site: the table of stacks was full";
    else if (stack->flags & DUMP_STACK_BROKEN)
        end = "... the unwinder could not go on: code without unwind tables?";
    else if (stack->flags & DUMP_STACK_DEEPER)
        end = "... more frames than were kept";
    else if (stack->flags & DUMP_STACK_EARLY)
        end = "... made before stacks could be walked";
    else if (stack->flags & DUMP_STACK_HANDLER)
        end = "... a signal handler's, while the recorder was at work";
    if (end != NULL)
        fprintf(request->term.out, "%*s%s\n", (int)indent, "", end);
}

static void print_site(const struct out_request *request, const struct model_row *row)
{
    const struct model *model = request->model;
    const struct model_site *site = row->site;
    const struct model_thread *thread =
        site->thread != MODEL_NONE ? &model->threads[site->thread] : NULL;
    const struct term *term = &request->term;
    char *name = out_text_safe(term, thread != NULL ? thread->name : "");

    fprintf(term->out, "\n%ssite %" PRIu32 ": %s bytes in %s allocation%s, %s, %s%s\n",
            term_on(term, TERM_BOLD), site->id, format_count(row->amount.bytes).text,
            format_count(row->amount.allocations).text, format_plural(row->amount.allocations),
            site->cadence.words, model_place_name(rows_place(model, site)),
            term_off(term, TERM_BOLD));
    fprintf(term->out, "    live %s in %s block%s (%s in the steady phase); temporary %s\n",
            format_bytes_real((double)row->live_bytes).text,
            format_signed(row->live_blocks).text + (row->live_blocks > 0), /* no plus sign here */
            row->live_blocks == 1 ? "" : "s", format_bytes_signed(row->growth_bytes).text,
            format_percent(row->temporary, site->all.allocations).text);
    fprintf(term->out, "    in %s poll%s, at most %s bytes in one; thread %s%s\n",
            format_count(row->polls).text, format_plural(row->polls),
            format_count(row->most_bytes).text, *name != '\0' ? name : "unknown",
            site->counters > 1 ? " and others" : "");
    out_text_stack(request, site->stack, 4);
    free(name);
}

void out_text_sites(const struct out_request *request)
{
    struct model_amount sum = {0};
    size_t count;
    struct model_row *rows = rows_select(request, &count, &sum);
    size_t shown = count < request->limit ? count : request->limit;

    if (count == 0) {
        out_text_say(&request->term, TERM_PLAIN, "no site matches");
        return;
    }
    print_head(request, shown, count, &sum);
    if (request->stacks) {
        for (size_t i = 0; i < shown; i++)
            print_site(request, &rows[i]);
    } else {
        fputc('\n', request->term.out);
        print_table(request, rows, shown);
    }
    free(rows);
}
