/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_private.h"

#include <stdlib.h>

static void read_loop(struct model *model, struct model_loop *loop, const struct dump_loop *raw)
{
    uint32_t stack = model_index_find(&model->private->stacks, raw->stack);
    *loop = (struct model_loop){
        .id = raw->id,
        .thread = model_index_find(&model->private->threads, raw->thread),
        .stack = stack == MODEL_NONE ? NULL : &model->stacks[stack],
        .null = raw->null_polls,
        .empty = raw->empty_polls,
        .events = raw->event_polls,
        .allocating_windows = raw->allocating_windows,
        .allocating_polls = raw->allocating_polls,
        .first_window = raw->first_window,
        .last_window = raw->last_window,
        .first_ns = raw->first_ns,
        .last_ns = raw->last_ns,
        .poll_ns = raw->poll_ns,
        .between_ns = raw->between_ns,
        .waits = model_waits_of(raw),
        .in_poll = model_amount_of(&raw->in_poll),
        .between = model_amount_of(&raw->between),
    };
    for (unsigned i = 0; i < DUMP_POLL_KINDS; i++) {
        loop->by_function[i] = raw->polls[i];
        loop->polls = model_add(loop->polls, raw->polls[i]);
    }
    loop->rate = (struct model_rate){
        .bytes = model_add(loop->in_poll.bytes, loop->between.bytes),
        .allocations = model_add(loop->in_poll.allocations, loop->between.allocations),
        .polls = loop->polls,
        .ns = model_add(loop->poll_ns, loop->between_ns),
    };
    /* Loops that take turns share their time: each one's is from its first poll to its last. */
    if (loop->polls > 1 && loop->last_ns > loop->first_ns)
        loop->rate.ns = loop->last_ns - loop->first_ns;
    model_waits_add(&model->waits, &loop->waits);
    if (loop->thread == MODEL_NONE || !loop->stack)
        model->private->orphans++;
}

static int compare_loops(const void *a, const void *b)
{
    const struct model_loop *x = a;
    const struct model_loop *y = b;
    if (x->polls != y->polls)
        return x->polls > y->polls ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

void model_read_loops(struct model *model, const struct dumpfile *file)
{
    size_t count = model_count(file, DUMP_LOOP);
    model->loops = model_alloc(model, count, sizeof *model->loops);
    uint32_t *ids = xcalloc(count, sizeof *ids);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_LOOP, &cursor);) {
        struct dump_loop raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        read_loop(model, &model->loops[model->loop_count++], &raw);
    }
    if (count)
        qsort(model->loops, count, sizeof *model->loops, compare_loops);
    for (size_t i = 0; i < count; i++)
        ids[i] = model->loops[i].id;
    model_index_build(model, &model->private->loops, ids, count);
    free(ids);
}

const struct model_loop *model_find_loop(const struct model *model, uint32_t id)
{
    uint32_t place = model_index_find(&model->private->loops, id);
    return place == MODEL_NONE ? NULL : &model->loops[place];
}

bool model_loop_is_shared(const struct model_loop *loop)
{
    return loop->stack && (loop->stack->flags & DUMP_STACK_CALL_SITE) != 0;
}

static void add_to(struct model *model, const struct stats_histogram **slot,
                   const struct stats_histogram *more)
{
    if (!*slot)
        *slot = model_alloc(model, 1, sizeof **slot);
    stats_histogram_add((struct stats_histogram *)(uintptr_t)*slot, more);
}

static void read_histogram(struct model *model, const struct dump_histogram *raw)
{
    struct stats_histogram values = {
        .count = raw->count, .sum = raw->sum, .least = raw->least, .most = raw->most};
    for (unsigned i = 0; i < STATS_BUCKETS; i++)
        values.bucket[i] = raw->bucket[i];
    bool steady = raw->slot != DUMP_SLOT_WARMUP;
    uint32_t thread = model_index_find(&model->private->threads, raw->thread);
    if (raw->series >= DUMP_SERIES_LOOP_COUNT) {
        /* Frames of the thread that polls first are the frames; others' would be counted twice. */
        if (thread == MODEL_NONE || thread != model->primary)
            return;
    } else {
        uint32_t place = model_index_find(&model->private->loops, raw->loop);
        if (place == MODEL_NONE) {
            model->private->orphans++;
        } else {
            add_to(model, &model->loops[place].all[raw->series], &values);
            if (steady)
                add_to(model, &model->loops[place].steady[raw->series], &values);
        }
    }
    add_to(model, &model->all_polls[raw->series], &values);
    if (steady)
        add_to(model, &model->steady_polls[raw->series], &values);
}

void model_read_histograms(struct model *model, const struct dumpfile *file)
{
    static const struct stats_histogram none = {0};
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_HISTOGRAM, &cursor);) {
        struct dump_histogram raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        if (raw.count && raw.series < DUMP_SERIES_COUNT && raw.slot < DUMP_SLOTS)
            read_histogram(model, &raw);
    }
    for (unsigned i = 0; i < DUMP_SERIES_COUNT; i++) {
        if (!model->all_polls[i])
            model->all_polls[i] = &none;
        if (!model->steady_polls[i])
            model->steady_polls[i] = &none;
    }
}
