/* SPDX-License-Identifier: MIT */
/*
 * way.h: what an implementation of timeouts is: a table of functions that arms and cancels alarms.
 * One file each, way_NAME.c. timeout.h builds "run this with a limit" on any of them; the cases,
 * the near misses and the tests see nothing but this table.
 */
#ifndef EXAMPLES_TIMEOUTS_WAY_H
#define EXAMPLES_TIMEOUTS_WAY_H

#include "examples/timeouts/heap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One alarm: `fire` is called once, at `deadline` or later, never before, unless it is cancelled
 * first. Its memory is the caller's, from arm until cancel has returned.
 */
struct alarm {
    int64_t deadline; /* of clock_now(), > 0, not CLOCK_NEVER */
    /* By any thread. Short: it neither blocks nor arms nor cancels. */
    void (*fire)(struct alarm *alarm);
    union {
        struct heap_node node; /* of those that keep a heap */
        struct {
            pthread_t id;
            atomic_uint state;
        } thread;
        void *held; /* a helper, a slot, ... of the implementation */
    } own;          /* the implementation's, from arm until cancel */
};

/* What a library did that the interface promises not to happen; its file keeps it from callers. */
struct way_faults {
    atomic_ullong early; /* called before the deadline */
    atomic_ullong late;  /* called, or still at it, after it had said that the timer is removed */
};

struct way {
    const char *name;
    const char *about;
    size_t most; /* alarms armed at once, at most; more is not tried */

    /* Before the first arm, and after the last cancel. start returns 0 or -errno. After stop
     * nothing of it is left: no thread, no descriptor, no timer. */
    int (*start)(void);
    void (*stop)(void);

    /* Returns 0 or -errno; then nothing is armed. */
    int (*arm)(struct alarm *alarm);

    /* Of an armed alarm, once, whether it fired or not. When it has returned, `fire` neither runs
     * nor will run: it waits for a call under way. */
    void (*cancel)(struct alarm *alarm);

    /* How many are armed that have neither fired nor been cancelled. */
    size_t (*pending)(void);

    /* Those that live in the program's own loop deliver while it waits, on the thread that called
     * start, which alone may arm and cancel; park.h says what wait and wake do. NULL: they have
     * threads of their own, any thread may arm, and waiting is park.h's. */
    void (*wait)(atomic_uint *word, unsigned seen, int64_t until);
    void (*wake)(atomic_uint *word);

    struct way_faults *faults; /* NULL: of code that is not another's */
};

/* All that are built, ended by NULL. `thread`, which the others are compared with, is the first. */
const struct way *const *way_all(void);

/* NULL if there is none of that name. */
const struct way *way_find(const char *name);

extern const struct way way_thread;
extern const struct way way_detached;
extern const struct way way_pool;
extern const struct way way_event;
extern const struct way way_futex;
extern const struct way way_loop;
extern const struct way way_sdl;
extern const struct way way_libuv;    /* where it is installed */
extern const struct way way_libevent; /* where it is installed */

#endif
