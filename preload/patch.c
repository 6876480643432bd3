/* SPDX-License-Identifier: MIT */
#include "preload/patch.h"

#include "preload/config.h"
#include "preload/foreign.h"
#include "preload/lock.h"
#include "preload/log.h"
#include "preload/mapfile.h"
#include "preload/memory.h"
#include "preload/polls.h"
#include "preload/real.h"
#include "preload/record.h"
#include "preload/tally.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define MIB          ((uint64_t)1 << 20)
#define SHRINK_LEAST 256u  /* a smaller block is not worth moving when it shrinks */
#define STRING_STORE 1024u /* from so many bytes on "rep stosb" is faster than words */

static pthread_key_t at_thread_end;
static bool has_key;
static uint64_t queue_made; /* and in no record yet */

void ar_patch_queue_made(uint64_t events)
{
    __atomic_fetch_add(&queue_made, events, __ATOMIC_RELAXED);
}

/* A thread's destructors may still allocate: they get what they ask for from the allocator. */
static void give_all_back(void *data)
{
    struct ar_patch *patch = data;
    struct ar_foreign foreign;
    int saved = errno;

    patch->registered = false;
    if (ar_state == NULL || __atomic_load_n(&ar_state->generation, __ATOMIC_RELAXED) == 0)
        return; /* a forked child's parent has it */
    ar_self.patch = NULL;
    foreign = ar_foreign_begin();
    ar_magazine_empty(patch->magazine);
    ar_foreign_end(foreign);
    patch->record->given_back = patch->magazine->given_back;
    patch->record->held_blocks = patch->record->held_bytes = 0;
    errno = saved;
}

void ar_patch_start(void)
{
    has_key = (ar_config.patch & AR_PATCH_POLL) != 0 &&
              pthread_key_create(&at_thread_end, give_all_back) == 0;
    if (ar_real.malloc_usable_size == NULL && (ar_config.patch & AR_PATCH_POLL) != 0)
        ar_log("the poll is not patched", "the allocator does not tell the sizes of its blocks");
}

/* --- what was asked for ----------------------------------------------------------------------- */

/* In a forked child, until its first recorded call, this is still the parent's. */
static struct ar_patch *current(void)
{
    const struct ar_state *state = __atomic_load_n(&ar_state, __ATOMIC_RELAXED);

    if (state == NULL || __atomic_load_n(&state->generation, __ATOMIC_RELAXED) == 0)
        ar_self.patch = NULL;
    return ar_self.patch;
}

static void *served(const struct ar_patch *patch, void *block)
{
    patch->record->requests++;
    patch->record->served++;
    return block;
}

/* The tally of the heap's calls, in the window that is open. */
static struct dump_tally *heap_of(const struct ar_patch *patch)
{
    const struct dump_clock *clock = ar_self.thread->clock;

    ar_tally_enter(&patch->record->heap, clock, __atomic_load_n(&clock->window, __ATOMIC_RELAXED),
                   0);
    return &patch->record->heap;
}

static void spilled(const struct ar_patch *patch, enum dump_spill why, size_t size,
                    bool reallocated)
{
    struct dump_tally *heap = heap_of(patch);

    patch->record->requests++;
    patch->record->spilled[why]++;
    ar_tally_alloc(heap, size);
    heap->now.reallocations += reallocated;
}

static enum dump_spill reason(const struct ar_patch *patch, size_t size)
{
    if (ar_magazine_class_of(size) == AR_MAGAZINE_CLASSES)
        return DUMP_SPILL_SIZE;
    return patch->magazine->busy ? DUMP_SPILL_OTHER : DUMP_SPILL_EMPTY;
}

void ar_patch_spilled(enum dump_spill why, const void *block, size_t size)
{
    const struct ar_patch *patch = current();

    if (patch != NULL && block != NULL && !ar_record_counted(block))
        spilled(patch, why, size, false);
}

void *ar_patch_malloc(size_t size)
{
    const struct ar_patch *patch = current();
    void *block = patch != NULL ? ar_magazine_take(patch->magazine, size) : NULL;

    if (block != NULL)
        return served(patch, block);
    block = ar_real.malloc(size);
    if (patch != NULL)
        ar_patch_spilled(reason(patch, size), block, size);
    return block;
}

static void clear(void *block, size_t size)
{
#if defined(__x86_64__)
    void *at = block;

    if (size >= STRING_STORE) {
        __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(0) : "memory");
        return;
    }
#endif
    memset(block, 0, size);
}

void *ar_patch_calloc(size_t size)
{
    const struct ar_patch *patch = current();
    void *block = patch != NULL ? ar_magazine_take(patch->magazine, size) : NULL;

    if (block != NULL) {
        clear(block, size);
        return served(patch, block);
    }
    block = ar_real.calloc(1, size);
    if (patch != NULL)
        ar_patch_spilled(reason(patch, size), block, size);
    return block;
}

static void put(const struct ar_patch *patch, void *block, size_t usable)
{
    patch->record->releases++;
    if (ar_magazine_put(patch->magazine, block, usable))
        return;
    ar_tally_free(heap_of(patch), usable);
    ar_real.free(block);
}

void ar_patch_free(void *block)
{
    const struct ar_patch *patch = current();
    size_t usable;

    if (patch == NULL) {
        ar_real.free(block);
        return;
    }
    usable = ar_real.malloc_usable_size(block);
    if (ar_self.thread->unknown == block) {
        ar_self.thread->unknown = NULL;
        /* Released a second time while it stands ready here: it must not be given out twice. */
        if (ar_magazine_holds(patch->magazine, block, usable))
            return;
    }
    put(patch, block, usable);
}

static void *spilled_realloc(const struct ar_patch *patch, void *block, size_t size)
{
    enum dump_spill why = reason(patch, size);

    block = ar_real.realloc(block, size);
    if (block != NULL && !ar_record_counted(block))
        spilled(patch, why, size, true);
    return block;
}

/* In the program's counts the block is released and allocated, as everywhere. */
static void *in_place(const struct ar_patch *patch, void *block)
{
    patch->record->releases++;
    return served(patch, block);
}

/* As glibc's: a block of no bytes is released. What others do is theirs. */
static void *realloc_to_nothing(const struct ar_patch *patch, void *block)
{
    size_t usable = ar_real.malloc_usable_size(block);
    void *to;

    if (ar_real_is_glibc()) {
        put(patch, block, usable);
        return NULL;
    }
    to = spilled_realloc(patch, block, 0);
    if (to == NULL) {
        patch->record->releases++;
        ar_tally_free(heap_of(patch), usable);
    }
    return to;
}

void *ar_patch_realloc(void *block, size_t size)
{
    const struct ar_patch *patch = current();
    size_t usable;
    void *to;

    if (patch == NULL)
        return ar_real.realloc(block, size);
    if (block == NULL)
        return ar_patch_malloc(size);
    if (size == 0)
        return realloc_to_nothing(patch, block);
    usable = ar_real.malloc_usable_size(block);
    if (size <= usable && (usable <= SHRINK_LEAST || size >= usable / 2))
        return in_place(patch, block);
    to = ar_magazine_take(patch->magazine, size);
    if (to == NULL)
        return size <= usable && usable <= AR_MAGAZINE_LARGEST
                   ? in_place(patch, block)
                   : spilled_realloc(patch, block, size);
    memcpy(to, block, size < usable ? size : usable);
    put(patch, block, usable);
    return served(patch, to);
}

/* --- a thread's ------------------------------------------------------------------------------- */

static void publish(const struct ar_patch *patch)
{
    const struct ar_magazine *magazine = patch->magazine;
    struct dump_patch *record = patch->record;

    record->queue_events += __atomic_exchange_n(&queue_made, 0, __ATOMIC_RELAXED);
    record->missing_bytes = magazine->missing_bytes;
    record->missing = magazine->missing;
    record->refills = magazine->refills;
    record->refilled = magazine->refilled;
    record->given_back = magazine->given_back;
    record->held_blocks = magazine->held_blocks;
    record->held_bytes = magazine->held_bytes;
    record->held_most_bytes = magazine->held_most_bytes;
}

void ar_patch_fill(struct ar_thread *thread)
{
    struct ar_patch *patch = thread->patch;
    int saved = errno;
    struct ar_foreign foreign = ar_foreign_begin();

    ar_magazine_settle(patch->magazine);
    if (!patch->registered && has_key)
        patch->registered = pthread_setspecific(at_thread_end, patch) == 0;
    ar_foreign_end(foreign);
    ar_polls_heap_is_own(thread);
    publish(patch);
    errno = saved;
}

static struct dump_patch *new_record(const struct ar_thread *thread)
{
    struct ar_held held = ar_lock();
    struct dump_chunk *chunk = ar_chunk_new(DUMP_PATCH, sizeof(struct dump_patch),
                                            sizeof(struct dump_patch), thread->record->id);
    struct dump_patch *record = ar_chunk_place(chunk, sizeof *record);

    if (record != NULL) {
        record->thread = thread->record->id;
        record->modes = (uint32_t)ar_config.patch;
        record->limit_bytes = ar_config.reserve * MIB;
        ar_chunk_commit(chunk, sizeof *record);
    }
    ar_unlock(held);
    return record;
}

static struct ar_patch *new_patch(const struct ar_thread *thread)
{
    struct ar_patch *patch = ar_pages(sizeof *patch);

    if (patch == NULL || ar_real.malloc_usable_size == NULL)
        return NULL;
    patch->magazine = ar_magazine_new(ar_config.reserve * MIB);
    patch->record = patch->magazine != NULL ? new_record(thread) : NULL;
    return patch->record != NULL ? patch : NULL;
}

void ar_patch_prepare(struct ar_thread *thread)
{
    if (thread->patch == NULL && thread->polls == NULL)
        thread->patch = new_patch(thread);
    if (thread->patch == NULL)
        return;
    /* A handler that left an allocation by a jump may have left this behind. */
    thread->patch->magazine->busy = false;
    ar_patch_settle(thread);
}
