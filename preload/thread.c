/* SPDX-License-Identifier: MIT */
#include "preload/thread.h"

#include "preload/clock.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/memory.h"
#include "preload/sites.h"
#include "preload/sys.h"

#include <linux/membarrier.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#define SLOTS_AT_START     256u /* one page */
#define COUNTERS_AT_START  4u
#define COUNTERS_PER_CHUNK 32u
#define NO_TID             UINT32_C(0x7fffffff) /* of a state that its thread has left */
#define QUIET_MOST_NS      (AR_PAUSE_MOST_NS / 2)
#define DEAD_LOOKED_AT     4u /* for each new thread, so many old ones are asked whether they live */
static_assert(sizeof(struct ar_thread) + SLOTS_AT_START * sizeof(struct ar_counter_slot) <= 8192,
              "two pages");

__thread struct ar_self ar_self = {.generation = UINT64_MAX};
bool (*ar_thread_on_fork)(void);

static struct ar_thread *all;  /* newest first; none is ever taken out */
static struct ar_thread *hand; /* the next to be asked whether it lives */
static uint32_t last_id;
static uint32_t epoch = 1;

void ar_threads_reset(void)
{
    all = hand = NULL;
    last_id = 0;
    epoch++;
}

bool ar_thread_guard_is_stale(const struct ar_thread *thread, uintptr_t frame)
{
    stack_t alternate = {0};

    if (frame < thread->guard)
        return false;
    ar_syscall(SYS_sigaltstack, 0, (long)&alternate, 0, 0, 0, 0);
    /* A handler on a stack of its own has interrupted the hook; else it was left by a longjmp. */
    return (alternate.ss_flags & SS_ONSTACK) == 0;
}

static void read_name(struct dump_thread *record)
{
    char name[16] = "";

    ar_syscall(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
    memcpy(record->name, name, sizeof record->name);
}

/* Has its thread died? Then all that it wrote is seen here: its guard was the last. */
static bool is_dead(const struct ar_thread *thread)
{
    if (ar_sys_thread_alive(ar_header()->pid, thread->tid))
        return false;
    __atomic_load_n(&thread->guard, __ATOMIC_ACQUIRE);
    return true;
}

/* A thread that has died leaves its state, with all its counts, to a new one. Under the lock. */
static struct ar_thread *take_over_dead(void)
{
    uint32_t pid = ar_header()->pid;

    for (unsigned i = 0; i < DEAD_LOOKED_AT && all != NULL; i++) {
        struct ar_thread *thread = hand != NULL ? hand : all;

        hand = thread->next;
        if (ar_thread_polls(thread) == NULL && thread->tid != pid && is_dead(thread))
            return thread;
    }
    return NULL;
}

static struct ar_thread *new_thread(void)
{
    struct ar_thread *thread = ar_pages(sizeof *thread + SLOTS_AT_START * sizeof *thread->slots);
    struct dump_chunk *chunk;

    if (thread == NULL)
        return NULL;
    thread->slots = (struct ar_counter_slot *)(thread + 1);
    thread->slot_count = SLOTS_AT_START;
    thread->epoch = epoch;
    thread->moved = ar_mapfile_exists();
    chunk = ar_chunk_new(DUMP_THREAD, sizeof *thread->record, sizeof *thread->record, last_id + 1);
    thread->record = ar_chunk_place(chunk, sizeof *thread->record);
    if (thread->record == NULL) {
        ar_pages_free(thread, sizeof *thread + SLOTS_AT_START * sizeof *thread->slots);
        return NULL;
    }
    thread->record->id = ++last_id;
    thread->record->first_ns = ar_clock_ns() - ar_header()->start_monotonic_ns;
    ar_chunk_commit(chunk, sizeof *thread->record);
    thread->next = all;
    __atomic_store_n(&all, thread, __ATOMIC_RELEASE);
    return thread;
}

static struct ar_thread *make_thread(void)
{
    struct ar_held held = ar_lock();
    struct ar_thread *thread = take_over_dead();

    if (thread == NULL)
        thread = new_thread();
    if (thread != NULL) {
        if (thread->stack == NULL)
            thread->stack = ar_sites_new_state();
        else
            ar_sites_renew_state(thread->stack);
        thread->tid = ar_sys_gettid();
        ar_thread_leave(thread);
        thread->poll_depth = thread->mark_depth = 0;
        thread->record->tid = thread->tid;
        thread->record->threads++;
        if (thread->tid == ar_header()->pid)
            thread->record->flags |= DUMP_THREAD_MAIN;
        read_name(thread->record);
    }
    ar_unlock(held);
    return thread;
}

static bool has_moved(const struct ar_thread *thread)
{
    return __atomic_load_n(&thread->moved, __ATOMIC_ACQUIRE);
}

/* Copies the thread's chunks to the file. Its own thread, or any while it has not moved. */
static bool begin_move(struct ar_thread *thread)
{
    while (__atomic_exchange_n(&thread->moving, 1, __ATOMIC_ACQUIRE) != 0)
        ar_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    if (has_moved(thread))
        return false;
    ar_region_copy_owned(((struct dump_thread *)ar_region_moved(thread->record))->id);
    return true;
}

static void end_move(struct ar_thread *thread)
{
    __atomic_store_n(&thread->moving, 0, __ATOMIC_RELEASE);
}

static void move(struct ar_thread *thread)
{
    if (begin_move(thread)) {
        thread->record = ar_region_moved(thread->record);
        thread->counters = ar_region_moved(thread->counters);
        for (size_t i = 0; i < thread->slot_count; i++)
            if (thread->slots[i].site != 0)
                thread->slots[i].counter = ar_region_moved(thread->slots[i].counter);
        ar_sites_forget_counters(thread->stack);
        __atomic_store_n(&thread->moved, true, __ATOMIC_RELEASE);
    }
    end_move(thread);
}

void ar_threads_sync(void)
{
    if (!ar_mapfile_exists())
        return;
    for (struct ar_thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread != NULL;
         thread = thread->next) {
        if (has_moved(thread))
            continue;
        begin_move(thread);
        end_move(thread);
    }
}

struct ar_thread *ar_thread_for_polling(struct ar_thread *thread)
{
    struct ar_held held = ar_lock();
    struct ar_thread *dead = all;

    while (dead != NULL && (ar_thread_polls(dead) == NULL || !has_moved(dead) || !is_dead(dead)))
        dead = dead->next;
    if (dead != NULL && has_moved(thread) && thread->pending_count == 0) {
        ar_sites_renew_state(dead->stack);
        dead->tid = dead->record->tid = thread->tid;
        dead->record->threads++;
        dead->poll_depth = thread->poll_depth;
        dead->poll_frame = thread->poll_frame;
        dead->mark_depth = thread->mark_depth;
        dead->mark_frame = thread->mark_frame;
        dead->tally = &dead->record->outside;
        __atomic_store_n(&dead->guard, thread->guard, __ATOMIC_RELAXED);
        ar_self.thread = dead;
        thread->tid = NO_TID;
        ar_thread_leave(thread);
        thread = dead;
    }
    ar_unlock(held);
    return thread;
}

/* A thread that died at work has left its guard set. */
static bool is_at_work(const struct ar_thread *thread)
{
    return __atomic_load_n(&thread->guard, __ATOMIC_ACQUIRE) != 0 && !is_dead(thread);
}

void ar_threads_quiet(const struct ar_thread *self)
{
    uint64_t end = ar_clock_ns() + QUIET_MOST_NS;

    /* A thread sets its guard and then looks at the generation, without a fence between: this is
     * one on all threads at once. */
    ar_syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0, 0, 0, 0);
    for (struct ar_thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread != NULL;
         thread = thread->next)
        while (thread != self && is_at_work(thread) && ar_clock_ns() < end)
            ar_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

bool ar_threads_enter_file(void)
{
    struct ar_held held;
    bool entered;

    ar_state_pause();
    ar_threads_quiet(ar_self.thread);
    held = ar_lock();
    entered = ar_mapfile_enter();
    ar_unlock(held);
    ar_state_resume();
    if (entered)
        ar_state_next_generation();
    return entered;
}

struct ar_sums ar_threads_sums(void)
{
    struct ar_sums sums = {0, 0, 0};

    for (const struct ar_thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread != NULL;
         thread = thread->next) {
        const struct dump_thread *record = thread->record;

        sums.allocations += record->in_poll.now.allocations + record->outside.now.allocations;
        sums.peeps += record->peeps;
        for (unsigned way = 0; way < DUMP_PRESENT_KINDS; way++)
            sums.presents += record->presents[way];
    }
    return sums;
}

struct ar_thread *ar_thread_refresh(uintptr_t frame)
{
    struct ar_state *state = ar_state;
    struct ar_thread *thread = ar_self.thread;
    bool may_wait = true;
    bool in_poll;
    uint64_t generation;

    if (thread != NULL)
        ar_thread_leave(thread);
    if (__atomic_load_n(&state->generation, __ATOMIC_RELAXED) == 0 && !ar_thread_on_fork())
        return NULL;
    generation = __atomic_load_n(&state->generation, __ATOMIC_ACQUIRE);
    if (thread == NULL || thread->epoch != epoch) {
        ar_self.patch = NULL; /* a forked child's parent has it */
        thread = ar_sys_is_frozen() ? NULL : make_thread();
        if (thread == NULL)
            return NULL;
    }
    for (;;) {
        may_wait = may_wait && ar_state_wait();
        __atomic_store_n(&thread->guard, frame, __ATOMIC_SEQ_CST);
        if (!may_wait || !ar_state_is_paused())
            break;
        ar_thread_leave(thread);
    }
    in_poll = thread->tally == &thread->record->in_poll;
    if (!has_moved(thread) && ar_mapfile_exists())
        move(thread);
    if (thread->polls == NULL) {
        thread->clock = __atomic_load_n(&state->clock, __ATOMIC_ACQUIRE);
        thread->ticks = &state->ticks;
    }
    thread->tally = in_poll ? &thread->record->in_poll : &thread->record->outside;
    ar_self.thread = thread;
    ar_self.generation = generation;
    return thread;
}

static bool grow_slots(struct ar_thread *thread)
{
    size_t count = thread->slot_count * 2;
    struct ar_counter_slot *slots = ar_pages(count * sizeof *slots);

    if (slots == NULL)
        return false;
    for (size_t i = 0; i < thread->slot_count; i++) {
        size_t at = thread->slots[i].site * 2654435769u & (count - 1);

        if (thread->slots[i].site == 0)
            continue;
        while (slots[at].site != 0)
            at = (at + 1) & (count - 1);
        slots[at] = thread->slots[i];
    }
    if (thread->slot_count > SLOTS_AT_START)
        ar_pages_free(thread->slots, thread->slot_count * sizeof *slots);
    thread->slots = slots;
    thread->slot_count = count;
    return true;
}

static struct dump_counter *new_counter(struct ar_thread *thread, uint32_t site)
{
    struct dump_counter *counter = ar_chunk_place(thread->counters, sizeof *counter);

    if (counter == NULL) {
        uint64_t room = thread->counters == NULL ? COUNTERS_AT_START : COUNTERS_PER_CHUNK;
        struct ar_held held = ar_lock();
        struct dump_chunk *chunk =
            ar_chunk_new(DUMP_COUNTER, sizeof *counter, room * sizeof *counter, thread->record->id);

        ar_unlock(held);
        read_name(thread->record);
        if (chunk == NULL)
            return NULL;
        thread->counters = chunk;
        counter = ar_chunk_place(chunk, sizeof *counter);
    }
    counter->site = site;
    counter->thread = thread->record->id;
    ar_chunk_commit(thread->counters, sizeof *counter);
    return counter;
}

struct dump_counter *ar_thread_new_counter(struct ar_thread *thread, uint32_t site)
{
    struct dump_counter *counter;
    size_t at;

    if (site == 0 || (thread->slots_used * 2 >= thread->slot_count && !grow_slots(thread)))
        return NULL;
    counter = new_counter(thread, site);
    if (counter == NULL)
        return NULL;
    at = ar_thread_slot(thread, site);
    while (thread->slots[at].site != 0)
        at = (at + 1) & (thread->slot_count - 1);
    thread->slots[at] = (struct ar_counter_slot){site, counter};
    thread->slots_used++;
    return counter;
}

void ar_thread_publish_live(struct ar_thread *thread)
{
    struct dump_header *header = ar_header();
    uint64_t before;
    uint64_t most;
    int64_t peak;

    if (thread->live_delta == 0 && thread->live_delta_most == 0)
        return;
    before =
        __atomic_fetch_add(&header->live_bytes, (uint64_t)thread->live_delta, __ATOMIC_RELAXED);
    peak = (int64_t)before + thread->live_delta_most;
    most = __atomic_load_n(&header->live_peak_bytes, __ATOMIC_RELAXED);
    thread->live_delta = thread->live_delta_most = 0;
    while (peak > (int64_t)most &&
           !__atomic_compare_exchange_n(&header->live_peak_bytes, &most, (uint64_t)peak, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}
