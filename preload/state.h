/* SPDX-License-Identifier: MIT */
/*
 * state.h: the few words that every hook reads first. They stand on a page that the kernel wipes in
 * a forked child, however it was forked; a thread compares `generation` with the one it has seen,
 * and that one comparison finds: a new thread, a fork, a dump file that has come to be.
 */
#ifndef AR_STATE_H
#define AR_STATE_H

#include "preload/dump_format.h"

#include <stdbool.h>
#include <stdint.h>

/* Written by one thread, read by any. */
struct ar_ticks {
    _Alignas(8) uint64_t poll; /* the tick at which the open window began */
    uint64_t frame;            /* the tick at which the open frame began */
};

static inline uint64_t ar_tick_of(const uint64_t *tick)
{
    return __atomic_load_n(tick, __ATOMIC_RELAXED);
}

struct ar_state {
    uint64_t generation;            /* never 0; 0: this is a forked child's wiped page */
    uint64_t tick;                  /* one more for each end of a poll or frame, on any thread */
    bool shared_ticks;              /* more threads than the first one that polled do that */
    struct ar_ticks ticks;          /* of the first thread that polled, for those that do not */
    uint32_t paused;                /* 1: threads wait before they record (ar_state_pause) */
    const struct dump_clock *clock; /* of the first thread that polled, or of startup */
};

/* NULL until the recorder has started, and again when it has stopped for good. */
extern struct ar_state *ar_state;

/* The clock while nothing has polled: window 0. Never written to, but not constant: a processor of
 * 32 bits reads 8 bytes at once by an instruction that needs memory which may be written. */
extern struct dump_clock ar_startup_clock;

/* Makes the page. False: no memory. */
bool ar_state_start(void);

/* Sets the words to those of a new process. */
void ar_state_reset(void);

/* Makes every thread look again. */
void ar_state_next_generation(void);

/*
 * Where the dump is made, and at the program's end: every other thread that comes to record waits
 * until ar_state_resume, but no longer than AR_PAUSE_MOST_NS. The caller goes on to see to it that
 * none is still at it (ar_threads_quiet).
 */
#if defined(__SANITIZE_THREAD__) /* all is slower, and a race that is none would be told */
#define AR_PAUSE_MOST_NS 900000000u
#else
#define AR_PAUSE_MOST_NS 50000000u
#endif
void ar_state_pause(void);
void ar_state_resume(void);
bool ar_state_is_paused(void);

/* Until then; false: it has waited for so long that the pause is over for this thread. */
bool ar_state_wait(void);

#endif
