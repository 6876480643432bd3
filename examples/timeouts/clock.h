/* SPDX-License-Identifier: MIT */
/*
 * clock.h: the one clock of the timeouts: CLOCK_MONOTONIC, as nanoseconds in a signed 64-bit
 * number, which last for 292 years. Setting the system's time does not move it.
 */
#ifndef EXAMPLES_TIMEOUTS_CLOCK_H
#define EXAMPLES_TIMEOUTS_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_NEVER       INT64_MAX
#define CLOCK_MICROSECOND INT64_C(1000)
#define CLOCK_MILLISECOND INT64_C(1000000)
#define CLOCK_SECOND      INT64_C(1000000000)

static inline int64_t clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * CLOCK_SECOND + now.tv_nsec;
}

/* now + nanoseconds (>= 0); CLOCK_NEVER where that is no time any more. */
static inline int64_t clock_after(int64_t now, int64_t nanoseconds)
{
    return nanoseconds >= CLOCK_NEVER - now ? CLOCK_NEVER : now + nanoseconds;
}

static inline struct timespec clock_timespec(int64_t time)
{
    return (struct timespec){.tv_sec = time / CLOCK_SECOND, .tv_nsec = time % CLOCK_SECOND};
}

/* From now until `time`, in milliseconds, rounded up: whoever waits so long is not early. 0 if that
 * has passed; at most `most`. */
static inline int64_t clock_milliseconds_until(int64_t time, int64_t most)
{
    int64_t left = time - clock_now();

    if (left <= 0)
        return 0;
    left = left / CLOCK_MILLISECOND + (left % CLOCK_MILLISECOND != 0);
    return left < most ? left : most;
}

#endif
