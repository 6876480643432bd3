/* SPDX-License-Identifier: MIT */
/*
 * timeline.h: the bounded time line of one polling thread: buckets of one width, which are added in
 * pairs when the last one is used up, so that they always cover the whole run. Any jump of the
 * clock forward is taken by wider buckets; one backward counts in the bucket that is open.
 */
#ifndef AR_TIMELINE_H
#define AR_TIMELINE_H

#include "preload/window.h"

#include <stdbool.h>

struct ar_timeline {
    struct dump_chunk *chunk;
    struct dump_bucket *buckets; /* NULL: no room, nothing is kept */
    uint64_t start_ns;           /* of the first bucket */
    uint64_t width_ns;
    uint64_t open;        /* index of the bucket that is open */
    uint64_t open_end_ns; /* when it is over */
};

/* Under the lock. */
void ar_timeline_make(struct ar_timeline *timeline, uint32_t thread);

/* `primary`: the header states this time line's width. */
void ar_timeline_add(struct ar_timeline *timeline, const struct ar_window *window, bool primary);
void ar_timeline_drain(struct ar_timeline *timeline);
void ar_timeline_frames(struct ar_timeline *timeline, uint64_t frames);

#endif
