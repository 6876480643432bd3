/* SPDX-License-Identifier: MIT */
/*
 * loops.h: the places that poll on one thread (struct dump_loop), with the histograms of their
 * windows. One thread writes them; they stand in the dump. Called by polls.c.
 *
 * A loop is one stack. A program may poll with thousands of stacks (while it loads, wherever it
 * moves a progress bar), and each loop takes some 90 KB of the dump: so the first stacks have one
 * each, and later those that turn out to poll often. The polls of all others are counted in a loop
 * of their call alone, or, where there are too many of those too, in one without a stack. So each
 * poll belongs to one loop, and none ever changes its own.
 */
#ifndef AR_LOOPS_H
#define AR_LOOPS_H

#include "preload/polls.h"
#include "preload/series.h"
#include "preload/window.h"

#define AR_LOOPS_FIRST    24u /* of the first stacks */
#define AR_LOOPS_OFTEN    8u  /* of those that poll often */
#define AR_LOOPS_CALLS    7u  /* of calls */
#define AR_LOOPS_MOST     (AR_LOOPS_FIRST + AR_LOOPS_OFTEN + AR_LOOPS_CALLS + 1)
#define AR_LOOPS_IS_OFTEN 64u /* polls of a stack without a loop, from which on it gets one */
#define AR_LOOPS_WATCHED  256u

/* A stack without a loop, and how often it has polled: one less for each poll of another that has
 * the same place, so that those that poll often stay (Misra and Gries, "Finding repeated elements",
 * 1982). */
struct ar_loops_watched {
    uint32_t stack; /* 0: unused */
    uint32_t polls;
    struct dump_loop *loop; /* in which its polls are counted */
};

struct ar_loops {
    struct dump_loop *records; /* AR_LOOPS_MOST, `count` of them used; NULL: no room for any */
    struct dump_chunk *chunk;
    uint32_t count;
    uint32_t thread;
    uint32_t first;
    uint32_t often;
    uint32_t calls;
    uint32_t stacks[AR_LOOPS_MOST]; /* of the records */
    struct ar_series series[AR_LOOPS_MOST];
    struct ar_loops_watched watched[AR_LOOPS_WATCHED];
};

/* A poll that begins. */
struct ar_loops_poll {
    uint32_t stack;   /* that polls; 0: it found no room */
    uintptr_t caller; /* return address of the polling call */
    uint64_t window;
    uint64_t now_ns;
};

/* Under the lock. */
void ar_loops_make(struct ar_loops *loops, uint32_t thread);

/* The loop that the poll belongs to. `last`: that of the poll before, or NULL. NULL: there is no
 * room for it. Does not change errno. */
struct dump_loop *ar_loops_find(struct ar_loops *loops, struct dump_loop *last,
                                const struct ar_loops_poll *poll);

/* One of its polls ended a window. `between_ns`: since the thread's poll before. */
void ar_loops_count(struct ar_loops *loops, struct dump_loop *loop, const struct ar_window *window,
                    uint64_t between_ns, const struct ar_poll_event *event);

/* One of its polls was a wait of `ns`. */
void ar_loops_waited(struct dump_loop *loop, const struct ar_wait_cost *cost, uint64_t ns);

/* In a new child process. */
void ar_loops_reset(void);

#endif
