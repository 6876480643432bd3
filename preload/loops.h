/* SPDX-License-Identifier: MIT */
/*
 * loops.h: the places that poll on one thread (struct dump_loop): one for each stack, with the
 * histograms of its windows. One thread writes them; they stand in the dump. Called by polls.c.
 */
#ifndef AR_LOOPS_H
#define AR_LOOPS_H

#include "preload/polls.h"
#include "preload/series.h"
#include "preload/window.h"

#define AR_LOOPS_MOST 32u

struct ar_loops {
    struct dump_loop *records; /* AR_LOOPS_MOST, `count` of them used; NULL: no room for any */
    struct dump_chunk *chunk;
    uint32_t count;
    uint32_t thread;
    struct ar_series series[AR_LOOPS_MOST];
};

/* Under the lock. */
void ar_loops_make(struct ar_loops *loops, uint32_t thread);

/* The loop that polls with this stack; a new one begins at `now_ns` with `window`. `last`: the one
 * that polled before, or NULL. NULL: there are too many. */
struct dump_loop *ar_loops_find(struct ar_loops *loops, struct dump_loop *last, uint32_t stack,
                                uint64_t window, uint64_t now_ns);

/* One of its polls ended a window. `between_ns`: since the thread's poll before. */
void ar_loops_count(struct ar_loops *loops, struct dump_loop *loop, const struct ar_window *window,
                    uint64_t between_ns, const struct ar_poll_event *event);

/* In a new child process. */
void ar_loops_reset(void);

#endif
