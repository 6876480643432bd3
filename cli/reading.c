/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include "cli/errors.h"

#include <stdlib.h>

const char *const reading_orders[] = {
    [READING_BY_BYTES] = "bytes",
    [READING_BY_ALLOCATIONS] = "allocations",
    [READING_BY_LIVE] = "live",
    [READING_BY_CHANGE] = "change",
    NULL,
};

static int by_id(const void *a, const void *b)
{
    const struct reading_site *one = a, *other = b;

    return (one->id > other->id) - (one->id < other->id);
}

struct reading *reading_of(const struct model *model, uint64_t taken_ns)
{
    struct reading *reading =
        xmalloc(sizeof *reading + model->site_count * sizeof reading->sites[0]);

    *reading = (struct reading){
        .taken_ns = taken_ns,
        .rate = model->rate,
        .frames = model->frame_info.count,
        .live_bytes = model->live_bytes,
        .site_count = model->site_count,
    };
    for (size_t i = 0; i < model->site_count; i++) {
        const struct model_site *site = &model->sites[i];
        reading->sites[i] = (struct reading_site){
            .id = site->id,
            .allocations = site->all.allocations,
            .bytes = site->all.bytes,
            .live_bytes = site->live_bytes,
        };
    }
    if (reading->site_count > 0)
        qsort(reading->sites, reading->site_count, sizeof reading->sites[0], by_id);
    return reading;
}

static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

/* Wraps instead of overflowing; what a sound dump says never does either. */
static int64_t changed(uint64_t before, uint64_t after)
{
    return (int64_t)(after - before);
}

struct reading_change reading_between(const struct reading *before, const struct reading *after)
{
    return (struct reading_change){
        .taken_ns = grown(before->taken_ns, after->taken_ns),
        .rate = {.bytes = grown(before->rate.bytes, after->rate.bytes),
                 .allocations = grown(before->rate.allocations, after->rate.allocations),
                 .polls = grown(before->rate.polls, after->rate.polls),
                 .ns = grown(before->rate.ns, after->rate.ns)},
        .frames = grown(before->frames, after->frames),
        .live_bytes = changed(before->live_bytes, after->live_bytes),
    };
}

static int64_t key_of(const struct reading_row *row, enum reading_order order)
{
    uint64_t key = order == READING_BY_ALLOCATIONS ? row->allocations : row->bytes;

    if (order == READING_BY_LIVE)
        return row->live_bytes;
    if (order == READING_BY_CHANGE)
        return row->change;
    return key > INT64_MAX ? INT64_MAX : (int64_t)key;
}

static int greatest_first(const void *a, const void *b, void *order)
{
    const struct reading_row *one = a, *other = b;
    int64_t p = key_of(one, *(const enum reading_order *)order);
    int64_t q = key_of(other, *(const enum reading_order *)order);

    if (p != q)
        return p > q ? -1 : 1;
    if (one->bytes != other->bytes)
        return one->bytes > other->bytes ? -1 : 1;
    return (one->site->id > other->site->id) - (one->site->id < other->site->id);
}

struct reading_row *reading_rows(const struct reading *before, const struct reading *after,
                                 const struct model *model, enum reading_order order, size_t *count)
{
    struct reading_row *rows = xcalloc(model->site_count, sizeof *rows);

    *count = 0;
    for (size_t i = 0; i < model->site_count; i++) {
        static const struct reading_site none = {0};
        const struct reading_site key = {.id = model->sites[i].id};
        const struct reading_site *was =
            before->site_count == 0
                ? NULL
                : bsearch(&key, before->sites, before->site_count, sizeof key, by_id);
        const struct reading_site *now =
            after->site_count == 0
                ? NULL
                : bsearch(&key, after->sites, after->site_count, sizeof key, by_id);
        if (was == NULL)
            was = &none;
        if (now == NULL)
            continue;
        const struct reading_row row = {
            .site = &model->sites[i],
            .allocations = grown(was->allocations, now->allocations),
            .bytes = grown(was->bytes, now->bytes),
            .live_bytes = now->live_bytes,
            .change = changed((uint64_t)was->live_bytes, (uint64_t)now->live_bytes),
        };
        if (row.allocations > 0 || row.bytes > 0 || row.change != 0 ||
            (order == READING_BY_LIVE && row.live_bytes > 0))
            rows[(*count)++] = row;
    }
    if (*count > 0) {
        qsort_r(rows, *count, sizeof *rows, greatest_first, &order);
        return rows;
    }
    free(rows);
    return NULL;
}
