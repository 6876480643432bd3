/* SPDX-License-Identifier: MIT */
/* record_private.h: what the files of record.h share and nobody else sees. */
#ifndef AR_RECORD_PRIVATE_H
#define AR_RECORD_PRIVATE_H

#include "preload/live.h"
#include "preload/record.h"
#include "preload/sites.h"

/* The slow part of ar_record_site: walks the stack. */
struct ar_site ar_record_walked_site(struct ar_thread *thread, struct ar_hook hook, uint32_t flags)
    __attribute__((noinline, cold));

/* The site of the stack that the hook was called from; `flags` are of dump_stack.flags. */
static inline struct ar_site ar_record_site(struct ar_thread *thread, struct ar_hook hook,
                                            uint32_t flags)
{
    struct ar_site site = ar_sites_remembered(thread->stack, hook.frame, hook.caller, flags);

    return __builtin_expect(site.number != 0, 1) ? site
                                                 : ar_record_walked_site(thread, hook, flags);
}

/* Both with the guard set; the thread's totals, the site's and the bytes in use. The first does not
 * put the block, nor does the second take it. */
void ar_record_count_alloc(struct ar_thread *thread, const struct ar_site *site, uint64_t size,
                           bool reallocated);
void ar_record_count_free(struct ar_thread *thread, const struct ar_live_block *block);

/* Blocks that glibc gave a mapping of their own; other allocators' cannot be told. */
bool ar_record_has_own_mapping(const void *block, size_t size);

/*
 * For hooks that may not enter, since a handler that calls them has interrupted another one.
 * ar_record_alloc_pending is false when the block is not kept and to be told as lost: no room, or
 * it is no handler that calls. A block that ar_record_take_pending has taken goes to
 * ar_record_free_pending, which loses it, and says so, where there is no room.
 */
bool ar_record_alloc_pending(struct ar_hook hook, const void *block, size_t size, bool reallocated);
bool ar_record_take_pending(const void *block, struct ar_live_block *live);
void ar_record_free_pending(const void *block, const struct ar_live_block *live);

/* Is the block, which an outer hook has got from an inner one, such an allocation? It is booked to
 * the outer one's caller then. */
bool ar_record_again_pending(struct ar_hook hook, const void *block);

/* The slow part of ar_record_leave. */
void ar_record_drain(struct ar_thread *interrupted_thread) __attribute__((noinline, cold));

/* To be used where ar_thread_enter has been: counts what handlers did meanwhile. */
static inline void ar_record_leave(struct ar_thread *thread)
{
    ar_thread_leave(thread);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler that comes now finds the guard unset */
    if (__builtin_expect(__atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED) != 0, 0))
        ar_record_drain(thread);
}

#endif
