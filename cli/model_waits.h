/* SPDX-License-Identifier: MIT */
/*
 * model_waits.h: what SDL's waits for events cost, of one loop or of several. Filled by
 * model_waits.c; model_data.h includes it.
 */
#ifndef CLI_MODEL_WAITS_H
#define CLI_MODEL_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct dump_loop;

struct model_waits {
    uint64_t count;    /* SDL_WaitEvent, SDL_WaitEventTimeout with a time that is not 0 */
    uint64_t replaced; /* of these, not SDL's own (ALLOCREPORT_PATCH=wait) */
    uint64_t ns;       /* inside them */
    uint64_t switches; /* times that the thread went to sleep in them, and so was woken */
    uint64_t cpu_ns;   /* processor time in them */
};

struct model_waits model_waits_of(const struct dump_loop *loop);
void model_waits_add(struct model_waits *sum, const struct model_waits *more); /* saturating */

/*
 * Whether SDL sleeps in steps and looks after each (FORMAT.md, "Loops"): more than twice as many
 * wake-ups as waits, and at least 40 a second of those that ended no wait. SDL's steps are of 1 ms
 * or, to 2.0.10, of 10 ms; a wait that blocks is one wake-up, or a few.
 */
bool model_waits_in_steps(const struct model_waits *waits);

/* Of one second of waiting; 0 without any. */
double model_waits_wakeups(const struct model_waits *waits);
double model_waits_cpu(const struct model_waits *waits); /* seconds */

/* From one wake-up to the next, on average, in ns: an event that comes in a step waits for half of
 * it, on average. 0 without any. */
uint64_t model_waits_step_ns(const struct model_waits *waits);

#endif
