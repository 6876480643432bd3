/* SPDX-License-Identifier: MIT */
/* Times: the run is the unit. */
#include "cli/compare_private.h"
#include "cli/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TESTED_RUNS 4    /* on each side: fewer can never show a difference at 5 % */
#define LEVEL       0.05 /* of the test */

static double polls_per_second(const struct baseline_scope *steady)
{
    return steady->ns > 0 ? (double)steady->polls * 1e9 / (double)steady->ns : 0;
}

static double middle(struct stats_range range)
{
    return (double)stats_middle(range);
}

static double poll_p50(const struct baseline_scope *steady)
{
    return middle(steady->series[DUMP_SERIES_POLL_NS].p50);
}

static double poll_p90(const struct baseline_scope *steady)
{
    return middle(steady->series[DUMP_SERIES_POLL_NS].p90);
}

static double poll_p99(const struct baseline_scope *steady)
{
    return middle(steady->series[DUMP_SERIES_POLL_NS].p99);
}

static double frame_p50(const struct baseline_scope *steady)
{
    return middle(steady->series[DUMP_SERIES_FRAME_NS].p50);
}

static double frame_p99(const struct baseline_scope *steady)
{
    return middle(steady->series[DUMP_SERIES_FRAME_NS].p99);
}

static const struct definition {
    const char *key, *name;
    bool more_is_better, is_ns, of_frames;
    double (*value)(const struct baseline_scope *steady);
} definitions[] = {
    {"polls_per_second", "polls per second", true, false, false, polls_per_second},
    {"poll_ns_p50", "poll time p50", false, true, false, poll_p50},
    {"poll_ns_p90", "poll time p90", false, true, false, poll_p90},
    {"poll_ns_p99", "poll time p99", false, true, false, poll_p99},
    {"frame_ns_p50", "frame time p50", false, true, true, frame_p50},
    {"frame_ns_p99", "frame time p99", false, true, true, frame_p99},
};
#define DEFINITIONS (sizeof definitions / sizeof definitions[0])

static struct compare_times_side side_of(const struct definition *definition,
                                         const struct baseline_runs *runs)
{
    struct compare_times_side side = {
        xcalloc(runs->count, sizeof *side.values), runs->count, 0, 0, 0, 0};

    for (size_t i = 0; i < runs->count; i++)
        side.values[i] = definition->value(&runs->runs[i]->scope[BUDGET_STEADY]);
    struct stats_summary summary = stats_summarise(side.values, side.count);
    side.median = summary.median;
    side.low = summary.median_low;
    side.high = summary.median_high;
    side.coverage = summary.median_coverage;
    return side;
}

static void judge(const struct compare_options *options, struct compare_time *time)
{
    size_t before = time->before.count, after = time->after.count;

    time->change = time->before.median > 0
                       ? 100 * (time->after.median - time->before.median) / time->before.median
                       : 0;
    time->tested = before >= TESTED_RUNS && after >= TESTED_RUNS;
    time->verdict = COMPARE_UNTOLD;
    if (!time->tested)
        return;
    time->p = stats_mann_whitney(time->before.values, before, time->after.values, after);
    time->verdict = COMPARE_SAME;
    if (time->p < LEVEL && fabs(time->change) > ratio_double(options->time_percent))
        time->verdict = (time->change > 0) == time->more_is_better ? COMPARE_BETTER : COMPARE_WORSE;
}

void compare_times(struct compare_job *job)
{
    struct compare *out = job->out;

    if (job->options->times == COMPARE_TIMES_OFF)
        return;
    out->times = xcalloc(DEFINITIONS, sizeof *out->times);
    for (size_t i = 0; i < DEFINITIONS; i++) {
        const struct definition *definition = &definitions[i];
        if (definition->of_frames && strcmp(out->unit, "frame") != 0)
            continue;
        struct compare_time *time = &out->times[out->time_count++];
        time->key = definition->key;
        time->name = definition->name;
        time->more_is_better = definition->more_is_better;
        time->is_ns = definition->is_ns;
        time->before = side_of(definition, &job->side[COMPARE_BEFORE]);
        time->after = side_of(definition, &job->side[COMPARE_AFTER]);
        judge(job->options, time);
        time->counts = job->options->times == COMPARE_TIMES_FAIL;
        out->worse |= time->counts && time->verdict == COMPARE_WORSE;
        out->better |= time->counts && time->verdict == COMPARE_BETTER;
    }
}
