/* SPDX-License-Identifier: MIT */
#include "cli/model_private.h"

/* Sums over all threads, by phase and place, and the rate over those that poll. */
static void sum_threads(struct model *model)
{
    struct model_totals *totals = &model->totals;
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        model_amount_add(&totals->all, &thread->all);
        for (unsigned place = 0; place < MODEL_PLACES; place++)
            model_amount_add(&totals->place[place], &thread->place[place]);
        for (unsigned phase = 0; phase < MODEL_PHASES; phase++) {
            model_amount_add(&totals->phase[phase], &thread->phase[phase]);
            for (unsigned place = 0; place < MODEL_PLACES; place++)
                model_amount_add(&totals->cell[phase][place], &thread->cell[phase][place]);
        }
        model->polls.count = model_add(model->polls.count, thread->poll_count);
        model->polls.steady = model_add(model->polls.steady, thread->steady_polls);
        model->polls.peeps = model_add(model->polls.peeps, thread->peeps);
        model->polls.events_peeped = model_add(model->polls.events_peeped, thread->events_peeped);
        model->polls.drains = model_add(model->polls.drains, thread->drains);
    }
}

static void sum_loops(struct model *model)
{
    struct model_polls *polls = &model->polls;
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        for (unsigned kind = 0; kind < DUMP_POLL_KINDS; kind++)
            polls->by_function[kind] = model_add(polls->by_function[kind], loop->by_function[kind]);
        polls->null = model_add(polls->null, loop->null);
        polls->empty = model_add(polls->empty, loop->empty);
        polls->events = model_add(polls->events, loop->events);
        polls->allocating = model_add(polls->allocating, loop->allocating_windows);
        polls->allocating_in_poll = model_add(polls->allocating_in_poll, loop->allocating_polls);
        polls->poll_ns = model_add(polls->poll_ns, loop->poll_ns);
        if (loop->thread == model->primary && loop->last_ns > model->last_poll_ns)
            model->last_poll_ns = loop->last_ns;
    }
}

/* Startup and what came after the last poll belong to no poll. */
static void add_rate(struct model_rate *rate, const struct model_totals *totals,
                     enum model_phase phase)
{
    for (unsigned place = MODEL_IN_POLL; place <= MODEL_BETWEEN; place++) {
        const struct model_amount *amount = &totals->cell[phase][place];
        rate->bytes = model_add(rate->bytes, amount->bytes);
        rate->allocations = model_add(rate->allocations, amount->allocations);
    }
}

static uint64_t steady_interval_ns(const struct model *model)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct stats_histogram *times = model->loops[i].steady[DUMP_SERIES_INTERVAL_NS];
        if (times && model->loops[i].thread == model->primary)
            sum = model_add(sum, times->sum);
    }
    return sum;
}

static void sum_rates(struct model *model)
{
    add_rate(&model->rate, &model->totals, MODEL_WARMUP);
    add_rate(&model->rate, &model->totals, MODEL_STEADY);
    model->rate.polls = model->polls.count;
    if (model->last_poll_ns > model->first_poll_ns && model->first_poll_ns)
        model->rate.ns = model->last_poll_ns - model->first_poll_ns;
    add_rate(&model->steady, &model->totals, MODEL_STEADY);
    model->steady.polls = model->polls.steady;
    model->steady.ns = steady_interval_ns(model);
}

/* Is the loop SDL's, so that marked frames are its iterations, not the program's marks? */
static bool iterates(const struct model_polls *polls)
{
    return polls->by_function[DUMP_ITERATE] > 0 && polls->by_function[DUMP_MARKED] == 0;
}

static void tell_frames(struct model *model)
{
    struct model_frames *frames = &model->frame_info;
    const struct model_thread *primary =
        model->primary == MODEL_NONE ? NULL : &model->threads[model->primary];
    bool presents = primary && primary->frames;
    unsigned series = presents ? DUMP_SERIES_FRAME_BYTES : DUMP_SERIES_DRAIN_BYTES;
    frames->kind = presents ? "present" : "drain";
    if (primary)
        frames->count = presents ? primary->frames : primary->drains;
    frames->steady = model->steady_polls[series]->count;
    unsigned most = 0;
    for (unsigned i = 1; i < DUMP_PRESENT_KINDS; i++)
        if (frames->presents[i] > frames->presents[most])
            most = i;
    if (presents && frames->presents[most])
        frames->function = most == DUMP_PRESENT_MARKED && iterates(&model->polls)
                               ? model_poll_function(DUMP_ITERATE)
                               : model_present_function(most);
}

void model_sum(struct model *model)
{
    sum_threads(model);
    sum_loops(model);
    sum_rates(model);
    tell_frames(model);
    const struct model_amount *all = &model->totals.all;
    model->live_bytes = all->bytes > all->freed_bytes ? all->bytes - all->freed_bytes : 0;
    model->live_blocks = all->allocations > all->frees ? all->allocations - all->frees : 0;
}
