/* SPDX-License-Identifier: MIT */
/* Two sides on one screen: the verdict, the figures, the sites that changed, the times. */
#include "cli/errors.h"
#include "cli/out_compare.h"
#include "cli/out_text.h"
#include "cli/table.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

static void print_side(const struct term *term, const char *label, struct baseline *const *runs,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct baseline *run = runs[i];
        char *path = out_text_safe(term, run->path);
        char *program = out_text_safe(term, run->environment.program);
        out_text_line(term, i == 0 ? label : "", "%s: %s, %s steady polls, %s steady frames", path,
                      program, format_count(run->scope[BUDGET_STEADY].polls).text,
                      format_count(run->scope[BUDGET_STEADY].frames).text);
        free(program);
        free(path);
    }
}

/* What does not count stands in brackets. */
static char *change_word(enum compare_change change, bool counts)
{
    if (change == COMPARE_UNTOLD)
        return xstrdup("not judged");
    return xasprintf(counts || change == COMPARE_SAME ? "%s" : "(%s)",
                     change == COMPARE_SAME ? "" : compare_change_name(change));
}

static void print_metrics(const struct out_compare *request)
{
    static const struct table_column columns[] = {
        {"", TABLE_LEFT},  {"before", TABLE_RIGHT}, {"after", TABLE_RIGHT},
        {"", TABLE_RIGHT}, {"", TABLE_LEFT},
    };
    const struct compare *compare = request->compare;
    struct table *table = table_new(columns, 5, 0);

    for (size_t i = 0; i < compare->metric_count; i++) {
        const struct compare_metric *metric = &compare->metrics[i];
        char *word = change_word(metric->change, metric->counts);
        table_cell(table, metric->name);
        table_cell(table, out_compare_count(&metric->before, metric->kind).text);
        table_cell(table, out_compare_count(&metric->after, metric->kind).text);
        table_cell(table, out_compare_change(&metric->before, &metric->after).text);
        table_cell(table, word);
        free(word);
    }
    table_print(table, &request->term);
}

static void print_stack(const struct out_compare *request, const struct compare_site *site)
{
    const struct term *term = &request->term;
    char *name = out_compare_name(site);

    *strchrnul(name, '\t') = '\0'; /* behind it stands the module */
    char *safe = out_text_safe(term, name);
    fprintf(term->out, "\n%s%s: %s%s\n", term_on(term, TERM_BOLD),
            compare_change_name(site->change), safe, term_off(term, TERM_BOLD));
    for (size_t i = 0; i < site->shown->line_count; i++) {
        char *line = out_compare_line(&site->shown->lines[i]);
        char *safe_line = out_text_safe(term, line);
        fprintf(term->out, "    %s\n", safe_line);
        free(safe_line);
        free(line);
    }
    free(safe);
    free(name);
}

/* A name may hold a tab of its own: only the one that out_compare_name puts is a separator. */
static void name_cell(struct table *table, const struct term *term, const struct compare_site *site)
{
    char *name = out_compare_name(site);
    char *tab = strrchr(name, '\t');
    char *module = tab != NULL ? out_text_safe(term, tab + 1) : NULL;

    if (tab != NULL)
        *tab = '\0';
    char *safe = out_text_safe(term, name);
    char *cell = module != NULL ? xasprintf("%s\t%s", safe, module) : xstrdup(safe);
    table_cell(table, cell);
    free(cell);
    free(safe);
    free(module);
    free(name);
}

static void print_table(const struct out_compare *request, size_t most)
{
    const struct compare *compare = request->compare;
    char *head =
        compare->phase == MODEL_STEADY ? xasprintf("B/%s", compare->unit) : xstrdup("bytes");
    const struct table_column columns[] = {
        {"", TABLE_LEFT},        {head, TABLE_RIGHT},    {"after", TABLE_RIGHT}, {"", TABLE_RIGHT},
        {"allocs", TABLE_RIGHT}, {"after", TABLE_RIGHT}, {"site", TABLE_NAME},
    };
    struct table *table = table_new(columns, 7, 0);

    for (size_t i = 0; i < most; i++) {
        const struct compare_site *site = &compare->sites[i];
        bool other = site->place == MODEL_OTHER && compare->phase == MODEL_STEADY;
        char *word =
            site->change == COMPARE_SAME
                ? xstrdup("same")
                : change_word(site->change, site->counts || compare->phase != MODEL_STEADY);
        enum compare_kind kind = other ? COMPARE_BYTES_PER_SECOND : COMPARE_BYTES;
        enum compare_kind allocations = other ? COMPARE_BYTES_PER_SECOND : COMPARE_COUNT;
        table_cell(table, word);
        table_cell(table, out_compare_count(&site->bytes_before, kind).text);
        table_cell(table, out_compare_count(&site->bytes_after, kind).text);
        table_cell(table, other ? "/s" : "");
        table_cell(table, out_compare_count(&site->allocations_before, allocations).text);
        table_cell(table, out_compare_count(&site->allocations_after, allocations).text);
        name_cell(table, &request->term, site);
        free(word);
    }
    table_print(table, &request->term);
    free(head);
}

static void print_sites(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    char *text = out_compare_sites(compare);
    size_t listed = 0;

    out_text_say(&request->term, TERM_BOLD, "sites of the %s phase: %s",
                 model_phase_name(compare->phase), text);
    free(text);
    while (listed < compare->site_count && out_compare_is_listed(request, &compare->sites[listed]))
        listed++;
    size_t shown = listed < request->limit ? listed : request->limit;
    if (shown > 0)
        print_table(request, shown);
    if (shown < listed)
        out_text_say(&request->term, TERM_PLAIN, "%s more (--limit N)",
                     format_count(listed - shown).text);
    for (size_t i = 0; request->stacks && i < shown; i++)
        print_stack(request, &compare->sites[i]);
}

static void print_times(const struct out_compare *request)
{
    static const struct table_column columns[] = {
        {"", TABLE_LEFT},       {"before", TABLE_RIGHT},   {"interval", TABLE_RIGHT},
        {"after", TABLE_RIGHT}, {"interval", TABLE_RIGHT}, {"", TABLE_RIGHT},
        {"p", TABLE_RIGHT},     {"", TABLE_LEFT},
    };
    const struct compare *compare = request->compare;
    struct table *table = table_new(columns, 8, 0);
    bool tested = false;

    for (size_t i = 0; i < compare->time_count; i++) {
        const struct compare_time *time = &compare->times[i];
        char *change =
            xasprintf("%s%s %%", time->change > 0 ? "+" : "", format_real(time->change, 1).text);
        char *word = time->tested ? change_word(time->verdict, time->counts) : xstrdup("");
        tested = tested || time->tested;
        table_cell(table, time->name);
        table_cell(table, out_compare_median(time, &time->before).text);
        table_cell(table, out_compare_interval(time, &time->before).text);
        table_cell(table, out_compare_median(time, &time->after).text);
        table_cell(table, out_compare_interval(time, &time->after).text);
        table_cell(table, change);
        table_cell(table, time->tested ? format_real(time->p, 3).text : "");
        table_cell(table, word);
        free(word);
        free(change);
    }
    table_print(table, &request->term);
    if (!tested)
        out_text_say(&request->term, TERM_PLAIN,
                     "times are judged from four runs a side: A1 A2 A3 A4 vs B1 B2 B3 B4");
}

/* What to type next: the stacks of the first site that is worse. */
static void print_next(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    const struct baseline *after = request->after[0];
    const struct compare_site *first = compare->site_count > 0 ? &compare->sites[0] : NULL;

    if (!compare->worse)
        return;
    if (compare->runs_before == 1 && compare->runs_after == 1)
        out_text_say(&request->term, TERM_PLAIN,
                     "where runs differ by themselves, compare several: A1 A2 A3 vs B1 B2 B3");
    if (first == NULL || !first->counts || !after->of_dump || first->name == NULL ||
        !baseline_has_name(first->name) ||
        (first->change != COMPARE_NEW && first->change != COMPARE_WORSE))
        return;
    char *path = text_shell(after->path), *name = text_shell(first->name->function);
    char *command = xasprintf("allocreport sites --phase %s --stacks %s %s",
                              model_phase_name(compare->phase), path, name);
    char *safe = out_text_safe(&request->term, command);
    fprintf(request->term.out, "%-*s%s\n", OUT_TEXT_LABEL, "next", safe);
    free(safe);
    free(command);
    free(name);
    free(path);
}

void out_text_compare(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    const struct term *term = &request->term;

    print_side(term, "before", request->before, compare->runs_before);
    print_side(term, "after", request->after, compare->runs_after);
    for (size_t i = 0; i < compare->note_count; i++) {
        char *safe = out_text_safe(term, compare->notes[i]);
        out_text_line(term, i == 0 ? "note" : "", "%s", safe);
        free(safe);
    }
    fputc('\n', term->out);
    if (compare->unknown != NULL) {
        char *safe = out_text_safe(term, compare->unknown);
        out_text_say(term, TERM_BAD, "nothing can be compared: %s", safe);
        free(safe);
        return;
    }
    char *verdict = out_compare_verdict(compare);
    out_text_say(term, compare->worse ? TERM_BAD : TERM_GOOD, "%s", verdict);
    free(verdict);
    fputc('\n', term->out);
    print_metrics(request);
    fputc('\n', term->out);
    if (out_compare_is_of_patch(request)) {
        out_text_patches(&(struct out_patches){.before = &request->before[0]->patch,
                                               .after = &request->after[0]->patch,
                                               .term = *term});
        fputc('\n', term->out);
    }
    if (!compare->sampled)
        print_sites(request);
    if (compare->time_count > 0) {
        fputc('\n', term->out);
        print_times(request);
    }
    print_next(request);
}
