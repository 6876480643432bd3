/* SPDX-License-Identifier: MIT */
#include "cli/model_private.h"

#include <stdlib.h>

static bool is_primary(const struct model *model, uint32_t owner)
{
    uint32_t thread = model_index_find(&model->private->threads, owner);
    return owner == 0 || model->primary == MODEL_NONE || thread == model->primary;
}

static void read_bucket(struct model *model, const struct dump_bucket *raw)
{
    size_t place = model->bucket_count++;
    uint64_t width = model->bucket_ns;
    uint64_t begin;
    if (__builtin_mul_overflow(width, place, &begin))
        begin = UINT64_MAX;
    begin = model_add(begin, model->first_poll_ns);
    model->buckets[place] = (struct model_bucket){
        .begin_ns = begin,
        .end_ns = model_add(begin, width),
        .polls = raw->polls,
        .drains = raw->drains,
        .frames = raw->frames,
        .in_poll_allocations = raw->in_poll_allocations,
        .in_poll_bytes = raw->in_poll_bytes,
        .between_allocations = raw->between_allocations,
        .between_bytes = raw->between_bytes,
        .poll_ns = raw->poll_ns,
        .most_bytes = raw->most_bytes,
        .most_window = raw->most_window,
        .live_bytes = raw->live_bytes,
    };
}

void model_read_timeline(struct model *model, const struct dumpfile *file)
{
    size_t room = model_count(file, DUMP_TIMELINE);
    model->buckets = model_alloc(model, room, sizeof *model->buckets);
    model->bucket_ns = file->header.timeline_width_ns;
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_TIMELINE, &cursor);) {
        struct dump_bucket raw;
        if (!is_primary(model, file->chunks[cursor.chunk].owner))
            continue;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        read_bucket(model, &raw);
    }
    while (model->bucket_count) {
        const struct model_bucket *last = &model->buckets[model->bucket_count - 1];
        if (last->polls || last->drains || last->frames || last->in_poll_allocations ||
            last->between_allocations)
            break;
        model->bucket_count--;
    }
}

static int compare_worst_sites(const void *a, const void *b)
{
    const struct model_worst_site *x = a;
    const struct model_worst_site *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->allocations < y->allocations) - (x->allocations > y->allocations);
}

static void read_worst(struct model *model, struct model_worst *worst, const struct dump_worst *raw)
{
    uint32_t place = model_index_find(&model->private->loops, raw->loop);
    *worst = (struct model_worst){
        .window = raw->window,
        .poll = raw->window,
        .end_ns = raw->end_ns,
        .poll_ns = raw->poll_ns,
        .interval_ns = raw->interval_ns,
        .allocations = raw->allocations,
        .bytes = raw->bytes,
        .in_poll_allocations = raw->in_poll_allocations,
        .in_poll_bytes = raw->in_poll_bytes,
        .loop = place == MODEL_NONE ? NULL : &model->loops[place],
        .steady = raw->flags & DUMP_WORST_STEADY,
        .all_sites = raw->all_sites,
        .site_count = raw->sites < DUMP_WORST_SITES ? raw->sites : DUMP_WORST_SITES,
    };
    uint32_t thread = worst->loop ? worst->loop->thread : model->primary;
    if (thread != MODEL_NONE) {
        uint64_t first = model->private->clocks[thread].first_window;
        worst->poll = raw->window >= first ? raw->window - first + 1 : 0;
    }
    for (uint32_t i = 0; i < worst->site_count; i++) {
        uint32_t stack = model_index_find(&model->private->stacks, raw->site[i].site);
        uint32_t site = stack == MODEL_NONE ? MODEL_NONE : model->private->stack_site[stack];
        worst->sites[i] = (struct model_worst_site){
            .site = site == MODEL_NONE ? NULL : &model->sites[site],
            .allocations = raw->site[i].allocations,
            .bytes = raw->site[i].bytes,
        };
    }
    qsort(worst->sites, worst->site_count, sizeof worst->sites[0], compare_worst_sites);
}

static int compare_worst(const void *a, const void *b)
{
    const struct model_worst *x = a;
    const struct model_worst *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->window > y->window) - (x->window < y->window);
}

void model_read_worst(struct model *model, const struct dumpfile *file)
{
    size_t room = model_count(file, DUMP_WORST);
    model->worst = model_alloc(model, room, sizeof *model->worst);
    model->worst_steady = model_alloc(model, room, sizeof *model->worst_steady);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_WORST, &cursor);) {
        struct dump_worst raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        if (raw.window == 0)
            continue;
        if (raw.flags & DUMP_WORST_STEADY)
            read_worst(model, &model->worst_steady[model->worst_steady_count++], &raw);
        else
            read_worst(model, &model->worst[model->worst_count++], &raw);
    }
    if (model->worst_count)
        qsort(model->worst, model->worst_count, sizeof *model->worst, compare_worst);
    if (model->worst_steady_count)
        qsort(model->worst_steady, model->worst_steady_count, sizeof *model->worst_steady,
              compare_worst);
}
