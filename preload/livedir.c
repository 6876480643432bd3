/* SPDX-License-Identifier: MIT */
#include "preload/livedir.h"

#include "preload/config.h"
#include "preload/sys.h"

#include <linux/magic.h>
#include <linux/stat.h>
#include <stddef.h>
#include <sys/statfs.h>

#define W_OK_BIT 2
#define X_OK_BIT 1

static bool is_tmpfs(const char *directory)
{
    struct statfs status;

    return ar_syscall(SYS_statfs, (long)directory, (long)&status, 0, 0, 0, 0) == 0 &&
           status.f_type == TMPFS_MAGIC;
}

/* A directory that others may write to must keep them from removing what is not theirs. */
static bool is_safe(const char *directory)
{
    struct statx status;
    uint32_t uid = ar_sys_geteuid();

    if (ar_syscall(SYS_statx, AT_FDCWD, (long)directory, 0, STATX_BASIC_STATS, (long)&status, 0) <
        0)
        return false;
    if ((status.stx_mode & S_IFMT) != S_IFDIR)
        return false;
    if ((status.stx_mode & (S_IWGRP | S_IWOTH)) != 0)
        return (status.stx_mode & S_ISVTX) != 0 && status.stx_uid == 0;
    return status.stx_uid == uid;
}

static bool is_usable(const char *directory)
{
    return directory != NULL && directory[0] == '/' && is_tmpfs(directory) && is_safe(directory) &&
           ar_syscall(SYS_faccessat, AT_FDCWD, (long)directory, W_OK_BIT | X_OK_BIT, 0, 0, 0) == 0;
}

const char *ar_livedir_find(const char *directory)
{
    const char *runtime = ar_config_environment("XDG_RUNTIME_DIR");

    if (is_tmpfs(directory))
        return NULL;
    if (is_usable(runtime))
        return runtime;
    return is_usable("/dev/shm") ? "/dev/shm" : NULL;
}
