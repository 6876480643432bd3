/* SPDX-License-Identifier: MIT */
/* A run without the patch beside one with it. The names are documented in allocreport-run(1). */
#include "cli/out_json.h"

static json_t *range_of(const struct patchfigures *side, struct stats_range range)
{
    json_t *pair = json_array();

    if (side->polls == 0) {
        json_decref(pair);
        return json_null();
    }
    json_array_append_new(pair, out_json_number(range.least));
    json_array_append_new(pair, out_json_number(range.most));
    return pair;
}

static json_t *side_of(const struct patchfigures *side)
{
    json_t *object = json_object();
    json_t *modes = json_array();

    if ((side->modes & DUMP_PATCH_POLL) != 0)
        json_array_append_new(modes, json_string("poll"));
    if ((side->modes & DUMP_PATCH_WAIT) != 0)
        json_array_append_new(modes, json_string("wait"));
    out_json_set(object, "modes", modes);
    out_json_set_number(object, "polls", side->polls);
    out_json_set_number(object, "allocations", side->allocations);
    out_json_set_number(object, "heap_calls", side->heap_calls);
    out_json_set(object, "p50_ns", range_of(side, side->p50_ns));
    out_json_set(object, "p99_ns", range_of(side, side->p99_ns));
    return object;
}

json_t *out_json_patchfigures(const struct patchfigures *before, const struct patchfigures *after)
{
    json_t *object = json_object();

    out_json_set(object, "before", side_of(before));
    out_json_set(object, "after", side_of(after));
    return object;
}

void out_json_patches(const struct out_patches *request)
{
    json_t *whole =
        json_pack("{s:i, s:s}", "schema", OUT_SCHEMA, "allocreport", ALLOCREPORT_VERSION);

    out_json_set(whole, "patch", out_json_patchfigures(request->before, request->after));
    out_json_print(request->term.out, whole);
}
