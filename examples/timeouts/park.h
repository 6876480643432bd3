/* SPDX-License-Identifier: MIT */
/*
 * park.h: sleep until a word changes or a time has come: Linux's futex, with times of
 * CLOCK_MONOTONIC. No memory, no descriptor, and no system call while nothing has to wait.
 */
#ifndef EXAMPLES_TIMEOUTS_PARK_H
#define EXAMPLES_TIMEOUTS_PARK_H

#include "examples/timeouts/clock.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps while *word is `seen`, but not beyond `until` (CLOCK_NEVER: without end). It may return
 * before, so callers look again at both. */
static inline void park_wait(atomic_uint *word, unsigned seen, int64_t until)
{
    struct timespec end = clock_timespec(until);

    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, until == CLOCK_NEVER ? NULL : &end,
            NULL, FUTEX_BITSET_MATCH_ANY);
}

/* Wakes all that sleep on the word, which has been changed before. */
static inline void park_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

#endif
