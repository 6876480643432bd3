/* SPDX-License-Identifier: MIT */
/*
 * allocreport.h: marks for a loop that is not SDL's, so that allocreport can say what it allocates:
 *
 *     for (;;) {
 *         allocreport_poll_begin();
 *         int events = epoll_wait(fd, list, size, -1);
 *         allocreport_poll_end(events);
 *         ...
 *         allocreport_frame();
 *     }
 *
 * There is nothing to link. Without liballocreport.so in the process a mark is one test of a
 * pointer; in a static executable that pointer is always null. For C and C++, any thread, not for
 * signal handlers. Where there is no ELF, or no compiler with GNU's extensions, marks are empty.
 * liballocreport(7) says more.
 */
#ifndef ALLOCREPORT_H
#define ALLOCREPORT_H

#if defined(__ELF__) && defined(__GNUC__)

#ifdef __cplusplus
#define ALLOCREPORT_MARK                                                                           \
    __attribute__((always_inline, visibility("hidden"))) inline /* one in the program */
extern "C" {
#else
#define ALLOCREPORT_MARK __attribute__((always_inline)) static __inline__
#endif

/*
 * The recorder's functions; null where it is absent. Code that is not position independent would
 * have the linker decide that, before any recorder can be there; so it looks into the table of
 * addresses that the loader fills in.
 */
#if defined(__x86_64__) && defined(__LP64__) && !defined(__PIC__) && !defined(__code_model_large__)
#define ALLOCREPORT_FIND(pointer, name)                                                            \
    __asm__(".weak " #name "\n\tmovq " #name "@GOTPCREL(%%rip), %0" : "=r"(pointer))
#else
extern void allocreport_mark_begin(void) __attribute__((weak, visibility("default")));
extern void allocreport_mark_end(int) __attribute__((weak, visibility("default")));
extern void allocreport_mark_frame(void) __attribute__((weak, visibility("default")));
#define ALLOCREPORT_FIND(pointer, name) ((pointer) = (name))
#endif

/*
 * A poll begins, and ends: a turn of the loop is counted from one end to the next, and what is
 * allocated between begin and end is told apart. `events`: how many it brought, as poll and
 * epoll_wait say it; 0 or less: none. Other polls inside are not counted.
 *
 * Around an operation instead, with nothing allocated between one and the next, they count
 * operations: bytes per poll are bytes per operation then, exactly.
 */
ALLOCREPORT_MARK void allocreport_poll_begin(void)
{
    void (*mark)(void);

    ALLOCREPORT_FIND(mark, allocreport_mark_begin);
    if (__builtin_expect(!!mark, 0))
        mark();
}

ALLOCREPORT_MARK void allocreport_poll_end(int events)
{
    void (*mark)(int);

    ALLOCREPORT_FIND(mark, allocreport_mark_end);
    if (__builtin_expect(!!mark, 0))
        mark(events);
}

/* A frame is over: what a present is in a program that draws. */
ALLOCREPORT_MARK void allocreport_frame(void)
{
    void (*mark)(void);

    ALLOCREPORT_FIND(mark, allocreport_mark_frame);
    if (__builtin_expect(!!mark, 0))
        mark();
}

#undef ALLOCREPORT_FIND
#undef ALLOCREPORT_MARK
#ifdef __cplusplus
}
#endif

#else

#define allocreport_poll_begin()     ((void)0)
#define allocreport_poll_end(events) ((void)(events))
#define allocreport_frame()          ((void)0)

#endif

#endif
