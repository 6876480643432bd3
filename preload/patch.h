/* SPDX-License-Identifier: MIT */
/*
 * patch.h: the patched poll (ALLOCREPORT_PATCH=poll). Inside a thread's polls its allocations and
 * releases are answered by its magazine, and what cannot be goes to the allocator, counted with its
 * reason; between polls the magazine is filled. What is told to record.h is the same with and
 * without it. The hooks ask ar_patch_active(), which is one load and one test, and then call one
 * function in the real one's place; record_polls.c tells where polls begin and end.
 *
 * All functions belong to the calling thread and leave errno as the allocator does. They may be
 * called in signal handlers.
 */
#ifndef AR_PATCH_H
#define AR_PATCH_H

#include "preload/magazine.h"
#include "preload/thread.h"

#include <stdbool.h>
#include <stddef.h>

/* One thread's; in its ar_thread for ever, as that is taken over by a later one. */
struct ar_patch {
    struct ar_magazine *magazine;
    struct dump_patch *record;
    bool registered; /* the thread's end empties the magazine */
};

/* At start, once libc runs: the blocks of a thread that ends are given back. */
void ar_patch_start(void);

/* SDL's queue was given room for so many events (sdl_queue.h): for the next record. Any thread. */
void ar_patch_queue_made(uint64_t events);

/* Is this thread inside a poll that is patched? */
static inline bool ar_patch_active(void)
{
    return __builtin_expect(ar_self.patch != NULL, 0);
}

/* --- in the real functions' place, while ar_patch_active() ---------------------------------- */

void *ar_patch_malloc(size_t size) __attribute__((noinline, cold));
void *ar_patch_calloc(size_t size) __attribute__((noinline, cold));
void *ar_patch_realloc(void *block, size_t size) __attribute__((noinline, cold));
void ar_patch_free(void *block) __attribute__((noinline, cold));

/* `block` was allocated past the magazine, for this reason. NULL, or one that another hook has told
 * of already: nothing happens. */
void ar_patch_spilled(enum dump_spill why, const void *block, size_t size)
    __attribute__((noinline, cold));

/* --- around a thread's polls, with its guard set --------------------------------------------- */

/* Before an outermost poll is recorded: makes and fills what it needs. The first time it calls the
 * allocator. */
void ar_patch_prepare(struct ar_thread *thread);

/* From here on, and up to here, allocations are those of a poll. */
static inline void ar_patch_begin(const struct ar_thread *thread)
{
    ar_self.patch = thread->patch;
}
static inline void ar_patch_end(void)
{
    ar_self.patch = NULL;
}

/* The slow part of ar_patch_settle. */
void ar_patch_fill(struct ar_thread *thread) __attribute__((noinline, cold));

/* After a poll has been recorded: fills up what it has used. */
static inline void ar_patch_settle(struct ar_thread *thread)
{
    if (__builtin_expect(thread->patch != NULL, 0) && thread->patch->magazine->touched)
        ar_patch_fill(thread);
}

#endif
