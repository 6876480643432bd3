/* SPDX-License-Identifier: MIT */
/*
 * hook_system.c: libc's poll, epoll_wait, select and their kin, as the polls of a loop that is no
 * SDL's. They count if ALLOCREPORT_LOOP asks for it; else nothing is left of a hook but a test and
 * a jump. Either way the real function is called with what the program gave, once, and what it
 * returns, errno, signals and cancellation are its own. libc's headers are left out: they may
 * define some of these as macros or inline functions.
 */
#include "preload/config.h"
#include "preload/real.h"
#include "preload/record.h"

#include <dlfcn.h>
#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

int poll(void *fds, unsigned long count, int timeout);
int ppoll(void *fds, unsigned long count, const void *timeout, const void *signals);
int __poll_chk(void *fds, unsigned long count, int timeout, size_t room);
int __ppoll_chk(void *fds, unsigned long count, const void *timeout, const void *signals,
                size_t room);
int select(int count, void *readable, void *writable, void *others, void *timeout);
int pselect(int count, void *readable, void *writable, void *others, const void *timeout,
            const void *signals);
int epoll_wait(int queue, void *events, int most, int timeout);
int epoll_pwait(int queue, void *events, int most, int timeout, const void *signals);
int epoll_pwait2(int queue, void *events, int most, const void *timeout, const void *signals);

/* Before the recorder's own start, as from another library's constructor. */
static __attribute__((noinline, cold)) void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (function == NULL)
        errno = ENOSYS;
    return function;
}

#define REAL(name)                                                                                 \
    (__builtin_expect(ar_real.name != NULL, 1) ? ar_real.name                                      \
                                               : (__typeof__(ar_real.name))find(#name))

static inline bool counts(void)
{
    return __builtin_expect(ar_config.loop == AR_LOOP_EPOLL, 0);
}

static bool begin(struct ar_hook hook)
{
    struct ar_poll_event event = {.kind = DUMP_SYSTEM};

    return ar_record_poll_begin(hook, &event);
}

static int end(struct ar_hook hook, bool outermost, int result)
{
    struct ar_poll_event event = {.kind = DUMP_SYSTEM, .answer = result > 0};

    if (outermost)
        ar_record_poll_end(hook, &event);
    else
        ar_record_inner_end();
    return result;
}

/*
 * A hook. What counts stands apart, so that the other way through needs no frame; it is reached by
 * a jump, and its caller is the program.
 */
#define HOOK(name, parameters, arguments)                                                          \
    static __attribute__((noinline)) int counted_##name parameters                                 \
    {                                                                                              \
        bool outermost = begin(AR_HOOK());                                                         \
                                                                                                   \
        return end(AR_HOOK(), outermost, ar_real.name arguments);                                  \
    }                                                                                              \
                                                                                                   \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        __typeof__(ar_real.name) real = REAL(name);                                                \
                                                                                                   \
        if (__builtin_expect(real == NULL, 0))                                                     \
            return -1;                                                                             \
        return counts() ? counted_##name arguments : real arguments;                               \
    }

HOOK(poll, (void *fds, unsigned long count, int timeout), (fds, count, timeout))

HOOK(ppoll, (void *fds, unsigned long count, const void *timeout, const void *signals),
     (fds, count, timeout, signals))

/* What poll and ppoll are in a program built with _FORTIFY_SOURCE. */
HOOK(__poll_chk, (void *fds, unsigned long count, int timeout, size_t room),
     (fds, count, timeout, room))

HOOK(__ppoll_chk,
     (void *fds, unsigned long count, const void *timeout, const void *signals, size_t room),
     (fds, count, timeout, signals, room))

HOOK(select, (int count, void *readable, void *writable, void *others, void *timeout),
     (count, readable, writable, others, timeout))

HOOK(pselect,
     (int count, void *readable, void *writable, void *others, const void *timeout,
      const void *signals),
     (count, readable, writable, others, timeout, signals))

HOOK(epoll_wait, (int queue, void *events, int most, int timeout), (queue, events, most, timeout))

HOOK(epoll_pwait, (int queue, void *events, int most, int timeout, const void *signals),
     (queue, events, most, timeout, signals))

HOOK(epoll_pwait2, (int queue, void *events, int most, const void *timeout, const void *signals),
     (queue, events, most, timeout, signals))
