/* SPDX-License-Identifier: MIT */
#include "preload/sys.h"

#include <signal.h>
#include <time.h>

bool ar_sys_frozen;

long ar_sys_write(int fd, const void *from, size_t bytes)
{
    uint64_t both = UINT64_C(1) << (SIGPIPE - 1) | UINT64_C(1) << (SIGXFSZ - 1);
    uint64_t before = 0;
    uint64_t pending = 0;
    uint64_t own;
    struct timespec at_once = {0, 0};
    long result;

    ar_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&both, (long)&before, sizeof before, 0, 0);
    ar_syscall(SYS_rt_sigpending, (long)&pending, sizeof pending, 0, 0, 0, 0);
    result = ar_syscall(SYS_write, fd, (long)from, (long)bytes, 0, 0, 0);
    own = both & ~pending;
    if ((result == -EPIPE || result == -EFBIG) && own != 0)
        ar_syscall(SYS_rt_sigtimedwait, (long)&own, 0, (long)&at_once, sizeof own, 0, 0);
    ar_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, sizeof before, 0, 0);
    return result;
}
