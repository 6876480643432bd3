/* SPDX-License-Identifier: MIT */
/*
 * clock.h: the time in nanoseconds of CLOCK_MONOTONIC, which never runs backwards here, by libc's
 * own clock_gettime, found at start, so that a program's or another preload's function of that name
 * is not asked. Any thread, signal handlers.
 */
#ifndef AR_CLOCK_H
#define AR_CLOCK_H

#include <stdint.h>

/*
 * A clock for one thread that asks for the time very often: between two looks at the real clock,
 * which are never more than AR_STOPWATCH_NS apart, it counts the processor's constant-rate ticks,
 * where there are any. Never runs backwards. Zero-initialised.
 */
#define AR_STOPWATCH_NS 4000000u
struct ar_stopwatch {
    uint64_t ns;     /* at the last look */
    uint64_t ticks;  /* at the last look */
    uint64_t scale;  /* nanoseconds per tick times 2^32; 0: not known yet */
    uint64_t valid;  /* ticks after the last look for which `scale` may serve */
    uint64_t latest; /* the last answer */
};
uint64_t ar_stopwatch_ns(struct ar_stopwatch *watch);

/* Call once, at start; until then the others are system calls. It calls dlopen. */
void ar_clock_start(void);
uint64_t ar_clock_ns(void);
uint64_t ar_clock_realtime_ns(void);

#endif
