/* SPDX-License-Identifier: MIT */
/* The verdict as Markdown: for step summaries and comments on merge requests. */
#include "cli/errors.h"
#include "cli/escape.h"
#include "cli/out_verdict.h"

#include <stdlib.h>

static void put(FILE *out, const char *before, const char *text, const char *behind)
{
    char *escaped = escape_markdown(text);

    fprintf(out, "%s%s%s", before, escaped, behind);
    free(escaped);
}

static void print_row(FILE *out, const struct verdict_item *item)
{
    const char *bold = item->code != EXIT_FINE ? "**" : "";

    fprintf(out, "| %s%s%s |", bold, out_verdict_word(item), bold);
    put(out, " ", item->name, " |");
    put(out, " ", item->actual_text, " |");
    put(out, " ", item->bound_text, " |");
    put(out, " ", item->has_bound && item->has_actual ? item->over_text : item->text, " |\n");
}

static void print_item(const struct out_verdict_request *request, const struct verdict_item *item)
{
    FILE *out = request->base.term.out;
    size_t shown = out_verdict_shown(item);

    fputc('\n', out);
    put(out, "**", item->name, "**: ");
    put(out, "", item->text, "\n");
    if (shown > 0)
        fputc('\n', out);
    for (size_t i = 0; i < shown; i++) {
        char *site = out_verdict_site(request, &item->parts[i]);

        put(out, "- ", site, "\n");
        free(site);
    }
}

/* A command, to be copied: in an indented block nothing has a meaning. */
static void print_command(FILE *out, const char *label, const char *command)
{
    fprintf(out, "\n%s:\n\n    ", label);
    for (; *command != '\0'; command++)
        fputc((unsigned char)*command < ' ' ? ' ' : *command, out);
    fputc('\n', out);
}

void out_verdict_markdown(const struct out_verdict_request *request)
{
    const struct verdict *verdict = request->verdict;
    FILE *out = request->base.term.out;
    char *look = out_verdict_look(request);
    char *accept = out_verdict_accept(request);

    put(out, "### allocreport: ", verdict->model->program_name, " ");
    put(out, "", verdict->headline, "\n\n");
    fputs("| | check | actual | limit | |\n|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < verdict->item_count; i++)
        print_row(out, &verdict->items[i]);
    for (size_t i = 0; i < verdict->item_count; i++)
        if (verdict->items[i].code != EXIT_FINE || verdict->items[i].status == VERDICT_WARN)
            print_item(request, &verdict->items[i]);
    print_command(out, "Look further", look);
    if (accept != NULL)
        print_command(out, "Accept", accept);
    free(accept);
    free(look);
}
