/* SPDX-License-Identifier: MIT */
#include "preload/loops.h"

#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/sites.h"
#include "preload/waits.h"

/* A pump fetches nothing, SDL 3 brings the program its events itself, GLFW's do not say. */
#define SILENT_KINDS (1u << DUMP_PUMP | 1u << DUMP_ITERATE | 1u << DUMP_GLFW)

static uint32_t last_id;

void ar_loops_reset(void)
{
    last_id = 0;
}

void ar_loops_make(struct ar_loops *loops, uint32_t thread)
{
    loops->chunk = ar_chunk_new(DUMP_LOOP, sizeof(struct dump_loop),
                                AR_LOOPS_MOST * sizeof(struct dump_loop), thread);
    loops->records = ar_chunk_place(loops->chunk, sizeof(struct dump_loop));
    loops->thread = thread;
}

static struct dump_loop *find_known(const struct ar_loops *loops, uint32_t stack)
{
    for (uint32_t i = 0; i < loops->count; i++)
        if (loops->stacks[i] == stack)
            return &loops->records[i];
    return NULL;
}

static struct dump_loop *make(struct ar_loops *loops, uint32_t stack,
                              const struct ar_loops_poll *poll)
{
    struct dump_loop *loop = ar_chunk_place(loops->chunk, sizeof *loop);
    struct ar_held held;

    if (loop == NULL || loops->count >= AR_LOOPS_MOST)
        return NULL;
    loop->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    loop->thread = loops->thread;
    loop->stack = stack;
    loop->first_window = poll->window;
    loop->first_ns = poll->now_ns;
    held = ar_lock();
    ar_series_make(&loops->series[loops->count], 0, DUMP_SERIES_LOOP_COUNT, loop->thread, loop->id);
    ar_unlock(held);
    loops->stacks[loops->count++] = stack;
    ar_chunk_commit(loops->chunk, sizeof *loop);
    return loop;
}

/* Counts it in `kind`, if that has room for one more. */
static struct dump_loop *make_one_of(struct ar_loops *loops, uint32_t *kind, uint32_t most,
                                     uint32_t stack, const struct ar_loops_poll *poll)
{
    struct dump_loop *loop = *kind < most ? make(loops, stack, poll) : NULL;

    *kind += loop != NULL;
    return loop;
}

/* The loop of all polls by that call, or of all that have no other. */
static struct dump_loop *find_by_call(struct ar_loops *loops, const struct ar_loops_poll *poll)
{
    uint32_t stack = ar_sites_poll_call(poll->caller);
    struct dump_loop *loop = find_known(loops, stack);

    if (loop == NULL && stack != 0)
        loop = make_one_of(loops, &loops->calls, AR_LOOPS_CALLS, stack, poll);
    if (loop != NULL)
        return loop;
    stack = ar_sites_poll_call(0);
    loop = find_known(loops, stack);
    return loop != NULL || stack == 0 ? loop : make(loops, stack, poll);
}

static struct dump_loop *find_watched(struct ar_loops *loops, const struct ar_loops_poll *poll)
{
    struct ar_loops_watched *watched =
        &loops->watched[poll->stack * 2654435769u >> 16 & (AR_LOOPS_WATCHED - 1)];
    struct dump_loop *own = NULL;

    if (watched->stack == poll->stack && watched->loop != NULL) {
        if (++watched->polls >= AR_LOOPS_IS_OFTEN)
            own = make_one_of(loops, &loops->often, AR_LOOPS_OFTEN, poll->stack, poll);
        return own != NULL ? own : watched->loop;
    }
    if (watched->polls > 1) {
        watched->polls--;
        return find_by_call(loops, poll);
    }
    *watched = (struct ar_loops_watched){poll->stack, 1, find_by_call(loops, poll)};
    return watched->loop;
}

struct dump_loop *ar_loops_find(struct ar_loops *loops, struct dump_loop *last,
                                const struct ar_loops_poll *poll)
{
    struct dump_loop *loop;

    if (last != NULL && last->stack == poll->stack)
        return last;
    if (poll->stack == 0)
        return find_by_call(loops, poll);
    loop = find_known(loops, poll->stack);
    if (loop == NULL)
        loop = make_one_of(loops, &loops->first, AR_LOOPS_FIRST, poll->stack, poll);
    return loop != NULL ? loop : find_watched(loops, poll);
}

static void add_amount(struct dump_amount *to, const struct dump_amount *more)
{
    to->allocations += more->allocations;
    to->bytes += more->bytes;
    to->reallocations += more->reallocations;
    to->frees += more->frees;
    to->freed_bytes += more->freed_bytes;
}

void ar_loops_count(struct ar_loops *loops, struct dump_loop *loop, const struct ar_window *window,
                    uint64_t between_ns, const struct ar_poll_event *event)
{
    struct ar_series *series = &loops->series[loop - loops->records];
    const struct dump_amount *in = &window->in_poll;
    const struct dump_amount *between = &window->between;
    bool silent = (SILENT_KINDS >> event->kind & 1) != 0;

    loop->polls[event->kind]++;
    loop->null_polls += event->null;
    loop->empty_polls += !silent && !event->answer;
    loop->event_polls += !silent && event->answer;
    loop->allocating_polls += in->allocations > 0;
    loop->allocating_windows += in->allocations + between->allocations > 0;
    loop->last_window = window->number;
    loop->last_ns = window->end_ns;
    loop->poll_ns += window->end_ns - window->begin_ns;
    loop->between_ns += between_ns;
    if ((in->allocations | in->frees) != 0)
        add_amount(&loop->in_poll, in);
    if ((between->allocations | between->frees) != 0)
        add_amount(&loop->between, between);
    ar_series_add(series, DUMP_SERIES_WINDOW_BYTES, in->bytes + between->bytes);
    ar_series_add(series, DUMP_SERIES_WINDOW_ALLOCATIONS, in->allocations + between->allocations);
    ar_series_add(series, DUMP_SERIES_POLL_BYTES, in->bytes);
    ar_series_add(series, DUMP_SERIES_POLL_NS, window->end_ns - window->begin_ns);
    if (window->interval_ns != 0)
        ar_series_add(series, DUMP_SERIES_INTERVAL_NS, window->interval_ns);
}

void ar_loops_waited(struct dump_loop *loop, const struct ar_wait_cost *cost, uint64_t ns)
{
    loop->waits++;
    loop->wait_ns += ns;
    loop->wait_switches += cost->switches;
    loop->wait_cpu_ns += cost->cpu_ns;
    loop->replaced_waits += cost->replaced && loop->replaced_waits < UINT32_MAX;
}
