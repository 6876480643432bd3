/* SPDX-License-Identifier: MIT */
#include "preload/span.h"

#include "preload/sys.h"

#include <sys/uio.h>

#define PAGE  ((uintptr_t)4096)
#define BATCH 16u /* pages that are asked for at once */
#define CONTIGUOUS                                                                                 \
    ((uintptr_t)1 << 20) /* a stack pointer this far below its span is still of it                 \
                          */
#define DISTANCE_MOST ((uintptr_t)64 << 20) /* frames are never this far from their callee's */

uint32_t ar_span_generation = 1;

void ar_spans_void(void)
{
    __atomic_fetch_add(&ar_span_generation, 1, __ATOMIC_ACQ_REL);
}

bool ar_span_peek(uintptr_t address, void *to, uintptr_t bytes)
{
    struct iovec local = {to, bytes};
    struct iovec remote = {(void *)address, bytes};

    return ar_syscall(SYS_process_vm_readv, ar_sys_getpid(), (long)&local, 1, (long)&remote, 1,
                      0) == (long)bytes;
}

/* How many of `count` pages from `page` on can be read, counted from the first. */
static unsigned readable_pages(uintptr_t page, unsigned count)
{
    char bytes[BATCH];
    unsigned char resident[BATCH];
    struct iovec local = {bytes, count};
    struct iovec remote[BATCH];
    long got;

    for (unsigned i = 0; i < count; i++)
        remote[i] = (struct iovec){(void *)(page + i * PAGE), 1};
    got =
        ar_syscall(SYS_process_vm_readv, ar_sys_getpid(), (long)&local, 1, (long)remote, count, 0);
    if (got >= 0)
        return (unsigned)got;
    if (got == -EFAULT)
        return 0;
    /* The call is forbidden here: whether the pages are mapped is the next best thing to know. */
    for (unsigned i = 0; i < count; i++)
        if (ar_syscall(SYS_mincore, (long)(page + i * PAGE), PAGE, (long)resident, 0, 0, 0) < 0)
            return i;
    return count;
}

bool ar_span_extend(struct ar_span *span, uintptr_t address)
{
    if (address - span->high > DISTANCE_MOST)
        return false;
    while (address >= span->high) {
        unsigned got = readable_pages(span->high, BATCH);

        if (got == 0)
            return false;
        span->high += got * PAGE;
    }
    return true;
}

/* The stack has grown down: what lies between is of it, if all of it can be read. */
static bool extend_down(struct ar_span *span, uintptr_t page)
{
    for (uintptr_t at = page; at < span->low;) {
        uintptr_t left = (span->low - at) / PAGE;
        unsigned count = left < BATCH ? (unsigned)left : BATCH;

        if (readable_pages(at, count) != count)
            return false;
        at += count * PAGE;
    }
    span->low = page;
    return true;
}

struct ar_span *ar_span_find(struct ar_spans *spans, uintptr_t sp)
{
    uintptr_t page = sp & ~(PAGE - 1);
    struct ar_span found = {page, page + PAGE}; /* the page in use can be read */
    uint32_t generation = __atomic_load_n(&ar_span_generation, __ATOMIC_ACQUIRE);
    unsigned at = 0;

    if (spans->generation != generation)
        *spans = (struct ar_spans){.generation = generation};
    for (; at < AR_SPANS; at++) {
        struct ar_span *span = &spans->spans[at];

        if (sp - span->low < span->high - span->low ||
            (span->low != 0 && span->low - page <= CONTIGUOUS && extend_down(span, page))) {
            found = *span;
            break;
        }
    }
    if (at == AR_SPANS)
        at--;
    for (; at > 0; at--)
        spans->spans[at] = spans->spans[at - 1];
    spans->spans[0] = found;
    return &spans->spans[0];
}
