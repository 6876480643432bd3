/* SPDX-License-Identifier: MIT */
/*
 * worst.h: the polls whose windows allocated most bytes, with the sites that did: one list over the
 * whole run, one over the steady polls. One thread writes them; they stand in the dump.
 */
#ifndef AR_WORST_H
#define AR_WORST_H

#include "preload/window.h"

struct ar_worst {
    struct dump_worst *all;    /* DUMP_WORST_POLLS records; NULL: no room, nothing is kept */
    struct dump_worst *steady; /* the same number */
};

/* Under the lock. */
void ar_worst_make(struct ar_worst *worst, uint32_t thread);

/* `counters` are those that allocated in the window, as far as they were kept: `count` may be more
 * than there are places for; `kept` of them stand there. */
void ar_worst_add(struct ar_worst *worst, const struct ar_window *window,
                  struct dump_counter *const *counters, uint32_t kept, uint32_t count);

/* A boundary was set: the steady phase begins with window `first`. */
void ar_worst_steady_from(struct ar_worst *worst, uint64_t first);

#endif
