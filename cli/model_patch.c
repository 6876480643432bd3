/* SPDX-License-Identifier: MIT */
#include "cli/model_phases.h"
#include "cli/model_private.h"

static void add(uint64_t *sum, uint64_t more)
{
    *sum = model_add(*sum, more);
}

/* The largest class that was missing anywhere, and how often there. */
static void add_missing(struct model_patch *patch, const struct dump_patch *raw)
{
    if (raw->missing_bytes > patch->missing_bytes) {
        patch->missing_bytes = raw->missing_bytes;
        patch->missing = raw->missing;
    } else if (raw->missing_bytes == patch->missing_bytes) {
        add(&patch->missing, raw->missing);
    }
}

static void add_heap(struct model *model, const struct dump_patch *raw, uint32_t thread)
{
    struct model_patch *patch = &model->patch;
    struct model_parts parts = model_parts_of(&raw->heap, &model->private->clocks[thread], 0);
    const struct model_amount *steady = &parts.phase[MODEL_STEADY];

    model->private->contradictions += parts.contradicts;
    add(&patch->heap_allocations, parts.all.allocations);
    add(&patch->heap_bytes, parts.all.bytes);
    add(&patch->heap_releases, parts.all.frees);
    add(&patch->steady_heap_calls, model_add(steady->allocations, steady->frees));
}

static void add_patch(struct model *model, const struct dump_patch *raw)
{
    struct model_patch *patch = &model->patch;
    uint32_t thread = model_index_find(&model->private->threads, raw->thread);
    uint64_t sum = raw->served;

    patch->modes |= raw->modes;
    patch->threads++;
    add(&patch->requests, raw->requests);
    add(&patch->served, raw->served);
    for (unsigned i = 0; i < DUMP_SPILLS; i++) {
        add(&patch->spilled[i], raw->spilled[i]);
        add(&sum, raw->spilled[i]);
    }
    add(&patch->releases, raw->releases);
    add_missing(patch, raw);
    add(&patch->refills, raw->refills);
    add(&patch->refilled, raw->refilled);
    add(&patch->given_back, raw->given_back);
    add(&patch->held_blocks, raw->held_blocks);
    add(&patch->held_bytes, raw->held_bytes);
    add(&patch->held_most_bytes, raw->held_most_bytes);
    add(&patch->queue_events, raw->queue_events);
    if (raw->limit_bytes > patch->limit_bytes)
        patch->limit_bytes = raw->limit_bytes;
    if (thread == MODEL_NONE) {
        model->private->orphans++;
        return;
    }
    add_heap(model, raw, thread);
    if ((raw->modes & DUMP_PATCH_POLL) != 0)
        patch->uneven += sum != raw->requests ||
                         raw->requests != model->threads[thread].place[MODEL_IN_POLL].allocations;
}

void model_read_patch(struct model *model, const struct dumpfile *file)
{
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_PATCH, &cursor);) {
        struct dump_patch raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        add_patch(model, &raw);
    }
}

const char *model_spill_name(enum dump_spill reason)
{
    static const char *const names[DUMP_SPILLS] = {
        [DUMP_SPILL_ALIGNMENT] = "alignment over 16 bytes",
        [DUMP_SPILL_SIZE] = "too large",
        [DUMP_SPILL_EMPTY] = "none of its size left",
        [DUMP_SPILL_OTHER] = "other",
    };
    return names[reason];
}

const char *model_spill_key(enum dump_spill reason)
{
    static const char *const keys[DUMP_SPILLS] = {
        [DUMP_SPILL_ALIGNMENT] = "alignment",
        [DUMP_SPILL_SIZE] = "size",
        [DUMP_SPILL_EMPTY] = "empty_class",
        [DUMP_SPILL_OTHER] = "other",
    };
    return keys[reason];
}
