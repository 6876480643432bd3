/* SPDX-License-Identifier: MIT */
/*
 * real.h: the functions beneath the recorder: those that the program would have reached without it.
 * Resolved once, at start, by dlsym(RTLD_NEXT); a member that does not exist there is NULL. SDL's
 * are looked up at their first call, since SDL may come later by dlopen.
 */
#ifndef AR_REAL_H
#define AR_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info;

struct ar_real {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
    size_t (*malloc_usable_size)(void *);
    void (*free_sized)(void *, size_t);
    void (*free_aligned_sized)(void *, size_t, size_t);
    int (*poll)(void *, unsigned long, int);
    int (*ppoll)(void *, unsigned long, const void *, const void *);
    int (*__poll_chk)(void *, unsigned long, int, size_t);
    int (*__ppoll_chk)(void *, unsigned long, const void *, const void *, size_t);
    int (*select)(int, void *, void *, void *, void *);
    int (*pselect)(int, void *, void *, void *, const void *, const void *);
    int (*epoll_wait)(int, void *, int, int);
    int (*epoll_pwait)(int, void *, int, int, const void *);
    int (*epoll_pwait2)(int, void *, int, const void *, const void *);
    int (*dlclose)(void *);
    void (*finalize)(void *); /* __cxa_finalize */
    int (*munmap)(void *, size_t);
    int (*mprotect)(void *, size_t, int);
    int (*prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);
    int (*execve)(const char *, char *const[], char *const[]);
    int (*execv)(const char *, char *const[]);
    int (*execvp)(const char *, char *const[]);
    int (*execvpe)(const char *, char *const[], char *const[]);
    int (*fexecve)(int, char *const[], char *const[]);
    int (*execveat)(int, const char *, char *const[], char *const[], int);
    void (*quick_exit)(int);
    void (*immediate_exit)(int);
    int (*iterate_objects)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
};

/* How C++ mangles size_t. */
#if UINTPTR_MAX > UINT32_MAX
#define AR_SIZE_T "m"
#else
#define AR_SIZE_T "j"
#endif

/* C++'s operators, in the order of hook_new.c; NULL where the program has no C++ library (yet). */
#define AR_NEW_COUNT    8u
#define AR_DELETE_COUNT 12u
extern void *ar_real_new[AR_NEW_COUNT];
extern void *ar_real_delete[AR_DELETE_COUNT];
/* Is the operator one of the allocator's own, whose blocks are malloc's? */
extern bool ar_real_new_is_mallocs[AR_NEW_COUNT];
extern bool ar_real_delete_is_mallocs[AR_DELETE_COUNT];
extern const char *const ar_new_names[AR_NEW_COUNT];
extern const char *const ar_delete_names[AR_DELETE_COUNT];

/* libc's syscall, apart since hook_seccomp.c jumps there; NULL until it is known. */
extern void *ar_real_syscall;

/* `malloc` is set last: while it is NULL no member may be used. */
extern struct ar_real ar_real;

/* Was this library loaded at the program's start, before libc and in its namespace? Else the
 * program's allocations do not come here: a library that is loaded later stands behind libc in the
 * loader's list. */
bool ar_real_preloaded(void);

/* Call once, at start, when the loader has relocated everything. False: no allocator was found. */
bool ar_real_start(void);

/* Path of the object whose malloc this is, or "?"; it belongs to the loader. */
const char *ar_real_allocator(void);

/* Is the allocator beneath glibc's own? */
bool ar_real_is_glibc(void);

/*
 * The function `name` that the caller at `caller` would have reached: the next one in the global
 * scope, else the one in the scope of the caller's own object (which came by dlopen). `own` is the
 * recorder's function of that name, which is never the answer. NULL when there is none. May take
 * the loader's lock and allocate: never call it from an allocation hook.
 */
void *ar_real_for_caller(const char *name, const void *caller, const void *own);

#endif
