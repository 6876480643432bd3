/* SPDX-License-Identifier: MIT */
#include "tests/unit/dump_builder.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *block, size_t count, size_t size)
{
    if (count & (count - 1))
        return block;
    block = reallocarray(block, count ? count * 2 : 1, size);
    if (!block)
        abort();
    return block;
}

static struct dump_amount less(const struct dump_amount *a, const struct dump_amount *b)
{
    return (struct dump_amount){a->allocations - b->allocations, a->bytes - b->bytes,
                                a->reallocations - b->reallocations, a->frees - b->frees,
                                a->freed_bytes - b->freed_bytes};
}

static void add(struct dump_amount *sum, const struct dump_amount *more)
{
    sum->allocations += more->allocations;
    sum->bytes += more->bytes;
    sum->reallocations += more->reallocations;
    sum->frees += more->frees;
    sum->freed_bytes += more->freed_bytes;
}

static struct dump_amount total(const struct builder_thread *thread)
{
    struct dump_amount sum = thread->record.in_poll.now;
    add(&sum, &thread->record.outside.now);
    return sum;
}

static struct dump_amount in_window(const struct dump_tally *tally, uint64_t window)
{
    if (tally->window != window)
        return (struct dump_amount){0};
    return less(&tally->now, &tally->window_start);
}

static void start_clock(struct builder *builder, struct builder_thread *thread)
{
    struct dump_header *header = &builder->header;
    struct dump_clock *clock = &thread->record.clock;
    uint64_t first = 1;
    if (header->primary_thread)
        first = builder->threads[header->primary_thread - 1].record.clock.window + 1;
    else
        header->primary_thread = thread->record.id;
    if (!header->first_poll_ns)
        header->first_poll_ns = builder->now_ns;
    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
        clock->boundary[i] = first;
    clock->window = clock->first_window = first;
    clock->schedule = 2 * thread->record.id;
    thread->record.flags |= DUMP_THREAD_POLLS;
    thread->drain = thread->frame = total(thread);
}

void builder_poll_begin(struct builder *builder, unsigned loop)
{
    struct builder_thread *thread = &builder->threads[builder->loops[loop].thread - 1];
    builder->now_ns += builder->between_ns;
    if (!(thread->record.flags & DUMP_THREAD_POLLS))
        start_clock(builder, thread);
    thread->begin_ns = builder->now_ns;
    thread->in_poll = true;
    if (!builder->loops[loop].first_window) {
        builder->loops[loop].first_window = thread->record.clock.window;
        builder->loops[loop].first_ns = builder->now_ns;
    }
}

static void end_turn(struct builder *builder, unsigned thread, bool drain,
                     struct dump_amount *since)
{
    struct builder_thread *at = &builder->threads[thread];
    struct dump_amount now = total(at);
    struct dump_amount amount = less(&now, since);
    builder->turns = grow(builder->turns, builder->turn_count, sizeof *builder->turns);
    builder->turns[builder->turn_count++] = (struct builder_turn){
        .thread = thread,
        .drain = drain,
        .window = at->record.clock.window,
        .bytes = amount.bytes,
        .allocations = amount.allocations,
        .ns = drain ? 0 : builder->now_ns - at->frame_ns,
    };
    *since = now;
}

static void note_worst(struct builder *builder, const struct builder_poll *poll)
{
    struct dump_worst worst = {
        .window = poll->window,
        .end_ns = poll->end_ns,
        .poll_ns = poll->end_ns - poll->begin_ns,
        .interval_ns = poll->interval_ns,
        .allocations = poll->in_poll.allocations + poll->between.allocations,
        .bytes = poll->in_poll.bytes + poll->between.bytes,
        .in_poll_allocations = poll->in_poll.allocations,
        .in_poll_bytes = poll->in_poll.bytes,
        .loop = poll->loop + 1,
    };
    if (worst.bytes == 0)
        return;
    for (size_t i = 0; i < builder->counter_count; i++) {
        const struct dump_counter *counter = &builder->counters[i];
        struct dump_amount amount = in_window(&counter->tally, poll->window);
        if (counter->thread != poll->thread + 1 || amount.allocations == 0)
            continue;
        worst.all_sites++;
        if (worst.sites < DUMP_WORST_SITES)
            worst.site[worst.sites++] =
                (struct dump_worst_site){counter->site, 0, amount.allocations, amount.bytes};
    }
    builder->worst = grow(builder->worst, builder->worst_count, sizeof *builder->worst);
    builder->worst[builder->worst_count++] = worst;
}

void builder_poll_end(struct builder *builder, unsigned loop, enum dump_poll_kind kind, bool null,
                      bool event)
{
    struct dump_loop *at = &builder->loops[loop];
    unsigned thread = at->thread - 1;
    struct builder_thread *polling = &builder->threads[thread];
    struct dump_clock *clock = &polling->record.clock;
    builder->now_ns += builder->poll_ns;
    struct builder_poll poll = {
        .thread = thread,
        .loop = loop,
        .window = clock->window,
        .begin_ns = polling->begin_ns,
        .end_ns = builder->now_ns,
        .interval_ns = polling->last_begin_ns ? polling->begin_ns - polling->last_begin_ns : 0,
        .in_poll = in_window(&polling->record.in_poll, clock->window),
        .between = in_window(&polling->record.outside, clock->window),
    };
    builder->polls = grow(builder->polls, builder->poll_count, sizeof *builder->polls);
    builder->polls[builder->poll_count++] = poll;
    note_worst(builder, &poll);
    uint64_t allocations = poll.in_poll.allocations + poll.between.allocations;
    at->polls[kind]++;
    at->null_polls += null;
    at->empty_polls += kind != DUMP_PUMP && !event;
    at->event_polls += kind != DUMP_PUMP && event;
    at->allocating_windows += allocations > 0;
    at->allocating_polls += poll.in_poll.allocations > 0;
    at->last_window = clock->window;
    at->last_ns = builder->now_ns;
    at->poll_ns += poll.end_ns - poll.begin_ns;
    at->between_ns += polling->last_begin_ns ? builder->between_ns : 0;
    add(&at->in_poll, &poll.in_poll);
    add(&at->between, &poll.between);
    polling->in_poll = false;
    polling->last_begin_ns = poll.begin_ns;
    if (kind != DUMP_PUMP && !(kind == DUMP_POLL_EVENT && event)) {
        polling->record.drains++;
        end_turn(builder, thread, true, &polling->drain);
    }
    builder->header.last_ns = builder->now_ns;
    clock->window++;
    uint64_t polls = clock->window - clock->first_window;
    if (builder->warming && (polls & (polls - 1)) == 0)
        builder_boundaries(builder, thread, clock->boundary[DUMP_AT_CUT], clock->window,
                           clock->window);
}

void builder_poll(struct builder *builder, unsigned loop, bool event)
{
    builder_poll_begin(builder, loop);
    builder_poll_end(builder, loop, DUMP_POLL_EVENT, false, event);
}

void builder_present(struct builder *builder, unsigned thread)
{
    struct builder_thread *at = &builder->threads[thread];
    if (at->record.frames)
        end_turn(builder, thread, false, &at->frame);
    at->frame = total(at);
    at->frame_ns = builder->now_ns;
    at->record.frames++;
    at->record.presents[0]++;
    at->record.flags |= DUMP_THREAD_PRESENTS;
}

void builder_boundaries(struct builder *builder, unsigned thread, uint64_t steady, uint64_t cut,
                        uint64_t last_cut)
{
    struct dump_clock *clock = &builder->threads[thread].record.clock;
    clock->boundary[DUMP_AT_STEADY] = steady;
    clock->boundary[DUMP_AT_CUT] = cut;
    clock->boundary[DUMP_AT_LAST_CUT] = last_cut;
    clock->schedule += 2;
}
