/* SPDX-License-Identifier: MIT */
/*
 * series.h: a few neighbouring series of values (enum dump_series), each as a histogram in each
 * slot of phases. They stand in the dump; one thread writes them.
 */
#ifndef AR_SERIES_H
#define AR_SERIES_H

#include "preload/histogram.h"

struct ar_series {
    struct dump_histogram
        *histograms; /* DUMP_SLOTS for each series; NULL: no room, nothing is kept */
    unsigned first;
    unsigned count;
};

/* Under the lock. */
void ar_series_make(struct ar_series *series, unsigned first, unsigned count, uint32_t thread,
                    uint32_t loop);

static inline struct dump_histogram *ar_series_slot(struct ar_series *series, unsigned which,
                                                    enum dump_slot slot)
{
    return &series->histograms[(which - series->first) * DUMP_SLOTS + slot];
}

static inline void ar_series_add(struct ar_series *series, enum dump_series which, uint64_t value)
{
    if (series->histograms != NULL)
        ar_histogram_add(ar_series_slot(series, which, DUMP_SLOT_LATER), value, 1);
}

/* `times` values that together are `total` and differ by one share's remainder at most. */
void ar_series_share(struct ar_series *series, enum dump_series which, uint64_t total,
                     uint64_t times);

/* A boundary was set: what was EARLIER is warm-up now, what was LATER is EARLIER. */
void ar_series_rotate(struct ar_series *series);

/* A boundary was set that leaves the begin of the steady phase where it is: LATER is EARLIER. */
void ar_series_join(struct ar_series *series);

#endif
