/* SPDX-License-Identifier: MIT */
#include "preload/memory.h"

#include "preload/sys.h"

#define PAGE        4096u /* a mapping is rounded up by the kernel where its pages are larger */
#define WIPE_ONFORK 18    /* MADV_WIPEONFORK, which older headers lack */

#define MAPPINGS_MOST 8192u
#define ASKED_AT_ONCE 1024u /* pages */

/* Those that are handed out, for ar_pages_resident alone; what finds no place is not counted there.
 */
static struct mapping {
    uintptr_t pages; /* 0: unused */
    size_t bytes;
} mappings[MAPPINGS_MOST];
static uint32_t mappings_used; /* places that were ever used */

static size_t round_up(size_t bytes)
{
    return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void remember(void *pages, size_t bytes)
{
    uint32_t place = __atomic_fetch_add(&mappings_used, 1, __ATOMIC_RELAXED);

    if (place >= MAPPINGS_MOST) {
        __atomic_store_n(&mappings_used, MAPPINGS_MOST, __ATOMIC_RELAXED);
        return;
    }
    mappings[place].bytes = bytes;
    __atomic_store_n(&mappings[place].pages, (uintptr_t)pages, __ATOMIC_RELEASE);
}

void *ar_pages(size_t bytes)
{
    size_t size = round_up(bytes);
    void *pages = ar_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (pages != NULL)
        remember(pages, size);
    return pages;
}

static uint32_t places(void)
{
    uint32_t used = __atomic_load_n(&mappings_used, __ATOMIC_RELAXED);

    return used < MAPPINGS_MOST ? used : MAPPINGS_MOST;
}

void ar_pages_free(void *pages, size_t bytes)
{
    if (pages == NULL)
        return;
    for (uint32_t i = places(); i-- > 0;) {
        uintptr_t expected = (uintptr_t)pages;

        if (__atomic_compare_exchange_n(&mappings[i].pages, &expected, 0, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            break;
    }
    ar_sys_munmap(pages, round_up(bytes));
}

void ar_pages_shrink(void *pages, size_t bytes, size_t kept)
{
    for (uint32_t i = places(); i-- > 0;)
        if (__atomic_load_n(&mappings[i].pages, __ATOMIC_RELAXED) == (uintptr_t)pages) {
            __atomic_store_n(&mappings[i].bytes, kept, __ATOMIC_RELAXED);
            break;
        }
    ar_sys_munmap((char *)pages + kept, bytes - kept);
}

static uint64_t resident(uintptr_t pages, size_t bytes)
{
    unsigned char in_memory[ASKED_AT_ONCE];
    uint64_t sum = 0;

    while (bytes > 0) {
        size_t asked = bytes < ASKED_AT_ONCE * (size_t)PAGE ? bytes : ASKED_AT_ONCE * (size_t)PAGE;

        if (ar_syscall(SYS_mincore, (long)pages, (long)asked, (long)in_memory, 0, 0, 0) < 0)
            return sum;
        for (size_t i = 0; i < asked / PAGE; i++)
            sum += (in_memory[i] & 1) != 0 ? PAGE : 0;
        pages += asked;
        bytes -= asked;
    }
    return sum;
}

uint64_t ar_pages_resident(void)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < places(); i++) {
        uintptr_t pages = __atomic_load_n(&mappings[i].pages, __ATOMIC_ACQUIRE);

        if (pages != 0)
            sum += resident(pages, __atomic_load_n(&mappings[i].bytes, __ATOMIC_RELAXED));
    }
    return sum;
}

void *ar_pages_wiped_on_fork(size_t bytes)
{
    void *pages = ar_pages(bytes);

    if (pages != NULL)
        ar_syscall(SYS_madvise, (long)pages, (long)round_up(bytes), WIPE_ONFORK, 0, 0, 0);
    return pages;
}
