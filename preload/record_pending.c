/* SPDX-License-Identifier: MIT */
/*
 * What a signal handler allocates and releases while it has interrupted the recorder on its own
 * thread. The thread's counters may then be half changed, so that its blocks are put and taken at
 * once, and counted when the interrupted hook ends (ar_record_leave). A handler may be interrupted
 * by another: each has finished before the one beneath goes on.
 */
#include "preload/config.h"
#include "preload/live.h"
#include "preload/mapfile.h"
#include "preload/record_private.h"
#include "preload/sys.h"

/* The thread, if it is the program's handler that has interrupted a hook of it. Where system calls
 * are forbidden the lock would not keep handlers away. */
static struct ar_thread *interrupted(void)
{
    struct ar_thread *thread = ar_self.thread;

    if (ar_state == NULL || __atomic_load_n(&ar_state->generation, __ATOMIC_RELAXED) == 0 ||
        thread == NULL || __atomic_load_n(&thread->guard, __ATOMIC_RELAXED) == 0 ||
        ar_thread_foreign() || ar_sys_is_frozen())
        return NULL;
    return thread;
}

/* NULL: there is no room. */
static struct ar_pending *reserve(struct ar_thread *thread)
{
    uint32_t count = __atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED);

    do
        if (count >= AR_PENDING_MOST)
            return NULL;
    while (!__atomic_compare_exchange_n(&thread->pending_count, &count, count + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return &thread->pending[count];
}

static void complete(struct ar_pending *pending, enum ar_pending_kind kind)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&pending->kind, (uint8_t)kind, __ATOMIC_RELAXED);
}

static bool is_in_poll(const struct ar_thread *thread)
{
    return thread->tally == &thread->record->in_poll;
}

static uint32_t site_of(const struct ar_thread *thread, struct ar_hook hook)
{
    uint32_t flags = is_in_poll(thread) ? DUMP_STACK_IN_POLL : 0;

    return ar_config.sample > 1 ? ar_sites_unsampled(flags).number
                                : ar_sites_interrupting(hook.caller, flags);
}

bool ar_record_alloc_pending(struct ar_hook hook, const void *block, size_t size, bool reallocated)
{
    struct ar_thread *thread = interrupted();
    struct ar_pending *pending = thread != NULL ? reserve(thread) : NULL;
    struct ar_live_block live = {.size = size};

    if (pending == NULL)
        return false;
    live.tick = ar_tick_of(&ar_state->tick);
    live.site = site_of(thread, hook);
    pending->block = block;
    pending->size = size;
    pending->tick = live.tick;
    pending->site = live.site;
    pending->in_poll = is_in_poll(thread);
    pending->mapped = ar_record_has_own_mapping(block, size);
    if (!ar_live_put(block, &live))
        ar_lose(DUMP_LOSS_LIVE, 1);
    complete(pending, reallocated ? AR_PENDING_REALLOC : AR_PENDING_ALLOC);
    return true;
}

bool ar_record_take_pending(const void *block, struct ar_live_block *live)
{
    return interrupted() != NULL && ar_live_take(block, live);
}

void ar_record_free_pending(const void *block, const struct ar_live_block *live)
{
    struct ar_thread *thread = interrupted();
    struct ar_pending *pending = thread != NULL ? reserve(thread) : NULL;

    if (pending == NULL) {
        ar_lose(DUMP_LOSS_LIVE, 1);
        return;
    }
    pending->block = block;
    pending->size = live->size;
    pending->tick = live->tick;
    pending->site = live->site;
    pending->in_poll = is_in_poll(thread);
    complete(pending, AR_PENDING_FREE);
}

bool ar_record_again_pending(struct ar_hook hook, const void *block)
{
    struct ar_thread *thread = interrupted();
    struct ar_live_block live;

    for (uint32_t i = thread != NULL ? thread->pending_count : 0; i-- > 0;) {
        struct ar_pending *pending = &thread->pending[i];

        if (pending->block != block)
            continue;
        if (pending->kind != AR_PENDING_ALLOC || !ar_live_take(block, &live))
            return false;
        live.site = pending->site = site_of(thread, hook);
        ar_live_put(block, &live);
        return true;
    }
    return false;
}

/* With the guard set. */
static void count(struct ar_thread *thread, const struct ar_pending *pending)
{
    struct dump_tally *tally = thread->tally;
    struct ar_site site = {pending->site, NULL};
    struct ar_live_block live = {
        .size = pending->size, .tick = pending->tick, .site = pending->site};

    thread->tally = pending->in_poll ? &thread->record->in_poll : &thread->record->outside;
    if (pending->kind == AR_PENDING_FREE) {
        ar_record_count_free(thread, &live);
    } else {
        ar_record_count_alloc(thread, &site, live.size, pending->kind == AR_PENDING_REALLOC);
        thread->record->mapped_blocks += pending->mapped;
    }
    thread->tally = tally;
}

/* A handler that was left by a jump has not completed its own. */
static void lose(const struct ar_pending *pending)
{
    ar_lose(pending->kind == AR_PENDING_FREE ? DUMP_LOSS_LIVE : DUMP_LOSS_NESTED, 1);
}

/* Handlers may add to the list meanwhile. */
static void take_all(struct ar_thread *thread, bool counted)
{
    uint32_t done = 0;
    uint32_t all = __atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED);

    do {
        for (; done < all; done++) {
            struct ar_pending *pending = &thread->pending[done];

            if (counted && pending->kind != AR_PENDING_NONE)
                count(thread, pending);
            else
                lose(pending);
            pending->kind = AR_PENDING_NONE;
        }
    } while (!__atomic_compare_exchange_n(&thread->pending_count, &all, 0, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
}

void ar_record_drain(struct ar_thread *interrupted_thread)
{
    struct ar_thread *thread;

    while (__atomic_load_n(&interrupted_thread->pending_count, __ATOMIC_RELAXED) != 0) {
        thread = ar_thread_enter((uintptr_t)__builtin_frame_address(0));
        if (thread == NULL)
            return;
        if (thread == interrupted_thread)
            take_all(thread, true);
        else /* in a forked child: they are its parent's */
            interrupted_thread->pending_count = 0;
        ar_thread_leave(thread);
    }
}

void ar_record_lose_pending(void)
{
    struct ar_thread *thread = interrupted();

    if (thread != NULL)
        take_all(thread, false);
}
