/* SPDX-License-Identifier: MIT */
/*
 * hook_process.c: the ways a program ends without destructors.
 */
#include "preload/process.h"
#include "preload/real.h"
#include "preload/sys.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static _Noreturn void exit_now(int status)
{
    ar_process_end(DUMP_EXITED);
    if (ar_real.immediate_exit != NULL)
        ar_real.immediate_exit(status);
    for (;;)
        ar_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

EXPORT _Noreturn void _exit(int status)
{
    exit_now(status);
}

EXPORT _Noreturn void _Exit(int status)
{
    exit_now(status);
}

/* Its handlers run after the dump's end, and are still recorded. */
EXPORT _Noreturn void quick_exit(int status)
{
    ar_process_end(DUMP_EXITED);
    if (ar_real.quick_exit != NULL)
        ar_real.quick_exit(status);
    exit_now(status);
}
