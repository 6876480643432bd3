/* SPDX-License-Identifier: MIT */
#include "preload/record.h"

#include "preload/config.h"
#include "preload/live.h"
#include "preload/mapfile.h"
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/record_private.h"
#include "preload/tally.h"

#include <errno.h>

#define MAPPED_FLAG  ((size_t)2) /* IS_MMAPPED of glibc's malloc, in the word before the block */
#define MAPPED_LEAST ((size_t)65536)

struct ar_site ar_record_walked_site(struct ar_thread *thread, struct ar_hook hook, uint32_t flags)
{
    int saved = errno;
    struct ar_site site;

    site = ar_sites_walked(thread->stack, hook.frame, hook.caller, flags);
    errno = saved;
    return site;
}

static uint64_t open_window(const struct ar_thread *thread)
{
    return __atomic_load_n(&thread->clock->window, __ATOMIC_RELAXED);
}

/* What the counter's last window held becomes its largest, if it is; then the new one is entered.
 */
static __attribute__((noinline)) void change_window(struct dump_counter *counter,
                                                    const struct dump_clock *clock, uint64_t window)
{
    struct dump_tally *tally = &counter->tally;

    if (tally->window != 0) {
        uint64_t bytes = tally->now.bytes - tally->window_start.bytes;

        if (bytes > counter->most_bytes) {
            counter->most_bytes = bytes;
            counter->most_window = tally->window;
        }
    }
    ar_tally_enter(tally, clock, window, counter->polls);
}

static inline void enter_window(struct dump_counter *counter, const struct dump_clock *clock,
                                uint64_t window)
{
    if (__builtin_expect(counter->tally.window != window, 0))
        change_window(counter, clock, window);
}

static __attribute__((noinline)) void first_in_window(struct ar_thread *thread,
                                                      struct dump_counter *counter, uint64_t window)
{
    if (counter->polls > 0) {
        uint64_t gap = window - counter->last_window;

        if (counter->polls == 1 || gap < counter->gap_least)
            counter->gap_least = gap;
        if (gap > counter->gap_most)
            counter->gap_most = gap;
        counter->gaps_growing += counter->gap_last > 0 && 2 * gap >= 3 * counter->gap_last;
        counter->gap_last = gap;
    } else {
        counter->first_window = window;
    }
    counter->last_window = window;
    counter->polls++;
    ar_polls_touched(thread, counter);
}

static struct dump_counter *counter_of(struct ar_thread *thread, const struct ar_site *site)
{
    struct dump_counter *counter;

    if (site->counter != NULL && *site->counter != NULL)
        return *site->counter;
    counter = ar_thread_counter(thread, site->number);
    if (site->counter != NULL)
        *site->counter = counter;
    return counter;
}

static void count_alloc(struct ar_thread *thread, const struct ar_site *site, uint64_t size,
                        bool reallocated)
{
    uint64_t window = open_window(thread);
    struct dump_counter *counter = counter_of(thread, site);

    ar_tally_enter(thread->tally, thread->clock, window, 0);
    if (counter == NULL) {
        ar_lose(DUMP_LOSS_COUNTERS, 1);
    } else {
        enter_window(counter, thread->clock, window);
        /* Asked of the counter's first line of memory; last_window stands in another. */
        if (counter->tally.now.allocations == counter->tally.window_start.allocations &&
            window != 0 && counter->last_window != window)
            first_in_window(thread, counter, window);
        ar_tally_alloc(&counter->tally, size);
        counter->tally.now.reallocations += reallocated;
    }
    ar_tally_alloc(thread->tally, size);
    thread->tally->now.reallocations += reallocated;
}

static void count_free(struct ar_thread *thread, const struct ar_live_block *block)
{
    uint64_t window = open_window(thread);
    struct dump_counter *counter = ar_thread_counter(thread, block->site);

    ar_tally_enter(thread->tally, thread->clock, window, 0);
    ar_tally_free(thread->tally, block->size);
    if (counter == NULL)
        return;
    enter_window(counter, thread->clock, window);
    ar_tally_free(&counter->tally, block->size);
    if (window == 0)
        return;
    if (block->tick >= (ar_tick_of(&thread->ticks->poll) & AR_TICK_MASK)) {
        counter->temporary_poll++;
        counter->temporary_poll_bytes += block->size;
    }
    if (block->tick >= (ar_tick_of(&thread->ticks->frame) & AR_TICK_MASK)) {
        counter->temporary_frame++;
        counter->temporary_frame_bytes += block->size;
    }
}

static void change_live(struct ar_thread *thread, int64_t bytes)
{
    thread->live_delta += bytes;
    if (thread->live_delta > thread->live_delta_most)
        thread->live_delta_most = thread->live_delta;
    if (thread->live_delta >= (int64_t)DUMP_LIVE_SLACK ||
        thread->live_delta <= -(int64_t)DUMP_LIVE_SLACK)
        ar_thread_publish_live(thread);
}

bool ar_record_has_own_mapping(const void *block, size_t size)
{
    return size >= MAPPED_LEAST && ar_real_is_glibc() &&
           (((const size_t *)block)[-1] & MAPPED_FLAG) != 0;
}

void ar_record_count_alloc(struct ar_thread *thread, const struct ar_site *site, uint64_t size,
                           bool reallocated)
{
    count_alloc(thread, site, size, reallocated);
    change_live(thread, (int64_t)size);
}

void ar_record_count_free(struct ar_thread *thread, const struct ar_live_block *block)
{
    count_free(thread, block);
    change_live(thread, -(int64_t)block->size);
}

/* The site of an allocation: its stack's, unless only some stacks are taken and this is not one. */
static inline struct ar_site allocation_site(struct ar_thread *thread, struct ar_hook hook,
                                             uint32_t flags)
{
    if (__builtin_expect(ar_config.sample > 1, 0)) {
        if (++thread->unsampled < ar_config.sample)
            return ar_sites_unsampled(flags);
        thread->unsampled = 0;
    }
    return ar_record_site(thread, hook, flags);
}

/* Has an inner hook counted it, and a handler interrupted the thread since? */
static bool is_counted(const void *block, const struct ar_live_block *live)
{
    struct ar_live_block found;

    return ar_live_peek(block, &found) && found.size == live->size &&
           found.tick == (live->tick & AR_TICK_MASK) &&
           (found.site == live->site || ar_config.sample > 1);
}

static inline void add_block(struct ar_thread *thread, struct ar_hook hook, const void *block,
                             size_t size, bool reallocated, bool again)
{
    bool in_poll = thread->tally == &thread->record->in_poll;
    struct ar_site site = allocation_site(thread, hook, in_poll ? DUMP_STACK_IN_POLL : 0);
    struct ar_live_block live = {
        .size = size, .tick = ar_tick_of(&ar_state->tick), .site = site.number};

    if (again && is_counted(block, &live))
        return;
    count_alloc(thread, &site, size, reallocated);
    if (ar_record_has_own_mapping(block, size))
        thread->record->mapped_blocks++;
    change_live(thread, (int64_t)size);
    if (!ar_live_put(block, &live))
        ar_lose(DUMP_LOSS_LIVE, 1);
    thread->last = block;
}

/* An allocation that could not be recorded: there was no room for its thread, or a signal handler
 * made it while the recorder was at work, as more did than can wait. Those of the recorder's own
 * helpers are not the program's. */
static void cannot_enter(struct ar_hook hook, const void *block, size_t size, bool reallocated)
{
    if (ar_record_alloc_pending(hook, block, size, reallocated))
        return;
    if (ar_state != NULL && ar_state->generation != 0 && !ar_thread_foreign())
        ar_lose(ar_self.thread == NULL ? DUMP_LOSS_THREADS : DUMP_LOSS_NESTED, 1);
    if (ar_self.thread != NULL)
        ar_self.thread->lost = block;
}

void ar_record_alloc(struct ar_hook hook, const void *block, size_t size)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL) {
        cannot_enter(hook, block, size, false);
        return;
    }
    add_block(thread, hook, block, size, false, false);
    ar_record_leave(thread);
}

void ar_record_alloc_expected(void)
{
    if (ar_state != NULL && ar_self.thread != NULL)
        ar_self.thread->last = NULL;
}

bool ar_record_counted(const void *block)
{
    return ar_state != NULL && ar_self.thread != NULL && ar_self.thread->last == block;
}

__attribute__((flatten)) void ar_record_alloc_once(struct ar_hook hook, const void *block,
                                                   size_t size)
{
    if (ar_state != NULL && ar_self.thread != NULL && ar_self.thread->last == block)
        return;
    ar_record_alloc(hook, block, size);
}

void ar_record_alloc_outer(struct ar_hook hook, const void *block, size_t size)
{
    struct ar_thread *thread;

    if (ar_state != NULL && ar_self.thread != NULL && ar_self.thread->last == block)
        return;
    thread = ar_thread_enter(hook.frame);
    if (thread != NULL) {
        add_block(thread, hook, block, size, false, true);
        ar_record_leave(thread);
    } else if (!ar_record_again_pending(hook, block) &&
               (ar_self.thread == NULL || ar_self.thread->lost != block)) {
        cannot_enter(hook, block, size, false);
    }
}

/* A forked child releases blocks that its parent allocated: they are in the parent's dump. */
static void lose_unknown(void)
{
    if (ar_header()->forked_from == 0)
        ar_lose(DUMP_LOSS_UNKNOWN, 1);
}

/* The same where the thread may not be entered. */
static void lose_release(const void *block)
{
    if (ar_state != NULL && ar_state->generation != 0 && !ar_thread_foreign() &&
        (ar_self.thread == NULL || ar_self.thread->releasing != block))
        ar_lose(DUMP_LOSS_LIVE, 1);
}

__attribute__((flatten)) void ar_record_free(struct ar_hook hook, const void *block)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);
    struct ar_live_block live;

    if (thread == NULL) {
        if (ar_record_take_pending(block, &live))
            ar_record_free_pending(block, &live);
        else
            lose_release(block);
        return;
    }
    thread->last = NULL;
    if (ar_live_take(block, &live)) {
        count_free(thread, &live);
        change_live(thread, -(int64_t)live.size);
    } else if (thread->releasing != block) {
        lose_unknown();
        thread->unknown = block;
    }
    ar_record_leave(thread);
}

const void *ar_record_release_expected(const void *block)
{
    const void *before;

    if (ar_state == NULL || ar_self.thread == NULL)
        return NULL;
    before = ar_self.thread->releasing;
    ar_self.thread->releasing = block;
    return before;
}

void ar_record_realloc_begin(struct ar_hook hook, const void *block, struct ar_realloc *old)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);
    struct ar_live_block live = {0};

    *old = (struct ar_realloc){.block = block};
    if (thread == NULL) {
        old->known = block != NULL && ar_record_take_pending(block, &live);
    } else {
        thread->last = NULL;
        old->known = block != NULL && ar_live_take(block, &live);
    }
    old->size = live.size;
    old->tick = live.tick;
    old->site = live.site;
    if (thread != NULL)
        ar_record_leave(thread);
}

void ar_record_realloc_failed(struct ar_hook hook, const struct ar_realloc *old)
{
    struct ar_live_block live = {.size = old->size, .tick = old->tick, .site = old->site};

    (void)hook;
    if (old->known)
        ar_live_put(old->block, &live);
}

void ar_record_realloc_done(struct ar_hook hook, const struct ar_realloc *old, const void *block,
                            size_t size)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);
    struct ar_live_block live = {.size = old->size, .tick = old->tick, .site = old->site};

    if (thread == NULL) {
        if (old->known)
            ar_record_free_pending(old->block, &live);
        else if (old->block != NULL)
            lose_release(old->block);
        if (block != NULL)
            cannot_enter(hook, block, size, old->block != NULL);
        return;
    }
    if (old->known) {
        count_free(thread, &live);
        change_live(thread, -(int64_t)live.size);
    } else if (old->block != NULL) {
        lose_unknown();
    }
    if (block != NULL && thread->last != block)
        add_block(thread, hook, block, size, old->block != NULL, false);
    ar_record_leave(thread);
}

void ar_record_unloaded(struct ar_hook hook)
{
    struct ar_thread *thread = ar_thread_enter(hook.frame);

    if (thread == NULL)
        return;
    ar_modules_unloaded();
    ar_record_leave(thread);
}
