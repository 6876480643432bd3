/* SPDX-License-Identifier: MIT */
#include "preload/memory.h"

#include "preload/sys.h"

#define PAGE        4096u /* a mapping is rounded up by the kernel where its pages are larger */
#define WIPE_ONFORK 18    /* MADV_WIPEONFORK, which older headers lack */

static uint64_t bytes_in_use;

static size_t round_up(size_t bytes)
{
    return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

void *ar_pages(size_t bytes)
{
    size_t size = round_up(bytes);
    void *pages = ar_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (pages != NULL)
        __atomic_fetch_add(&bytes_in_use, size, __ATOMIC_RELAXED);
    return pages;
}

void ar_pages_free(void *pages, size_t bytes)
{
    if (pages == NULL)
        return;
    ar_sys_munmap(pages, round_up(bytes));
    __atomic_fetch_sub(&bytes_in_use, round_up(bytes), __ATOMIC_RELAXED);
}

void *ar_pages_wiped_on_fork(size_t bytes)
{
    void *pages = ar_pages(bytes);

    if (pages != NULL)
        ar_syscall(SYS_madvise, (long)pages, (long)round_up(bytes), WIPE_ONFORK, 0, 0, 0);
    return pages;
}

uint64_t ar_pages_bytes(void)
{
    return __atomic_load_n(&bytes_in_use, __ATOMIC_RELAXED);
}
