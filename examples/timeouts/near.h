/* SPDX-License-Identifier: MIT */
/*
 * near.h: near misses: alarms that are cancelled just when they fall due, on one core, while
 * another delivers them. Whether anything fires after cancel has returned, comes twice, or comes
 * early, is decided here, by counting. Called by the bench and by the tests; one run at a time.
 */
#ifndef EXAMPLES_TIMEOUTS_NEAR_H
#define EXAMPLES_TIMEOUTS_NEAR_H

#include "examples/timeouts/way.h"

#include <stdint.h>

/* fired + cancelled = misses, if nothing is wrong. */
struct near_counts {
    uint64_t misses;
    uint64_t fired;     /* the deadline was first */
    uint64_t cancelled; /* the cancel was first */
    uint64_t stale;     /* fired, or still under way, after cancel had returned, or fired twice */
    uint64_t early;     /* fired before the deadline */
};

/* Makes at least `misses` near misses with a way that has been started. The moment of cancelling is
 * moved by what came of the last ones, so that about half of them fire. Returns 0, or -errno if an
 * alarm could not be armed. */
int near_run(const struct way *way, uint64_t misses, struct near_counts *counts);

#endif
