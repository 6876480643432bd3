/* SPDX-License-Identifier: MIT */
#include "cli/out_compare.h"

#include "cli/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many that count have this change. */
static size_t count_figures(const struct compare *compare, enum compare_change change)
{
    size_t count = 0;

    for (size_t i = 0; i < compare->metric_count; i++)
        count += compare->metrics[i].counts && compare->metrics[i].change == change;
    for (size_t i = 0; i < compare->time_count; i++)
        count += compare->times[i].counts && compare->times[i].verdict == change;
    return count;
}

static size_t count_sites(const struct compare *compare, enum compare_change change,
                          enum compare_change other)
{
    size_t count = 0;

    for (size_t i = 0; i < compare->site_count; i++)
        count += compare->sites[i].counts &&
                 (compare->sites[i].change == change || compare->sites[i].change == other);
    return count;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

char *out_compare_verdict(const struct compare *compare)
{
    if (!compare->worse && !compare->better)
        return xstrdup("the same");
    enum compare_change change = compare->worse ? COMPARE_WORSE : COMPARE_BETTER;
    size_t figures = count_figures(compare, change);
    size_t sites = count_sites(compare, change, compare->worse ? COMPARE_NEW : COMPARE_GONE);
    return xasprintf("%s: %zu figure%s, %zu site%s", compare_change_name(change), figures,
                     plural(figures), sites, plural(sites));
}

char *out_compare_sites(const struct compare *compare)
{
    return xasprintf("%zu new, %zu worse, %zu better, %zu gone, %zu the same",
                     compare->changes[COMPARE_NEW], compare->changes[COMPARE_WORSE],
                     compare->changes[COMPARE_BETTER], compare->changes[COMPARE_GONE],
                     compare->changes[COMPARE_SAME]);
}

struct shown out_compare_count(const struct compare_counts *counts, enum compare_kind kind)
{
    struct shown shown;
    struct ratio value = counts->median;

    if (kind == COMPARE_SHARE)
        value.part *= 100;
    if (kind == COMPARE_BYTES_PER_SECOND)
        value.part *= 1000000000;
    snprintf(shown.text, sizeof shown.text, "%.40s%s", ratio_text(value, 2).text,
             kind == COMPARE_SHARE ? " %" : "");
    /* What is not zero is not shown as such. */
    if (strcmp(shown.text, "0") == 0 && value.part != 0)
        snprintf(shown.text, sizeof shown.text, "<0.01");
    return shown;
}

struct shown out_compare_change(const struct compare_counts *before,
                                const struct compare_counts *after)
{
    struct shown shown = {""};
    double was = ratio_double(before->median), is = ratio_double(after->median);

    /* What rounds to nothing is nothing to look at. */
    if (fabs(is - was) < 0.0005 * fabs(was) || ratio_compare(before->median, after->median) == 0)
        return shown;
    if (was <= 0 || is <= 0)
        snprintf(shown.text, sizeof shown.text, "%s", is > was ? "more" : "less");
    else if (is / was >= 10)
        snprintf(shown.text, sizeof shown.text, "%.40sx", format_short(is / was).text);
    else
        snprintf(shown.text, sizeof shown.text, "%s%.40s %%", is > was ? "+" : "",
                 format_real(100 * (is - was) / was, 1).text);
    return shown;
}

static struct shown time_of(const struct compare_time *time, double value)
{
    return time->is_ns ? format_duration((uint64_t)(value + 0.5)) : format_real(value, 1);
}

struct shown out_compare_median(const struct compare_time *time,
                                const struct compare_times_side *side)
{
    return time_of(time, side->median);
}

struct shown out_compare_interval(const struct compare_time *time,
                                  const struct compare_times_side *side)
{
    struct shown shown = {""};

    if (side->count > 1)
        snprintf(shown.text, sizeof shown.text, "%.20s .. %.20s", time_of(time, side->low).text,
                 time_of(time, side->high).text);
    return shown;
}

char *out_compare_line(const struct baseline_line *line)
{
    const char *module = *line->module != '\0' ? line->module : "?";

    if (!baseline_has_name(line))
        return xasprintf("%s%s", module, line->function);
    return xasprintf("%s in %s", line->function, module);
}

/* The innermost line that has a name, from the one that names the site on; NULL: there is none. */
static const struct baseline_line *find_named(const struct compare_site *site)
{
    for (size_t i = site->shown->named; i < site->shown->line_count; i++)
        if (baseline_has_name(&site->shown->lines[i]))
            return &site->shown->lines[i];
    return NULL;
}

char *out_compare_name(const struct compare_site *site)
{
    const char *place = site->place == MODEL_IN_POLL ? "in poll: "
                        : site->place == MODEL_OTHER ? "other: "
                                                     : "";
    const struct baseline_line *line = site->name, *named = find_named(site);
    size_t stacks =
        site->stacks_after > site->stacks_before ? site->stacks_after : site->stacks_before;
    char *several = stacks > 1 ? xasprintf(" (%zu stacks)", stacks) : xstrdup("");
    char *name;

    if (line == NULL)
        name = xasprintf("%sunknown stack%s", place, several);
    else if (named == line)
        name = xasprintf("%s%s%s\t%s", place, line->function, several, line->module);
    else if (named != NULL)
        name = xasprintf("%s%s >%s\t%s%s", place, named->function, several, line->module,
                         line->function);
    else
        name = xasprintf("%s%s%s%s", place, line->module, line->function, several);
    free(several);
    return name;
}

bool out_compare_is_listed(const struct out_compare *request, const struct compare_site *site)
{
    return request->same || site->change != COMPARE_SAME;
}

bool out_compare_is_of_patch(const struct out_compare *request)
{
    return request->compare->runs_before == 1 && request->compare->runs_after == 1 &&
           patchfigures_differ(&request->before[0]->patch, &request->after[0]->patch);
}
