/* SPDX-License-Identifier: MIT */
#include "preload/clock.h"

#include "preload/sys.h"

#include <dlfcn.h>
#include <time.h>

static int (*libc_clock_gettime)(clockid_t, struct timespec *);

void ar_clock_start(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

    if (libc != NULL)
        *(void **)&libc_clock_gettime = dlsym(libc, "clock_gettime");
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec time = {0, 0};

    if (libc_clock_gettime == NULL || libc_clock_gettime(clock, &time) != 0)
        ar_syscall(SYS_clock_gettime, clock, (long)&time, 0, 0, 0, 0);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t ar_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t ar_clock_realtime_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}
