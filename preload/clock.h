/* SPDX-License-Identifier: MIT */
/*
 * clock.h: the time in nanoseconds of CLOCK_MONOTONIC, by libc's own clock_gettime, found at start,
 * so that a program's or another preload's function of that name is not asked. Any thread, signal
 * handlers.
 */
#ifndef AR_CLOCK_H
#define AR_CLOCK_H

#include <stdint.h>

/* Call once, at start; until then the others are system calls. It calls dlopen. */
void ar_clock_start(void);
uint64_t ar_clock_ns(void);
uint64_t ar_clock_realtime_ns(void);

#endif
