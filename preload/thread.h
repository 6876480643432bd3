/* SPDX-License-Identifier: MIT */
/*
 * thread.h: what belongs to one thread: its record and counters in the dump, its guard. Found by
 * one initial-exec thread-local pointer; there are no destructors: the state of a thread that has
 * died is taken over by a later one. Each is written by its own thread alone, without locks.
 *
 * The guard keeps the recorder from counting itself, and from being re-entered by a signal handler.
 */
#ifndef AR_THREAD_H
#define AR_THREAD_H

#include "preload/dump_format.h"
#include "preload/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ar_counter_slot {
    uint32_t site; /* 0: unused */
    struct dump_counter *counter;
};

/* What a signal handler did while the recorder was at work on its thread: to be counted later. */
enum ar_pending_kind { AR_PENDING_NONE = 0, AR_PENDING_ALLOC, AR_PENDING_REALLOC, AR_PENDING_FREE };
struct ar_pending {
    const void *block;
    uint64_t size;
    uint64_t tick; /* of a release: when the block was made */
    uint32_t site;
    uint8_t kind; /* written last */
    bool in_poll;
    bool mapped; /* the block has a mapping of its own */
};
#define AR_PENDING_MOST 96u /* with the first slots behind it, a thread's state fills two pages */

struct ar_patch;
struct ar_polls;
struct ar_stack_state;

struct ar_thread {
    uintptr_t guard; /* frame address of the hook at work, 0: none; stacks grow down from it */
    uint32_t pending_count; /* raised by handlers alone, while the guard is set */
    const void *last;       /* the block that was counted last */
    const void
        *releasing; /* a block whose release is counted and still to be made by operator delete */
    struct dump_thread *record;
    struct dump_tally *tally;       /* record->in_poll or record->outside */
    const struct dump_clock *clock; /* in whose windows it counts */
    const struct ar_ticks *ticks;
    struct ar_ticks own_ticks;     /* of a thread that polls */
    int64_t live_delta;            /* bytes in use that are not yet in header.live_bytes */
    int64_t live_delta_most;       /* the most it has been since */
    struct ar_counter_slot *slots; /* open addressing, at most half full */
    size_t slot_count;             /* a power of two */
    size_t slots_used;
    struct dump_chunk *counters;  /* the chunk that new counters go to */
    struct ar_polls *polls;       /* NULL: it has never polled; others look, by ar_thread_polls */
    struct ar_stack_state *stack; /* of sites.c */
    struct ar_patch *patch;       /* NULL: its polls are not patched */
    const void *lost;             /* the block that was told as lost last */
    const void *unknown;          /* the block that was released last and never seen allocated */
    uint32_t poll_depth;          /* polls and presents that it is inside of */
    uintptr_t poll_frame;         /* frame address of the outermost of them */
    uint32_t mark_depth;          /* the program's marks that it is inside of; the outermost one is
                                     the outermost poll, too */
    uintptr_t mark_frame;         /* frame address of the outermost of them */
    struct ar_thread *next;       /* in the list of all */
    uint32_t unsampled;           /* allocations since the last one whose stack was taken */
    uint32_t tid;
    uint32_t epoch;  /* of the process: a forked child's threads are new */
    uint32_t moving; /* 1 while its chunks are copied to the file */
    bool moved;      /* its chunks in the file are the ones in use; written while moving */
    struct ar_pending pending[AR_PENDING_MOST];
};

struct ar_self {
    uint64_t generation; /* of ar_state that this thread has seen; all ones: none */
    struct ar_thread *thread;
    struct ar_patch *patch; /* the thread's, while it is inside a poll; else NULL */
    /* The loader or the unwinder is at work for the recorder. Volatile: libc declares dlsym and its
     * kin as functions that never call back, and they call malloc. */
    volatile bool foreign;
};
extern __thread struct ar_self ar_self;

/* What a forked child does before anything else; false: it records nothing. Set by process.c. */
extern bool (*ar_thread_on_fork)(void);

static inline struct ar_polls *ar_thread_polls(const struct ar_thread *thread)
{
    return __atomic_load_n(&thread->polls, __ATOMIC_ACQUIRE);
}

/* The slow part of ar_thread_enter: makes or moves the thread's state, whose guard is set or which
 * is not there yet. */
struct ar_thread *ar_thread_refresh(uintptr_t frame) __attribute__((noinline, cold));

/* The slow part for a guard that is set: is that hook still there? */
bool ar_thread_guard_is_stale(const struct ar_thread *thread, uintptr_t frame)
    __attribute__((noinline, cold));

/*
 * Every hook's begin: the thread's state with its guard set, or NULL: nothing may be recorded (the
 * recorder has not started, has stopped, or is at work itself on this thread). `frame` is the
 * hook's frame address. To be paired with ar_thread_leave.
 */
static inline struct ar_thread *ar_thread_enter(uintptr_t frame)
{
    struct ar_state *state = __atomic_load_n(&ar_state, __ATOMIC_RELAXED);
    struct ar_thread *thread = ar_self.thread;

    if (__builtin_expect(state == NULL, 0))
        return NULL;
    if (__builtin_expect(thread == NULL, 0))
        return ar_thread_refresh(frame);
    if (__builtin_expect(thread->guard != 0, 0) && !ar_thread_guard_is_stale(thread, frame))
        return NULL;
    /* In this order: who changes the generation and then finds the guard unset (ar_threads_quiet)
     * knows that this thread will see the change. */
    __atomic_store_n(&thread->guard, frame, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(
            ar_self.generation != __atomic_load_n(&state->generation, __ATOMIC_ACQUIRE), 0))
        return ar_thread_refresh(frame);
    return thread;
}

static inline void ar_thread_leave(struct ar_thread *thread)
{
    __atomic_store_n(&thread->guard, 0, __ATOMIC_RELEASE); /* ar_threads_quiet looks */
}

/* Is the loader or the unwinder at work for the recorder on this thread? Then its blocks are not
 * the program's. May be called at any time after relocation. */
static inline bool ar_thread_foreign(void)
{
    return ar_self.foreign;
}

/* The slow part of ar_thread_counter: makes it. */
struct dump_counter *ar_thread_new_counter(struct ar_thread *thread, uint32_t site)
    __attribute__((noinline, cold));

static inline size_t ar_thread_slot(const struct ar_thread *thread, uint32_t site)
{
    return site * 2654435769u & (thread->slot_count - 1);
}

/* This thread's counter of the site; NULL: no room (or site is 0). */
static inline struct dump_counter *ar_thread_counter(struct ar_thread *thread, uint32_t site)
{
    size_t at = ar_thread_slot(thread, site);

    while (thread->slots[at].site != 0) {
        if (thread->slots[at].site == site)
            return thread->slots[at].counter;
        at = (at + 1) & (thread->slot_count - 1);
    }
    return ar_thread_new_counter(thread, site);
}

/* Adds the thread's difference to header.live_bytes, and keeps the peak. */
void ar_thread_publish_live(struct ar_thread *thread) __attribute__((noinline));

/* Copies to the file what threads that have not moved yet have counted since. Any thread. */
void ar_threads_sync(void);

/*
 * `thread` polls for the first time: the state that it is to go on with. It is that of a thread
 * that polled and has died, if there is one (what polls keep is large, and threads that poll may
 * come and go); else its own. The guard goes over to it.
 */
struct ar_thread *ar_thread_for_polling(struct ar_thread *thread);

/* Waits until no thread but `self` is recording, or half of AR_PAUSE_MOST_NS. For after
 * ar_state_pause. */
void ar_threads_quiet(const struct ar_thread *self);

/* The dump's file is made: while no thread records, all that was counted is copied there, and every
 * thread goes on in it. False: there was no room. */
bool ar_threads_enter_file(void);

/* What all threads have counted so far, as far as it can be seen from here. */
struct ar_sums {
    uint64_t allocations;
    uint64_t peeps;
    uint64_t presents;
};
struct ar_sums ar_threads_sums(void);

/* At start, and in a new child process. */
void ar_threads_reset(void);

#endif
