/* SPDX-License-Identifier: MIT */
/*
 * span.h: which addresses around a thread's stack pointer may be read. They are found by asking the
 * kernel, page by page and once for each, not by asking libc for the stack's bounds (which locks
 * and allocates): so it holds for the main stack, threads' stacks, signal stacks and coroutines'
 * alike. Belongs to one thread.
 */
#ifndef AR_SPAN_H
#define AR_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#define AR_SPANS 4u /* stacks of one thread that are remembered: coroutines switch between some */

struct ar_span {
    uintptr_t low;
    uintptr_t high; /* first address that is not known to be readable */
};

struct ar_spans {
    uint32_t generation;            /* of mappings */
    struct ar_span spans[AR_SPANS]; /* the one that was used last is first */
};

/* One more whenever the program may have taken memory away: what was learnt before is void. */
extern uint32_t ar_span_generation;
void ar_spans_void(void);

/* Copies what may be read at all: any address, one system call. */
bool ar_span_peek(uintptr_t address, void *to, uintptr_t bytes);

/* The slow part of ar_span_of: asks the kernel. */
struct ar_span *ar_span_find(struct ar_spans *spans, uintptr_t sp);

/* Tries to bring span->high above `address`. False: what lies between cannot be read. */
bool ar_span_extend(struct ar_span *span, uintptr_t address);

/* The span that holds the stack pointer. */
static inline struct ar_span *ar_span_of(struct ar_spans *spans, uintptr_t sp)
{
    struct ar_span *first = &spans->spans[0];

    if (__builtin_expect(sp - first->low < first->high - first->low, 1) &&
        __builtin_expect(
            spans->generation == __atomic_load_n(&ar_span_generation, __ATOMIC_ACQUIRE), 1))
        return first;
    return ar_span_find(spans, sp);
}

/* May the word at `address`, which is aligned and not below span->low, be read? */
static inline bool ar_span_covers(struct ar_span *span, uintptr_t address)
{
    return __builtin_expect(address < span->high, 1) || ar_span_extend(span, address);
}

#endif
