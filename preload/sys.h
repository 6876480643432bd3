/* SPDX-License-Identifier: MIT */
/*
 * sys.h: system calls made directly. The recorder's own file work must never reach an open, write
 * or mmap that the program or another preloaded object defines, and must never change errno. For
 * all of preload/; nothing else here issues a system call.
 *
 * Each function returns what the kernel returns: a value, or -errno. Safe in signal handlers.
 */
#ifndef AR_SYS_H
#define AR_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* The program has taken system calls away from itself (hook_seccomp.c): from then on the recorder
 * makes none, and each is answered by -EPERM. */
extern bool ar_sys_frozen;

/* Whatever is forbidden. */
static inline long ar_sys_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#elif defined(__i386__)
    long result;

    /* The sixth goes by ebp, in which no operand can stand. */
    __asm__ volatile("pushl %7\n\tpushl %%ebp\n\tmovl 4(%%esp), %%ebp\n\tint $0x80\n\t"
                     "popl %%ebp\n\taddl $4, %%esp"
                     : "=a"(result)
                     : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e), "m"(f)
                     : "memory");
    return result;
#else
#error "this machine's system calls are not known"
#endif
}

static inline bool ar_sys_is_frozen(void)
{
    return __atomic_load_n(&ar_sys_frozen, __ATOMIC_RELAXED);
}

static inline long ar_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (__builtin_expect(ar_sys_is_frozen(), 0))
        return -EPERM;
    return ar_sys_call(number, a, b, c, d, e, f);
}

static inline int ar_sys_open(const char *path, int flags, int mode)
{
    return (int)ar_syscall(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC | O_LARGEFILE, mode,
                           0, 0);
}

static inline void ar_sys_close(int fd)
{
    ar_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long ar_sys_read(int fd, void *to, size_t bytes)
{
    return ar_syscall(SYS_read, fd, (long)to, (long)bytes, 0, 0, 0);
}

/* A pipe that nobody reads any more, or a file that may not grow, brings no signal. */
long ar_sys_write(int fd, const void *from, size_t bytes);

static inline long ar_sys_readlink(const char *path, char *to, size_t bytes)
{
    return ar_syscall(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)bytes, 0, 0);
}

/* NULL when it fails. */
static inline void *ar_sys_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                                uint64_t offset)
{
#if defined(__i386__)
    long result =
        ar_syscall(SYS_mmap2, (long)at, (long)bytes, protection, flags, fd, (long)(offset >> 12));
#else
    long result = ar_syscall(SYS_mmap, (long)at, (long)bytes, protection, flags, fd, (long)offset);
#endif

    return result < 0 && result > -4096 ? NULL : (void *)result;
}

/* Reserves the file's blocks for these bytes. */
static inline long ar_sys_fallocate(int fd, uint64_t from, uint64_t bytes)
{
#if defined(__i386__)
    return ar_syscall(SYS_fallocate, fd, 0, (long)from, (long)(from >> 32), (long)bytes,
                      (long)(bytes >> 32));
#else
    return ar_syscall(SYS_fallocate, fd, 0, (long)from, (long)bytes, 0, 0);
#endif
}

static inline long ar_sys_pwrite(int fd, const void *from, size_t bytes, uint64_t at)
{
#if defined(__i386__)
    return ar_syscall(SYS_pwrite64, fd, (long)from, (long)bytes, (long)at, (long)(at >> 32), 0);
#else
    return ar_syscall(SYS_pwrite64, fd, (long)from, (long)bytes, (long)at, 0, 0);
#endif
}

/* The effective one. */
static inline uint32_t ar_sys_geteuid(void)
{
#if defined(__i386__)
    return (uint32_t)ar_syscall(SYS_geteuid32, 0, 0, 0, 0, 0, 0);
#else
    return (uint32_t)ar_syscall(SYS_geteuid, 0, 0, 0, 0, 0, 0);
#endif
}

static inline void ar_sys_munmap(void *at, size_t bytes)
{
    ar_syscall(SYS_munmap, (long)at, (long)bytes, 0, 0, 0, 0);
}

static inline uint32_t ar_sys_getpid(void)
{
    return (uint32_t)ar_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline uint32_t ar_sys_gettid(void)
{
    return (uint32_t)ar_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/* Is there a thread `tid` in this process? A zombie leader counts as alive. */
static inline bool ar_sys_thread_alive(uint32_t pid, uint32_t tid)
{
    return ar_syscall(SYS_tgkill, pid, tid, 0, 0, 0, 0) != -ESRCH;
}

#endif
