/* SPDX-License-Identifier: MIT */
#include "preload/polls.h"

#include "preload/clock.h"
#include "preload/events.h"
#include "preload/heapwatch.h"
#include "preload/lock.h"
#include "preload/loops.h"
#include "preload/mapfile.h"
#include "preload/memory.h"
#include "preload/phases.h"
#include "preload/series.h"
#include "preload/timeline.h"
#include "preload/worst.h"

#define TOUCHED_MOST   256u
#define SCHEDULE_SHIFT 12 /* a clock's boundaries change less than a hundred times */

/* Allocations and bytes of the thread when a drain or frame began. */
struct snapshot {
    uint64_t allocations;
    uint64_t bytes;
};

struct ar_polls {
    struct ar_polls *before; /* made before this one */
    struct ar_loops loops;
    struct dump_loop *loop;  /* of the poll that is open; NULL: no room for it */
    struct ar_series series; /* of frames and drains */
    struct ar_events events;
    struct ar_timeline timeline;
    struct ar_worst worst;
    struct ar_phases phases;
    const struct dump_clock *clock; /* the thread's own */
    struct ar_heapwatch heap;
    struct ar_stopwatch stopwatch;
    struct dump_counter *touched[TOUCHED_MOST]; /* in the open window */
    uint32_t touched_count;
    uint64_t begin_ns;      /* of the poll that is open */
    uint64_t last_begin_ns; /* of the one before; 0: none */
    uint64_t last_end_ns;
    struct snapshot drain;
    struct snapshot frame;
    uint64_t frame_ns;           /* when the open frame began; 0: none has */
    uint64_t presents_elsewhere; /* that this thread has noticed */
    bool presents;               /* something presents: frames are not drains */
    bool pumped;                 /* a pump whose events were not taken by a poll yet */
};

static struct ar_polls *newest; /* of all threads that polled, linked */

static uint64_t since_start(struct ar_polls *polls)
{
    return ar_stopwatch_ns(&polls->stopwatch) - ar_header()->start_monotonic_ns;
}

static struct snapshot take_snapshot(const struct ar_thread *thread)
{
    const struct dump_thread *record = thread->record;

    return (struct snapshot){record->in_poll.now.allocations + record->outside.now.allocations,
                             record->in_poll.now.bytes + record->outside.now.bytes};
}

/* For the threads that do not poll. */
static void publish_ticks(const struct ar_thread *thread)
{
    __atomic_store_n(&ar_state->ticks.poll, thread->own_ticks.poll, __ATOMIC_RELAXED);
    __atomic_store_n(&ar_state->ticks.frame, thread->own_ticks.frame, __ATOMIC_RELAXED);
}

/* The thread's windows begin: behind those of the first thread that polled, so that its counters,
 * which have counted in those, go on upwards. */
static void start_clock(struct ar_thread *thread)
{
    struct dump_clock *clock = &thread->record->clock;
    const struct dump_clock *before = __atomic_load_n(&ar_state->clock, __ATOMIC_ACQUIRE);
    uint64_t first = __atomic_load_n(&before->window, __ATOMIC_RELAXED) + 1;

    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
        clock->boundary[i] = first;
    clock->first_window = first;
    /* No two clocks share a number: a counter that changes clocks must bring its marks up to date.
     */
    clock->schedule = (thread->record->id << SCHEDULE_SHIFT) + 2;
    __atomic_store_n(&clock->window, first, __ATOMIC_RELEASE);
    thread->record->flags |= DUMP_THREAD_POLLS;
    thread->clock = thread->polls->clock = clock;
    thread->ticks = &thread->own_ticks;
    /* What was made in startup is not of the first window. */
    thread->own_ticks.poll = thread->own_ticks.frame =
        __atomic_add_fetch(&ar_state->tick, 1, __ATOMIC_RELAXED);
    if (before == &ar_startup_clock) {
        ar_header()->primary_thread = thread->record->id;
        publish_ticks(thread);
        __atomic_store_n(&ar_state->clock, clock, __ATOMIC_RELEASE);
        /* Others count in these windows from now on. */
        ar_state_next_generation();
        ar_self.generation = __atomic_load_n(&ar_state->generation, __ATOMIC_ACQUIRE);
    }
}

static bool start_polling(struct ar_thread *thread)
{
    struct ar_polls *polls = ar_pages(sizeof *polls);
    uint32_t id = thread->record->id;
    struct ar_held held;

    if (polls == NULL)
        return false;
    held = ar_lock();
    ar_loops_make(&polls->loops, id);
    ar_series_make(&polls->series, DUMP_SERIES_LOOP_COUNT,
                   DUMP_SERIES_COUNT - DUMP_SERIES_LOOP_COUNT, id, 0);
    ar_timeline_make(&polls->timeline, id);
    ar_worst_make(&polls->worst, id);
    ar_events_make(&polls->events, id, &thread->record->in_poll.now);
    ar_unlock(held);
    polls->begin_ns = since_start(polls);
    polls->frame = polls->drain = take_snapshot(thread);
    polls->presents_elsewhere = ar_header()->frames_elsewhere;
    if (ar_header()->first_poll_ns == 0)
        ar_header()->first_poll_ns = polls->begin_ns;
    polls->timeline.start_ns = polls->begin_ns;
    polls->before = __atomic_load_n(&newest, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&newest, &polls->before, polls, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        continue;
    __atomic_store_n(&thread->polls, polls, __ATOMIC_RELEASE);
    start_clock(thread);
    return true;
}

static struct dump_amount window_amount(struct dump_tally *tally, uint64_t window)
{
    struct dump_amount amount = {0};

    if (tally->window != window)
        return amount;
    amount.allocations = tally->now.allocations - tally->window_start.allocations;
    amount.bytes = tally->now.bytes - tally->window_start.bytes;
    amount.reallocations = tally->now.reallocations - tally->window_start.reallocations;
    amount.frees = tally->now.frees - tally->window_start.frees;
    amount.freed_bytes = tally->now.freed_bytes - tally->window_start.freed_bytes;
    return amount;
}

/* `waited`: a wait that returned an event ended it. */
static void end_drain(struct ar_thread *thread, bool waited)
{
    struct ar_polls *polls = thread->polls;
    struct snapshot now = take_snapshot(thread);

    thread->record->drains++;
    ar_series_add(&polls->series, DUMP_SERIES_DRAIN_BYTES, now.bytes - polls->drain.bytes);
    ar_series_add(&polls->series, DUMP_SERIES_DRAIN_ALLOCATIONS,
                  now.allocations - polls->drain.allocations);
    polls->drain = now;
    ar_events_drained(&polls->events, &thread->record->in_poll.now, waited);
    ar_timeline_drain(&polls->timeline);
    if (!polls->presents)
        thread->own_ticks.frame = ar_tick_of(&ar_state->tick) + 1;
}

void ar_polls_begin(struct ar_thread *thread, uint32_t stack, uintptr_t caller,
                    const struct ar_poll_event *event)
{
    struct ar_polls *polls = thread->polls;
    struct ar_loops_poll poll = {stack, caller, 0, 0};

    if (polls == NULL) {
        if (!start_polling(thread))
            return;
        polls = thread->polls;
    } else {
        polls->begin_ns = since_start(polls);
    }
    poll.window = thread->clock->window;
    poll.now_ns = polls->begin_ns;
    polls->loop = ar_loops_find(&polls->loops, polls->loop, &poll);
    if (polls->loop == NULL)
        ar_lose(DUMP_LOSS_LOOPS, 1);
    if (event->kind == DUMP_PUMP && polls->pumped)
        end_drain(thread, false);
    ar_events_poll(&polls->events, event->kind);
    polls->pumped = event->kind == DUMP_PUMP;
    thread->tally = &thread->record->in_poll;
}

/* `frames` presents have ended since the frame began; more than one only if on another thread. */
static void end_frames(struct ar_thread *thread, uint64_t frames, uint64_t now_ns)
{
    struct ar_polls *polls = thread->polls;
    struct snapshot now = take_snapshot(thread);

    if (polls->frame_ns != 0 && frames > 0) {
        ar_series_share(&polls->series, DUMP_SERIES_FRAME_BYTES, now.bytes - polls->frame.bytes,
                        frames);
        ar_series_share(&polls->series, DUMP_SERIES_FRAME_ALLOCATIONS,
                        now.allocations - polls->frame.allocations, frames);
        ar_series_share(&polls->series, DUMP_SERIES_FRAME_NS, now_ns - polls->frame_ns, frames);
    }
    thread->record->frames += frames;
    polls->presents = true;
    polls->frame = now;
    polls->frame_ns = now_ns;
    ar_timeline_frames(&polls->timeline, frames);
}

static void notice_presents_elsewhere(struct ar_thread *thread, uint64_t now_ns)
{
    struct ar_polls *polls = thread->polls;
    uint64_t presents = __atomic_load_n(&ar_header()->frames_elsewhere, __ATOMIC_RELAXED);

    if (presents == polls->presents_elsewhere)
        return;
    end_frames(thread, presents - polls->presents_elsewhere, now_ns);
    thread->own_ticks.frame = ar_tick_of(&ar_state->tick) + 1;
    polls->presents_elsewhere = presents;
}

static bool waits(const struct ar_poll_event *event)
{
    return event->kind == DUMP_WAIT_EVENT || event->kind == DUMP_WAIT_TIMEOUT;
}

/* One poll ended a drain? A pump's turn ends with the peep that follows, or the next pump. */
static bool ends_drain(const struct ar_poll_event *event)
{
    return event->kind == DUMP_POLL_EVENT ? !event->answer : event->kind != DUMP_PUMP;
}

static bool is_primary(const struct ar_thread *thread)
{
    return __atomic_load_n(&ar_state->clock, __ATOMIC_RELAXED) == &thread->record->clock;
}

static void advance_tick(struct ar_thread *thread, bool poll)
{
    bool primary = is_primary(thread);
    uint64_t tick;

    /* As long as one thread ticks alone, no other's tick can be lost. In the moment in which a
     * second one begins, a block that is released at once may not count as temporary. */
    if (primary && !__atomic_load_n(&ar_state->shared_ticks, __ATOMIC_RELAXED)) {
        tick = ar_tick_of(&ar_state->tick) + 1;
        __atomic_store_n(&ar_state->tick, tick, __ATOMIC_RELAXED);
    } else {
        __atomic_store_n(&ar_state->shared_ticks, true, __ATOMIC_RELAXED);
        tick = __atomic_add_fetch(&ar_state->tick, 1, __ATOMIC_RELAXED);
    }
    if (poll)
        thread->own_ticks.poll = tick;
    if (primary)
        publish_ticks(thread);
}

/* What was kept of the steady phase follows its boundaries. */
static void move_series(struct ar_polls *polls, enum ar_phases_move move)
{
    void (*each)(struct ar_series *) = move == AR_PHASES_JOIN ? ar_series_join : ar_series_rotate;

    if (move == AR_PHASES_STAY)
        return;
    for (uint32_t i = 0; i < polls->loops.count; i++)
        each(&polls->loops.series[i]);
    each(&polls->series);
    ar_worst_steady_from(&polls->worst, polls->clock->boundary[DUMP_AT_STEADY]);
}

void ar_polls_end(struct ar_thread *thread, const struct ar_poll_event *event)
{
    struct ar_polls *polls = thread->polls;
    struct dump_clock *clock = &thread->record->clock;
    struct ar_window window; /* set member by member: to clear it first would take longer */

    thread->tally = &thread->record->outside;
    if (polls == NULL)
        return;
    window.number = clock->window;
    window.loop = 0;
    window.begin_ns = polls->begin_ns;
    window.end_ns = since_start(polls);
    window.interval_ns = polls->last_begin_ns != 0 ? polls->begin_ns - polls->last_begin_ns : 0;
    window.in_poll = window_amount(&thread->record->in_poll, window.number);
    window.between = window_amount(&thread->record->outside, window.number);
    if ((thread->live_delta | thread->live_delta_most) != 0)
        ar_thread_publish_live(thread);
    if (polls->loop != NULL) {
        window.loop = polls->loop->id;
        ar_loops_count(&polls->loops, polls->loop, &window,
                       polls->last_end_ns != 0 ? window.begin_ns - polls->last_end_ns : 0, event);
    }
    ar_timeline_add(&polls->timeline, &window, is_primary(thread));
    ar_worst_add(&polls->worst, &window, polls->touched,
                 polls->touched_count < TOUCHED_MOST ? polls->touched_count : TOUCHED_MOST,
                 polls->touched_count);
    ar_heapwatch_poll(&polls->heap, thread->record, window.end_ns);
    if (event->answer && !event->null && event->kind != DUMP_PUMP)
        ar_events_add(&polls->events, event->type, event->sdl);
    if (ends_drain(event))
        end_drain(thread, waits(event) && event->answer);
    notice_presents_elsewhere(thread, window.end_ns);
    polls->touched_count = 0;
    polls->last_begin_ns = window.begin_ns;
    polls->last_end_ns = window.end_ns;
    __atomic_store_n(&ar_header()->last_ns, window.end_ns, __ATOMIC_RELAXED);
    move_series(polls, ar_phases_window_ended(&polls->phases, clock,
                                              window.end_ns - polls->timeline.start_ns));
    if ((clock->window & (clock->window - 1)) == 0)
        ar_threads_sync();
    advance_tick(thread, true);
}

void ar_polls_waited(struct ar_thread *thread, const struct ar_wait_cost *cost)
{
    struct ar_polls *polls = thread->polls;

    if (polls != NULL && polls->loop != NULL)
        ar_loops_waited(polls->loop, cost, since_start(polls) - polls->begin_ns);
}

void ar_polls_peeped(struct ar_thread *thread, const struct ar_peep *peep)
{
    struct ar_polls *polls = thread->polls;

    thread->record->peeps++;
    thread->record->events_peeped += peep->got > 0 ? (uint64_t)peep->got : 0;
    if (polls == NULL)
        return;
    for (int i = 0; i < peep->got; i++) {
        const uint32_t *type =
            (const void *)((const char *)peep->events + (size_t)i * peep->stride);

        ar_events_add(&polls->events, peep->events != NULL ? *type : 0, peep->sdl);
    }
    if (!polls->pumped || peep->got >= peep->wanted)
        return;
    polls->pumped = false;
    end_drain(thread, false);
}

void ar_polls_event(struct ar_thread *thread, uint32_t type, uint32_t sdl)
{
    if (thread->polls != NULL)
        ar_events_add(&thread->polls->events, type, sdl);
}

void ar_polls_presented(struct ar_thread *thread, unsigned way)
{
    thread->record->presents[way]++;
    thread->record->flags |= DUMP_THREAD_PRESENTS;
    if (thread->polls == NULL) {
        __atomic_fetch_add(&ar_header()->frames_elsewhere, 1, __ATOMIC_RELAXED);
        return;
    }
    end_frames(thread, 1, since_start(thread->polls));
    thread->own_ticks.frame = ar_tick_of(&ar_state->tick) + 1;
    advance_tick(thread, false);
}

void ar_polls_touched(struct ar_thread *thread, struct dump_counter *counter)
{
    struct ar_polls *polls = thread->polls;

    if (polls == NULL)
        return;
    if (polls->touched_count < TOUCHED_MOST)
        polls->touched[polls->touched_count] = counter;
    polls->touched_count++;
}

void ar_polls_heap_is_own(struct ar_thread *thread)
{
    if (thread->polls != NULL)
        ar_heapwatch_forget(&thread->polls->heap);
}

void ar_polls_ended(struct ar_thread *thread)
{
    if (thread->polls != NULL)
        ar_events_book(&thread->polls->events);
}

void ar_polls_summary(uint64_t *polls, uint64_t *bytes)
{
    *polls = *bytes = 0;
    for (const struct ar_polls *each = __atomic_load_n(&newest, __ATOMIC_ACQUIRE); each != NULL;
         each = each->before)
        for (uint32_t i = 0; i < each->loops.count; i++) {
            const struct dump_loop *loop = &each->loops.records[i];

            for (unsigned kind = 0; kind < DUMP_POLL_KINDS; kind++)
                *polls += loop->polls[kind];
            *bytes += loop->in_poll.bytes + loop->between.bytes;
        }
}

void ar_polls_reset(void)
{
    newest = NULL;
    ar_loops_reset();
}
