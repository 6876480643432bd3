/* SPDX-License-Identifier: MIT */
/*
 * hook_memory.c: memory that the program takes away: what is known of stacks there (coroutines')
 * and of code (a JIT's) is void. Nothing of it is counted. An allocator calls these with its locks
 * held: they start nothing and look nothing up.
 */
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/span.h"
#include "preload/sys.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

static int answer(long result)
{
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

static void forget(void *start, size_t bytes)
{
    if (ar_real.malloc == NULL)
        return;
    ar_modules_unmapped((uintptr_t)start, (uintptr_t)start + bytes);
    ar_spans_void();
}

EXPORT int munmap(void *start, size_t bytes)
{
    int result;

    forget(start, bytes);
    result = ar_real.munmap != NULL
                 ? ar_real.munmap(start, bytes)
                 : answer(ar_syscall(SYS_munmap, (long)start, (long)bytes, 0, 0, 0, 0));
    ar_spans_void(); /* another thread may have looked meanwhile */
    return result;
}

EXPORT int mprotect(void *start, size_t bytes, int protection)
{
    int result;

    if ((protection & PROT_READ) == 0)
        forget(start, bytes);
    result = ar_real.mprotect != NULL
                 ? ar_real.mprotect(start, bytes, protection)
                 : answer(ar_syscall(SYS_mprotect, (long)start, (long)bytes, protection, 0, 0, 0));
    if ((protection & PROT_READ) == 0)
        ar_spans_void();
    return result;
}
