/* SPDX-License-Identifier: MIT */
#include "preload/clock.h"

#include "preload/sys.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static int (*libc_clock_gettime)(clockid_t, struct timespec *);
static bool ticks_usable;

#if defined(__x86_64__) || defined(__i386__)
/* The time-stamp counter may be read, runs at a constant rate and goes on in deep sleep. */
static bool find_ticks(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    int allowed = 0;

    if (ar_syscall(SYS_prctl, PR_GET_TSC, (long)&allowed, 0, 0, 0, 0) < 0 ||
        allowed != PR_TSC_ENABLE)
        return false;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

static inline uint64_t read_ticks(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static bool find_ticks(void)
{
    return true;
}

static inline uint64_t read_ticks(void)
{
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#endif

void ar_clock_start(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

    ticks_usable = find_ticks();
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

/* The kernel's clock may run backwards all the same, where a machine is moved or restored. */
uint64_t ar_clock_ns(void)
{
    static uint64_t latest;
    uint64_t ns = read_clock(CLOCK_MONOTONIC);
    uint64_t before = __atomic_load_n(&latest, __ATOMIC_RELAXED);

    while (before < ns && !__atomic_compare_exchange_n(&latest, &before, ns, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        continue;
    return before < ns ? ns : before;
}

uint64_t ar_clock_realtime_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

/* The rate is learnt from two looks that lie far enough apart, and corrected by each later one. */
static uint64_t look(struct ar_stopwatch *watch, uint64_t ticks)
{
    uint64_t ns = ar_clock_ns();
    uint64_t passed_ns = ns - watch->ns;
    uint64_t passed = ticks - watch->ticks;

    if (watch->ns != 0 && passed_ns < AR_STOPWATCH_NS / 4)
        return ns;
    if (watch->ns != 0 && passed_ns < UINT32_MAX && passed > 0 && passed < UINT32_MAX) {
        watch->scale = (passed_ns << 32) / passed;
        watch->valid = watch->scale > 0 ? ((uint64_t)AR_STOPWATCH_NS << 32) / watch->scale : 0;
    }
    watch->ns = ns;
    watch->ticks = ticks;
    return ns;
}

uint64_t ar_stopwatch_ns(struct ar_stopwatch *watch)
{
    uint64_t ticks;
    uint64_t passed;
    uint64_t ns;

    if (!ticks_usable)
        return ar_clock_ns();
    ticks = read_ticks();
    passed = ticks - watch->ticks;
    if (passed < watch->valid)
        ns = watch->ns + ((passed * watch->scale) >> 32);
    else
        ns = look(watch, ticks);
    if (ns < watch->latest)
        ns = watch->latest;
    watch->latest = ns;
    return ns;
}
