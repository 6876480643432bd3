/* SPDX-License-Identifier: MIT */
#include "cli/escape.h"
#include "cli/out_compare.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

/* Text that nobody vouches for, within a line or a cell. */
static void put_text(FILE *out, const char *text)
{
    char *safe = text_escape(text, strlen(text), true);
    char *escaped = escape_markdown(safe);

    fputs(escaped, out);
    free(escaped);
    free(safe);
}

static const char *word_of(enum compare_change change, bool counts)
{
    if (change == COMPARE_SAME)
        return "";
    if (change == COMPARE_UNTOLD)
        return "not judged";
    if (!counts)
        return "(does not count)";
    return change == COMPARE_WORSE || change == COMPARE_NEW ? "**worse**" : "better";
}

static void put_sites(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    FILE *out = request->term.out;
    size_t shown = 0;

    for (size_t i = 0; i < compare->site_count && shown < request->limit; i++) {
        const struct compare_site *site = &compare->sites[i];
        bool other = site->place == MODEL_OTHER && compare->phase == MODEL_STEADY;
        enum compare_kind kind = other ? COMPARE_BYTES_PER_SECOND : COMPARE_BYTES;
        if (!out_compare_is_listed(request, site))
            continue;
        if (shown++ == 0)
            fprintf(out, "\n| site | | bytes/%s before | after |\n|---|---|---:|---:|\n",
                    compare->phase == MODEL_STEADY ? compare->unit : "run");
        char *name = out_compare_name(site);
        *strchrnul(name, '\t') = '\0'; /* behind it stands the module */
        fputs("| ", out);
        put_text(out, name);
        fprintf(out, " | %s | %s%s | %s%s |\n", compare_change_name(site->change),
                out_compare_count(&site->bytes_before, kind).text, other ? " /s" : "",
                out_compare_count(&site->bytes_after, kind).text, other ? " /s" : "");
        free(name);
    }
}

void out_markdown_compare(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    FILE *out = request->term.out;

    fputs("### Allocations: ", out);
    if (compare->unknown != NULL) {
        fputs("nothing can be compared\n\n", out);
        put_text(out, compare->unknown);
        fputc('\n', out);
        return;
    }
    char *verdict = out_compare_verdict(compare);
    char *sites = out_compare_sites(compare);
    fprintf(out, "%s\n\n| | before | after | | |\n|---|---:|---:|---:|---|\n", verdict);
    for (size_t i = 0; i < compare->metric_count; i++) {
        const struct compare_metric *metric = &compare->metrics[i];
        fprintf(out, "| %s | %s | %s | %s | %s |\n", metric->name,
                out_compare_count(&metric->before, metric->kind).text,
                out_compare_count(&metric->after, metric->kind).text,
                out_compare_change(&metric->before, &metric->after).text,
                word_of(metric->change, metric->counts));
    }
    for (size_t i = 0; i < compare->time_count; i++) {
        const struct compare_time *time = &compare->times[i];
        fprintf(out, "| %s | %s | %s | %s%s %% | %s |\n", time->name,
                out_compare_median(time, &time->before).text,
                out_compare_median(time, &time->after).text, time->change > 0 ? "+" : "",
                format_real(time->change, 1).text, word_of(time->verdict, time->counts));
    }
    if (!compare->sampled) {
        fprintf(out, "\nSites of the %s phase: %s.\n", model_phase_name(compare->phase), sites);
        put_sites(request);
    }
    for (size_t i = 0; i < compare->note_count; i++) {
        fputs(i == 0 ? "\n- " : "- ", out);
        put_text(out, compare->notes[i]);
        fputc('\n', out);
    }
    free(sites);
    free(verdict);
}
