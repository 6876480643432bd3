/* SPDX-License-Identifier: MIT */
/*
 * histogram.h: adds to the dump's histograms; dump_format.h states the buckets. Written by one
 * thread only. No calls out.
 */
#ifndef AR_HISTOGRAM_H
#define AR_HISTOGRAM_H

#include "preload/dump_format.h"

/* The slow part of ar_histogram_add: `value` is not 0. */
void ar_histogram_add_value(struct dump_histogram *histogram, uint64_t value, uint64_t times);

static inline void ar_histogram_add(struct dump_histogram *histogram, uint64_t value,
                                    uint64_t times)
{
    if (__builtin_expect(value != 0, 0)) {
        ar_histogram_add_value(histogram, value, times);
        return;
    }
    histogram->least = 0; /* by far the most */
    histogram->count += times;
    histogram->bucket[0] += times;
}

/* Adds all of `from` to `to`, and empties it. */
void ar_histogram_move(struct dump_histogram *to, struct dump_histogram *from);

#endif
