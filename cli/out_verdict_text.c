/* SPDX-License-Identifier: MIT */
/* The verdict for people. */
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/out_verdict.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdlib.h>

#define STACKS 3 /* sites of an item that are shown with their stacks */

static enum term_style style_of(const struct verdict_item *item)
{
    if (item->code != EXIT_FINE)
        return TERM_BAD;
    return item->status == VERDICT_WARN ? TERM_BOLD : TERM_PLAIN;
}

/* Whether the table's line does not say it all. */
static bool needs_words(const struct verdict_item *item)
{
    return item->status == VERDICT_WARN || item->status == VERDICT_BETTER ||
           item->code != EXIT_FINE;
}

static void print_table(const struct out_verdict_request *request)
{
    static const struct table_column columns[] = {
        {"", TABLE_LEFT},
        {"check", TABLE_NAME},
        {"actual", TABLE_RIGHT},
        {"limit", TABLE_LEFT},
    };
    const struct verdict *verdict = request->verdict;
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0], 0);

    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];
        char *name = out_text_safe(&request->base.term, item->name);

        table_cell(table, out_verdict_word(item));
        table_cell(table, name);
        table_cell(table, item->actual_text);
        table_cell(table, item->bound_text);
        free(name);
    }
    table_print(table, &request->base.term);
}

static void print_site(const struct out_verdict_request *request, const struct verdict_part *part,
                       bool stack)
{
    const struct term *term = &request->base.term;
    char *text = out_verdict_site(request, part);
    char *safe = out_text_safe(term, text);

    fprintf(term->out, "      %s\n", safe);
    if (stack)
        out_text_stack(&request->base, part->site->stack, 10);
    free(safe);
    free(text);
}

static void print_item(const struct out_verdict_request *request, const struct verdict_item *item)
{
    const struct term *term = &request->base.term;
    char *name = out_text_safe(term, item->name);
    char *text = out_text_safe(term, item->text);
    char *mark = out_verdict_mark(request, item);
    char *safe_mark = out_text_safe(term, mark);
    size_t shown = out_verdict_shown(item);
    size_t others = 0;

    fputc('\n', term->out);
    out_text_say(term, style_of(item), "%s %s%s%s", out_verdict_word(item), name,
                 *mark != '\0' ? " at " : "", safe_mark);
    fprintf(term->out, "      %s\n", text);
    for (size_t i = 0; i < shown; i++)
        print_site(request, &item->parts[i], item->code != EXIT_FINE && i < STACKS);
    /* The first few make up what is too much; but what was added may be any of them. */
    if (shown > 0 && shown < item->part_count && shown < OUT_VERDICT_SITES)
        fputs("      also counted (compare with an earlier dump tells what is new):\n", term->out);
    for (size_t i = shown; shown > 0 && i < item->part_count && i < OUT_VERDICT_SITES;
         i++, others++)
        print_site(request, &item->parts[i], false);
    if (shown > 0 && shown + others < item->part_count)
        fprintf(term->out, "      and %zu more sites\n", item->part_count - shown - others);
    free(safe_mark);
    free(mark);
    free(text);
    free(name);
}

void out_verdict_text(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;
    const struct term *term = &request->base.term;
    char *headline = out_text_safe(term, verdict->headline);
    char *program = out_text_safe(term, verdict->model->program_name);
    char *look = out_verdict_look(request);
    char *accept = out_verdict_accept(request);

    out_text_say(term, verdict->code == EXIT_FINE ? TERM_GOOD : TERM_BAD, "%s: %s",
                 *program != '\0' ? program : "(unknown program)", headline);
    fputc('\n', term->out);
    print_table(request);
    for (size_t i = 0; i < verdict->item_count; i++)
        if (needs_words(&verdict->items[i]))
            print_item(request, &verdict->items[i]);
    fputc('\n', term->out);
    char *safe_look = out_text_safe(term, look);
    fprintf(term->out, "%-*s%s\n", OUT_TEXT_LABEL, "look", safe_look);
    if (accept != NULL) {
        char *safe_accept = out_text_safe(term, accept);
        fprintf(term->out, "%-*s%s\n", OUT_TEXT_LABEL, "accept", safe_accept);
        free(safe_accept);
    }
    free(safe_look);
    free(accept);
    free(look);
    free(program);
    free(headline);
}
