/* SPDX-License-Identifier: MIT */
#include "preload/pipes.h"

#include "preload/sys.h"

#include <linux/stat.h>

struct ar_next_pipe ar_pipes_next(void)
{
    struct ar_next_pipe next;

    for (unsigned i = 0; i < 2; i++)
        next.ends[i] = (int)ar_syscall(SYS_eventfd2, 0, O_CLOEXEC, 0, 0, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        if (next.ends[i] >= 0)
            ar_sys_close(next.ends[i]);
    return next;
}

void ar_pipes_close(const struct ar_next_pipe *next)
{
    struct statx ends[2];

    for (unsigned i = 0; i < 2; i++)
        if (next->ends[i] < 0 || ar_syscall(SYS_statx, next->ends[i], (long)"", AT_EMPTY_PATH,
                                            STATX_BASIC_STATS, (long)&ends[i], 0) < 0)
            return;
    if ((ends[0].stx_mode & S_IFMT) != S_IFIFO || ends[0].stx_ino != ends[1].stx_ino)
        return;
    ar_sys_close(next->ends[0]);
    ar_sys_close(next->ends[1]);
}
