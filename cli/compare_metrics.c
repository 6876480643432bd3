/* SPDX-License-Identifier: MIT */
/* The summary's counts. */
#include "cli/compare_private.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Of a thread that polls, in the steady phase. */
static struct model_amount loop_amount(const struct baseline *run)
{
    struct model_amount amount = run->scope[BUDGET_STEADY].place[MODEL_IN_POLL];

    model_amount_add(&amount, &run->scope[BUDGET_STEADY].place[MODEL_BETWEEN]);
    return amount;
}

/* What the run's last window or frame may add. */
static uint64_t largest_bytes(const struct baseline *run)
{
    const struct baseline_series *series = run->scope[BUDGET_STEADY].series;

    return greater(series[DUMP_SERIES_WINDOW_BYTES].most, series[DUMP_SERIES_FRAME_BYTES].most);
}

static struct compare_figure bytes(const struct compare *compare, const struct baseline *run)
{
    return compare_figure(loop_amount(run).bytes, largest_bytes(run),
                          compare_units(compare, &run->scope[BUDGET_STEADY]));
}

static struct compare_figure allocations(const struct compare *compare, const struct baseline *run)
{
    const struct baseline_series *series = run->scope[BUDGET_STEADY].series;

    return compare_figure(loop_amount(run).allocations,
                          greater(series[DUMP_SERIES_WINDOW_ALLOCATIONS].most,
                                  series[DUMP_SERIES_FRAME_ALLOCATIONS].most),
                          compare_units(compare, &run->scope[BUDGET_STEADY]));
}

static struct compare_figure allocating(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return compare_figure(run->scope[BUDGET_STEADY].allocating_polls, 1,
                          run->scope[BUDGET_STEADY].polls);
}

static struct compare_figure of_range(struct stats_range range)
{
    return (struct compare_figure){ratio_of(range.least, 1), ratio_of(range.least, 1),
                                   ratio_of(range.most, 1)};
}

static struct compare_figure p50(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return of_range(run->scope[BUDGET_STEADY].series[DUMP_SERIES_WINDOW_BYTES].p50);
}

static struct compare_figure p99(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return of_range(run->scope[BUDGET_STEADY].series[DUMP_SERIES_WINDOW_BYTES].p99);
}

static struct compare_figure largest(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return compare_figure(run->scope[BUDGET_STEADY].series[DUMP_SERIES_WINDOW_BYTES].most, 0, 1);
}

static struct compare_figure growth(const struct compare *compare, const struct baseline *run)
{
    const struct model_amount *all = &run->scope[BUDGET_STEADY].all;
    uint64_t units = compare_units(compare, &run->scope[BUDGET_STEADY]), one = largest_bytes(run);

    if (all->bytes >= all->freed_bytes)
        return compare_figure(all->bytes - all->freed_bytes, one, units);
    struct ratio below = {all->freed_bytes - all->bytes, units, true};
    return (struct compare_figure){below, below, below};
}

static struct compare_figure startup(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return compare_figure(run->scope[BUDGET_STARTUP].all.bytes, 0, 1);
}

static struct compare_figure peak(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return compare_figure(run->peak_live, 0, 1);
}

static struct compare_figure leaked(const struct compare *compare, const struct baseline *run)
{
    (void)compare;
    return compare_figure(run->leaked, 0, 1);
}

static struct compare_figure sites(const struct compare *compare, const struct baseline *run)
{
    uint64_t count = 0;

    (void)compare;
    for (size_t i = 0; i < run->site_count; i++)
        count +=
            run->sites[i].place != MODEL_OTHER && run->sites[i].phase[MODEL_STEADY].allocations > 0;
    return compare_figure(count, 0, 1);
}

static struct compare_figure others(const struct compare *compare, const struct baseline *run)
{
    const struct baseline_scope *steady = &run->scope[BUDGET_STEADY];

    (void)compare;
    return compare_figure(steady->place[MODEL_OTHER].bytes, 0, steady->ns > 0 ? steady->ns : 1);
}

static const struct definition {
    const char *key, *name; /* a name that ends with a space: the unit stands behind it */
    enum compare_kind kind;
    bool counts;
    bool of_length; /* is more in a longer run: judged only if the runs are as long */
    struct compare_figure (*figure)(const struct compare *compare, const struct baseline *run);
} definitions[] = {
    {"bytes_per_unit", "bytes per ", COMPARE_BYTES, true, false, bytes},
    {"allocations_per_unit", "allocations per ", COMPARE_COUNT, true, false, allocations},
    {"allocating_polls", "polls that allocate", COMPARE_SHARE, true, false, allocating},
    {"poll_bytes_p50", "bytes of a poll, p50", COMPARE_BYTES, true, false, p50},
    {"poll_bytes_p99", "bytes of a poll, p99", COMPARE_BYTES, true, false, p99},
    {"poll_bytes_most", "bytes of the largest poll", COMPARE_BYTES, true, true, largest},
    {"live_growth_per_unit", "live growth per ", COMPARE_BYTES, true, false, growth},
    {"other_bytes_per_second", "other threads' bytes/s", COMPARE_BYTES_PER_SECOND, false, false,
     others},
    {"sites", "sites of the loop", COMPARE_COUNT, false, true, sites},
    {"startup_bytes", "startup bytes", COMPARE_BYTES, true, false, startup},
    {"peak_live_bytes", "peak live bytes", COMPARE_BYTES, true, true, peak},
    {"leaked_bytes", "bytes in use at the end", COMPARE_BYTES, true, true, leaked},
};
#define DEFINITIONS (sizeof definitions / sizeof definitions[0])

/* Only what a program that ended by itself had in use then is known to be leaked. */
static bool is_known(const struct compare_job *job, const struct definition *definition)
{
    for (size_t i = 0; definition->figure == leaked && i < job->all.count; i++)
        if (!job->all.runs[i]->ended)
            return false;
    return true;
}

static void take(struct compare_job *job, const struct definition *definition)
{
    struct compare *out = job->out;
    struct compare_metric *metric = &out->metrics[out->metric_count++];
    struct compare_figure figures[2 * COMPARE_RUNS_MOST];
    size_t before = job->side[COMPARE_BEFORE].count, after = job->side[COMPARE_AFTER].count;
    bool of_unit = definition->name[strlen(definition->name) - 1] == ' ';
    struct ratio percent = job->options->percent, slack = {0, 1, false};

    for (size_t i = 0; i < job->all.count; i++)
        figures[i] = definition->figure(out, job->all.runs[i]);
    /* A count in a time is as inexact as the time. */
    if (definition->kind == COMPARE_BYTES_PER_SECOND &&
        ratio_compare(percent, job->options->time_percent) < 0)
        percent = job->options->time_percent;
    if (definition->kind == COMPARE_BYTES)
        slack = ratio_of(job->options->bytes, 1);
    /* Of the polls, not of those that allocate: where few do, a few more are many per cent. */
    if (definition->kind == COMPARE_SHARE) {
        slack = (struct ratio){percent.part, percent.whole * 100, false};
        percent.part = 0;
    }
    metric->key = definition->key;
    metric->name = xasprintf("%s%s", definition->name, of_unit ? out->unit : "");
    metric->kind = definition->kind;
    metric->counts = definition->counts;
    metric->before = compare_counts(figures, before);
    metric->after = compare_counts(figures + before, after);
    metric->change = definition->of_length && !out->as_long
                         ? COMPARE_UNTOLD
                         : compare_judge(figures, before, figures + before, after, percent, slack);
    out->worse |= metric->counts && metric->change == COMPARE_WORSE;
    out->better |= metric->counts && metric->change == COMPARE_BETTER;
}

void compare_metrics(struct compare_job *job)
{
    job->out->metrics = xcalloc(DEFINITIONS, sizeof *job->out->metrics);
    for (size_t i = 0; i < DEFINITIONS; i++)
        if (is_known(job, &definitions[i]))
            take(job, &definitions[i]);
}
