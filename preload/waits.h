/* SPDX-License-Identifier: MIT */
/*
 * waits.h: SDL's waits for events: what they cost, and ALLOCREPORT_PATCH=wait. Where a video driver
 * cannot block, SDL waits in steps of a millisecond: it sleeps, pumps, looks, and sleeps again.
 * Such a wait of SDL 2 is replaced by one that blocks until an event is pushed, or for a slice of
 * time where something must be pumped to be noticed. Real blocking waits are left alone.
 *
 * It must not be called for polls that do not wait. Called by SDL's hooks (sdl_calls.h), on the
 * thread that waits; ar_waits_added by any.
 */
#ifndef AR_WAITS_H
#define AR_WAITS_H

#include "preload/polls.h"
#include "preload/sdl_info.h"

#include <stdbool.h>
#include <stdint.h>

/* What one wait cost its thread, by getrusage(RUSAGE_THREAD): two system calls for each wait, none
 * for a poll. */
struct ar_wait_cost {
    uint64_t switches; /* voluntary context switches: times that it went to sleep */
    uint64_t cpu_ns;
    bool replaced; /* it was not SDL's own */
};

/* One call of SDL_WaitEvent (`timeout` is NULL) or SDL_WaitEventTimeout. */
struct ar_wait {
    const struct ar_sdl *sdl;
    int (*wait)(void *event);
    int (*timeout)(void *event, int milliseconds);
    void *event;
    int milliseconds; /* negative: for ever */
};

/* Waits as the program asked for, and says in *cost what it cost. Returns what SDL returns. */
int ar_waits_call(const struct ar_wait *wait, struct ar_wait_cost *cost);

/* Events were put into SDL's queue by SDL_PeepEvents, which no event watch is told. */
void ar_waits_added(void);

/* The program sets SDL up: event watches are gone if SDL had been shut down before. */
void ar_waits_set_up(void);

/* Whether waits that took `ns` in all and slept `switches` times were SDL's steps, and not one
 * sleep, or a few, for each. */
bool ar_waits_in_steps(uint64_t waits, uint64_t switches, uint64_t ns);

#endif
