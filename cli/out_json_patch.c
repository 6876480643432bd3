/* SPDX-License-Identifier: MIT */
/* The patched poll. The names are documented in allocreport-report(1). */
#include "cli/out_json.h"

json_t *out_json_patch(const struct model *model)
{
    const struct model_patch *patch = &model->patch;
    json_t *whole = json_object();
    json_t *modes = json_array();
    json_t *spilled = json_object();

    if (patch->modes == 0) {
        json_decref(modes);
        json_decref(spilled);
        json_decref(whole);
        return json_null();
    }
    if ((patch->modes & DUMP_PATCH_POLL) != 0)
        json_array_append_new(modes, json_string("poll"));
    if ((patch->modes & DUMP_PATCH_WAIT) != 0)
        json_array_append_new(modes, json_string("wait"));
    for (unsigned i = 0; i < DUMP_SPILLS; i++)
        out_json_set_number(spilled, model_spill_key(i), patch->spilled[i]);
    out_json_set(whole, "modes", modes);
    out_json_set_number(whole, "requests", patch->requests);
    out_json_set_number(whole, "served", patch->served);
    out_json_set(whole, "spilled", spilled);
    out_json_set_number(whole, "largest_missing_bytes", patch->missing_bytes);
    out_json_set_number(whole, "largest_missing", patch->missing);
    out_json_set_number(whole, "releases", patch->releases);
    out_json_set_number(whole, "heap_allocations", patch->heap_allocations);
    out_json_set_number(whole, "heap_bytes", patch->heap_bytes);
    out_json_set_number(whole, "heap_releases", patch->heap_releases);
    out_json_set_number(whole, "steady_heap_calls", patch->steady_heap_calls);
    out_json_set_number(whole, "refills", patch->refills);
    out_json_set_number(whole, "refilled_blocks", patch->refilled);
    out_json_set_number(whole, "given_back_blocks", patch->given_back);
    out_json_set_number(whole, "held_blocks", patch->held_blocks);
    out_json_set_number(whole, "held_bytes", patch->held_bytes);
    out_json_set_number(whole, "held_most_bytes", patch->held_most_bytes);
    out_json_set_number(whole, "limit_bytes", patch->limit_bytes);
    out_json_set_number(whole, "queue_events", patch->queue_events);
    return whole;
}
