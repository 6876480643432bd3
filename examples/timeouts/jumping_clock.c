/* SPDX-License-Identifier: MIT */
/*
 * jumping_clock: the system's time jumps by two hours, forth and back, whenever a program reads it.
 * Linked in or preloaded, it stands before the C library's functions that tell it. What sleeps
 * until a time of that clock then sleeps for hours, or not at all; what goes by CLOCK_MONOTONIC
 * sees nothing.
 */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define JUMP 7200 /* seconds */

static atomic_uint reads;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += atomic_fetch_add(&reads, 1) % 2 == 0 ? JUMP : -JUMP;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    *now = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now)
{
    struct timespec exact;

    clock_gettime(CLOCK_REALTIME, &exact);
    if (now != NULL)
        *now = exact.tv_sec;
    return exact.tv_sec;
}
