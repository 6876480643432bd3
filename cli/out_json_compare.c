/* SPDX-License-Identifier: MIT */
/* A comparison as JSON. The names are documented in allocreport-compare(1). */
#include "cli/out_compare.h"
#include "cli/out_json.h"

#include <stdlib.h>

static json_t *ratio_of_json(struct ratio value)
{
    json_t *object = json_object();

    if (value.negative)
        out_json_set(object, "negative", json_true());
    out_json_set_number(object, "part", (uint64_t)value.part);
    out_json_set_number(object, "whole", (uint64_t)value.whole);
    out_json_set(object, "value", json_real(ratio_double(value)));
    return object;
}

static json_t *counts_of(const struct compare_counts *counts)
{
    json_t *object = json_object();
    json_t *runs = json_array();

    for (size_t i = 0; i < counts->count; i++)
        json_array_append_new(runs, ratio_of_json(counts->runs[i]));
    out_json_set(object, "median", ratio_of_json(counts->median));
    out_json_set(object, "runs", runs);
    return object;
}

static json_t *metric_of(const struct compare_metric *metric)
{
    static const char *const units[] = {[COMPARE_COUNT] = "count",
                                        [COMPARE_BYTES] = "bytes",
                                        [COMPARE_SHARE] = "share",
                                        [COMPARE_BYTES_PER_SECOND] = "bytes_per_ns"};
    json_t *object = json_object();

    out_json_set(object, "key", json_string(metric->key));
    out_json_set(object, "name", json_string(metric->name));
    out_json_set(object, "unit", json_string(units[metric->kind]));
    out_json_set(object, "change", json_string(compare_change_name(metric->change)));
    out_json_set(object, "counts", json_boolean(metric->counts));
    out_json_set(object, "before", counts_of(&metric->before));
    out_json_set(object, "after", counts_of(&metric->after));
    return object;
}

static json_t *line_of(const struct baseline_line *line)
{
    json_t *object = json_object();

    out_json_set(object, "module", out_json_text(line->module));
    out_json_set(object, "function", out_json_text(line->function));
    return object;
}

static json_t *site_of(const struct compare_site *site)
{
    json_t *object = json_object();
    json_t *stack = json_array();

    for (size_t i = 0; i < site->shown->line_count; i++)
        json_array_append_new(stack, line_of(&site->shown->lines[i]));
    out_json_set(object, "change", json_string(compare_change_name(site->change)));
    out_json_set(object, "counts", json_boolean(site->counts));
    out_json_set(object, "place", json_string(model_place_name(site->place)));
    out_json_set(object, "module", out_json_text(site->name != NULL ? site->name->module : NULL));
    out_json_set(object, "function",
                 out_json_text(site->name != NULL ? site->name->function : NULL));
    out_json_set(object, "cadence", json_string(cadence_name(site->shown->cadence)));
    out_json_set_number(object, "stacks_before", site->stacks_before);
    out_json_set_number(object, "stacks_after", site->stacks_after);
    out_json_set_number(object, "runs_before", site->runs_before);
    out_json_set_number(object, "runs_after", site->runs_after);
    out_json_set(object, "bytes_before", counts_of(&site->bytes_before));
    out_json_set(object, "bytes_after", counts_of(&site->bytes_after));
    out_json_set(object, "allocations_before", counts_of(&site->allocations_before));
    out_json_set(object, "allocations_after", counts_of(&site->allocations_after));
    out_json_set(object, "stack", stack);
    return object;
}

static json_t *side_of(const struct compare_times_side *side)
{
    json_t *object = json_object();
    json_t *runs = json_array();

    for (size_t i = 0; i < side->count; i++)
        json_array_append_new(runs, json_real(side->values[i]));
    out_json_set(object, "median", json_real(side->median));
    out_json_set(object, "low", json_real(side->low));
    out_json_set(object, "high", json_real(side->high));
    out_json_set(object, "coverage", json_real(side->coverage));
    out_json_set(object, "runs", runs);
    return object;
}

static json_t *time_of(const struct compare_time *time)
{
    json_t *object = json_object();

    out_json_set(object, "key", json_string(time->key));
    out_json_set(object, "name", json_string(time->name));
    out_json_set(object, "change", json_string(compare_change_name(time->verdict)));
    out_json_set(object, "counts", json_boolean(time->counts));
    out_json_set(object, "percent", json_real(time->change));
    out_json_set(object, "p", time->tested ? json_real(time->p) : json_null());
    out_json_set(object, "before", side_of(&time->before));
    out_json_set(object, "after", side_of(&time->after));
    return object;
}

static json_t *runs_of(struct baseline *const *runs, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        const struct baseline *run = runs[i];
        const struct baseline_environment *environment = &run->environment;
        json_t *object = json_object();
        out_json_set(object, "path", out_json_text(run->path));
        out_json_set(object, "program", out_json_text(environment->program));
        out_json_set(object, "build_id", out_json_text(environment->build_id));
        out_json_set(object, "arch", out_json_text(environment->arch));
        out_json_set(object, "sdl", out_json_text(environment->sdl));
        out_json_set(object, "video_driver", out_json_text(environment->video));
        out_json_set(object, "libc", out_json_text(environment->libc));
        out_json_set_number(object, "steady_polls", run->scope[BUDGET_STEADY].polls);
        out_json_set_number(object, "steady_drains", run->scope[BUDGET_STEADY].drains);
        out_json_set_number(object, "steady_frames", run->scope[BUDGET_STEADY].frames);
        out_json_set_number(object, "steady_ns", run->scope[BUDGET_STEADY].ns);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *head_of(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    json_t *head = json_object();
    json_t *notes = json_array();
    json_t *changes = json_object();

    for (size_t i = 0; i < compare->note_count; i++)
        json_array_append_new(notes, out_json_text(compare->notes[i]));
    for (unsigned i = 0; i < COMPARE_UNTOLD; i++)
        out_json_set_number(changes, compare_change_name((enum compare_change)i),
                            compare->changes[i]);
    out_json_set(head, "schema", json_integer(OUT_SCHEMA));
    out_json_set(head, "allocreport", json_string(ALLOCREPORT_VERSION));
    out_json_set(head, "verdict",
                 json_string(compare->unknown != NULL ? "unknown"
                             : compare->worse         ? "worse"
                             : compare->better        ? "better"
                                                      : "same"));
    out_json_set(head, "reason", out_json_text(compare->unknown));
    out_json_set(head, "unit", json_string(compare->unit));
    out_json_set(head, "phase", json_string(model_phase_name(compare->phase)));
    out_json_set(head, "as_long", json_boolean(compare->as_long));
    out_json_set(head, "sites_compared",
                 json_boolean(compare->unknown == NULL && !compare->sampled));
    out_json_set(head, "changes", changes);
    out_json_set(head, "notes", notes);
    out_json_set(head, "patch",
                 out_compare_is_of_patch(request)
                     ? out_json_patchfigures(&request->before[0]->patch, &request->after[0]->patch)
                     : json_null());
    out_json_set(head, "before", runs_of(request->before, compare->runs_before));
    out_json_set(head, "after", runs_of(request->after, compare->runs_after));
    return head;
}

void out_json_compare(const struct out_compare *request)
{
    const struct compare *compare = request->compare;
    struct out_json_stream stream = out_json_start(request->term.out, head_of(request));

    out_json_list(&stream, "metrics");
    for (size_t i = 0; i < compare->metric_count; i++)
        out_json_item(&stream, metric_of(&compare->metrics[i]));
    out_json_end_list(&stream);
    out_json_list(&stream, "sites");
    for (size_t i = 0; i < compare->site_count && i < request->limit; i++)
        if (out_compare_is_listed(request, &compare->sites[i]))
            out_json_item(&stream, site_of(&compare->sites[i]));
    out_json_end_list(&stream);
    out_json_list(&stream, "times");
    for (size_t i = 0; i < compare->time_count; i++)
        out_json_item(&stream, time_of(&compare->times[i]));
    out_json_end_list(&stream);
    out_json_end(&stream, NULL);
}
