/* SPDX-License-Identifier: MIT */
/*
 * tally.h: keeps a struct dump_tally: an amount, what it was when the open window began, and what
 * it was at each boundary of phases. Written by one thread only, the owner of the tally; read from
 * the file at any instant. Plain stores, no locks, no calls.
 */
#ifndef AR_TALLY_H
#define AR_TALLY_H

#include "preload/dump_format.h"

#include <stdbool.h>

/* Brings the marks up to date with the boundaries of `clock`, which may be another thread's: while
 * they change, it does nothing and the next call does it. `polls` goes into new marks. */
void ar_tally_mark(struct dump_tally *tally, const struct dump_clock *clock, uint64_t polls);

/* To be called before an operation that counts in `window`. True when it is the first one in it. */
static inline bool ar_tally_enter(struct dump_tally *tally, const struct dump_clock *clock,
                                  uint64_t window, uint64_t polls)
{
    /* Boundaries change only where a window ends. */
    if (__builtin_expect(tally->window == window, 1))
        return false;
    if (tally->schedule != __atomic_load_n(&clock->schedule, __ATOMIC_RELAXED))
        ar_tally_mark(tally, clock, polls);
    if (tally->schedule != __atomic_load_n(&clock->schedule, __ATOMIC_RELAXED))
        return false;
    tally->window_start = tally->now;
    tally->window = window;
    return true;
}

static inline void ar_tally_alloc(struct dump_tally *tally, uint64_t bytes)
{
    tally->now.allocations++;
    tally->now.bytes += bytes;
}

static inline void ar_tally_free(struct dump_tally *tally, uint64_t bytes)
{
    tally->now.frees++;
    tally->now.freed_bytes += bytes;
}

#endif
