/* SPDX-License-Identifier: MIT */
#include "cli/compare_private.h"
#include "cli/errors.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SURE_POLLS 300u /* of what none of them does, up to 1 % may: stats_zero_bound */

struct compare_options compare_defaults(void)
{
    return (struct compare_options){.percent = {1, 1, false},
                                    .time_percent = {5, 1, false},
                                    .times = COMPARE_TIMES_WARN,
                                    .phase = MODEL_STEADY};
}

const char *compare_change_name(enum compare_change change)
{
    static const char *const names[COMPARE_CHANGES] = {"same", "better", "worse",
                                                       "new",  "gone",   "untold"};

    return names[change];
}

uint64_t compare_units(const struct compare *compare, const struct baseline_scope *scope)
{
    return *compare->unit == 'f'   ? scope->frames
           : *compare->unit == 'd' ? scope->drains
                                   : scope->polls;
}

static char *find_unknown(const struct baseline_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct baseline *run = runs->runs[i];
        const char *why = baseline_unknown(run);
        if (why != NULL)
            return xasprintf("'%s': %s", run->path, why);
    }
    return NULL;
}

static void choose_unit(struct compare_job *job)
{
    bool frames = true, drains = true;
    uint64_t least = UINT64_MAX, most = 0;

    for (size_t i = 0; i < job->all.count; i++) {
        const struct baseline_scope *steady = &job->all.runs[i]->scope[BUDGET_STEADY];
        frames = frames && steady->frames > 0;
        drains = drains && steady->drains > 0;
    }
    job->out->unit = frames ? "frame" : drains ? "drain" : "poll";
    for (size_t i = 0; i < job->all.count; i++) {
        uint64_t units = compare_units(job->out, &job->all.runs[i]->scope[BUDGET_STEADY]);
        least = units < least ? units : least;
        most = units > most ? units : most;
    }
    job->out->as_long = (unsigned __int128)most * 10 <= (unsigned __int128)least * 11;
}

static __attribute__((format(printf, 2, 3))) void note(struct compare *out, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = xstrdup("");
    va_end(arguments);
    for (size_t i = 0; i < out->note_count; i++)
        if (strcmp(out->notes[i], text) == 0) {
            free(text);
            return;
        }
    out->notes = xreallocarray(out->notes, out->note_count + 1, sizeof *out->notes);
    out->notes[out->note_count++] = text;
}

static void write_notes(struct compare_job *job)
{
    struct compare *out = job->out;
    bool stripped = false;

    for (size_t i = 1; i < job->all.count; i++) {
        char **lines;
        size_t count = baseline_differences(job->all.runs[i], job->all.runs[0], &lines);
        for (size_t k = 0; k < count; k++) {
            note(out, "%s", lines[k]);
            free(lines[k]);
        }
        free(lines);
    }
    for (size_t i = 0; i < job->all.count; i++) {
        const struct baseline *run = job->all.runs[i];
        if (run->scope[BUDGET_STEADY].polls < SURE_POLLS)
            note(out, "'%s': only %llu steady polls: what allocates seldom may be missing",
                 run->path, (unsigned long long)run->scope[BUDGET_STEADY].polls);
        if (run->lost > 0)
            note(out, "'%s': %llu allocations or polls were lost or booked elsewhere", run->path,
                 (unsigned long long)run->lost);
        if (run->sample > 1)
            note(out, "'%s': one stack of %u was taken, so its sites are not all known", run->path,
                 run->sample);
        stripped = stripped || run->module_count > 0;
    }
    if (!out->as_long)
        note(out, "the runs are not equally long: what grows with a run's length is not judged");
    if (stripped)
        note(out, "functions without names are told apart only where a module is the same build");
}

static bool is_sampled(const struct baseline_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->runs[i]->sample > 1)
            return true;
    return false;
}

struct compare *compare_runs(struct baseline *const *before, size_t before_count,
                             struct baseline *const *after, size_t after_count,
                             const struct compare_options *options)
{
    struct baseline *all[2 * COMPARE_RUNS_MOST];
    struct compare *out = xcalloc(1, sizeof *out);
    struct compare_job job = {.out = out,
                              .side = {{before, before_count}, {after, after_count}},
                              .all = {all, before_count + after_count},
                              .options = options};

    assert(before_count > 0 && before_count <= COMPARE_RUNS_MOST && after_count > 0 &&
           after_count <= COMPARE_RUNS_MOST);
    memcpy(all, before, before_count * sizeof *all);
    memcpy(all + before_count, after, after_count * sizeof *all);
    out->unit = "poll";
    out->phase = options->phase;
    out->runs_before = before_count;
    out->runs_after = after_count;
    out->unknown = find_unknown(&job.all);
    if (out->unknown != NULL)
        return out;
    choose_unit(&job);
    write_notes(&job);
    compare_metrics(&job);
    out->sampled = is_sampled(&job.all);
    if (!out->sampled)
        compare_sites(&job);
    compare_times(&job);
    return out;
}

void compare_free(struct compare *compare)
{
    if (compare == NULL)
        return;
    for (size_t i = 0; i < compare->metric_count; i++) {
        compare_free_counts(&compare->metrics[i].before);
        compare_free_counts(&compare->metrics[i].after);
        free(compare->metrics[i].name);
    }
    for (size_t i = 0; i < compare->site_count; i++) {
        compare_free_counts(&compare->sites[i].bytes_before);
        compare_free_counts(&compare->sites[i].bytes_after);
        compare_free_counts(&compare->sites[i].allocations_before);
        compare_free_counts(&compare->sites[i].allocations_after);
    }
    for (size_t i = 0; i < compare->time_count; i++) {
        free(compare->times[i].before.values);
        free(compare->times[i].after.values);
    }
    for (size_t i = 0; i < compare->note_count; i++)
        free(compare->notes[i]);
    free(compare->unknown);
    free(compare->metrics);
    free(compare->sites);
    free(compare->times);
    free(compare->notes);
    free(compare);
}

int compare_status(const struct compare *compare)
{
    if (compare->unknown != NULL)
        return EXIT_INCONCLUSIVE;
    return compare->worse ? EXIT_EXCEEDED : EXIT_FINE;
}
