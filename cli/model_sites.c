/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_phases.h"
#include "cli/model_private.h"

#include <stdlib.h>

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The recorder compares a window with the largest one when the counter enters the next. */
static void add_last_window(struct model_counter *counter, const struct dump_tally *tally,
                            const struct dump_clock *clock)
{
    uint64_t before = tally->window_start.bytes;
    if (tally->window == 0 || tally->window >= clock->window || tally->now.bytes < before)
        return;
    if (tally->now.bytes - before > counter->most_bytes) {
        counter->most_bytes = tally->now.bytes - before;
        counter->most_window = tally->window;
    }
}

/* `site` of the counter is its stack's place until the sites have theirs. */
static void read_counter(struct model *model, struct model_counter *counter,
                         const struct dump_counter *raw)
{
    struct model_private *private = model->private;
    static const struct dump_clock startup = {0};
    uint32_t thread = model_index_find(&private->threads, raw->thread);
    const struct dump_clock *clock = thread == MODEL_NONE ? &startup : &private->clocks[thread];
    struct model_parts parts = model_parts_of(&raw->tally, clock, raw->polls);
    private->contradictions += parts.contradicts;
    *counter = (struct model_counter){
        .site = model_index_find(&private->stacks, raw->site),
        .thread = thread,
        .all = parts.all,
        .temporary_poll = raw->temporary_poll,
        .temporary_poll_bytes = raw->temporary_poll_bytes,
        .temporary_frame = raw->temporary_frame,
        .temporary_frame_bytes = raw->temporary_frame_bytes,
        .polls = raw->polls,
        .polls_steady = raw->polls - parts.polls_before_steady,
        .first_window = raw->first_window,
        .last_window = raw->last_window,
        .gap_least = raw->gap_least,
        .gap_most = raw->gap_most,
        .gaps_growing = raw->gaps_growing,
        .most_bytes = raw->most_bytes,
        .most_window = raw->most_window,
    };
    for (unsigned i = 0; i < MODEL_PHASES; i++)
        counter->phase[i] = parts.phase[i];
    for (unsigned i = 0; i < MODEL_PARTS; i++)
        counter->part[i] = parts.part[i];
    counter->steady_window = clock->boundary[DUMP_AT_STEADY];
    add_last_window(counter, &raw->tally, clock);
    if (counter->site == MODEL_NONE || thread == MODEL_NONE)
    private->orphans++;
}

static int compare_counters(const void *a, const void *b)
{
    const struct model_counter *x = a;
    const struct model_counter *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static void add_counter(struct model_site *site, const struct model_counter *counter)
{
    model_amount_add(&site->all, &counter->all);
    for (unsigned i = 0; i < MODEL_PHASES; i++)
        model_amount_add(&site->phase[i], &counter->phase[i]);
    for (unsigned i = 0; i < MODEL_PARTS; i++)
        model_amount_add(&site->part[i], &counter->part[i]);
    site->temporary = model_add(site->temporary, counter->temporary_poll);
    site->temporary_bytes = model_add(site->temporary_bytes, counter->temporary_poll_bytes);
    site->temporary_frame = model_add(site->temporary_frame, counter->temporary_frame);
    site->temporary_frame_bytes =
        model_add(site->temporary_frame_bytes, counter->temporary_frame_bytes);
    site->polls = most(site->polls, counter->polls);
    site->polls_steady = most(site->polls_steady, counter->polls_steady);
    if (counter->first_window &&
        (!site->first_window || counter->first_window < site->first_window))
        site->first_window = counter->first_window;
    site->last_window = most(site->last_window, counter->last_window);
    if (counter->most_bytes > site->most_bytes) {
        site->most_bytes = counter->most_bytes;
        site->most_window = counter->most_window;
    }
}

static void finish_site(struct model *model, struct model_site *site,
                        const struct model_counter *main)
{
    const struct model_amount *steady = &site->phase[MODEL_STEADY];
    site->thread = main->thread;
    site->live_bytes = model_difference(site->all.bytes, site->all.freed_bytes);
    site->live_blocks = model_difference(site->all.allocations, site->all.frees);
    site->growth_bytes = model_difference(steady->bytes, steady->freed_bytes);
    site->growth_blocks = model_difference(steady->allocations, steady->frees);
    uint32_t clock = model->primary;
    if (main->thread != MODEL_NONE && model->threads[main->thread].polls)
        clock = main->thread;
    uint64_t startup = site->phase[MODEL_STARTUP].allocations;
    struct cadence_facts facts = {
        .allocations = site->all.allocations,
        .after_startup = site->all.allocations - startup,
        .steady_allocations = steady->allocations,
        .shutdown_allocations = site->phase[MODEL_SHUTDOWN].allocations,
        .polls = main->polls,
        .polls_steady = main->polls_steady,
        .steady_polls = clock == MODEL_NONE ? 0 : model->threads[clock].steady_polls,
        .gap_least = main->gap_least,
        .gap_most = main->gap_most,
        .gaps_growing = main->gaps_growing,
        .steady_frames = model->frame_info.steady,
    };
    site->cadence = cadence_of(&facts);
}

/* Makes the site of counters[first ..]; returns how many of them are its. */
static size_t make_site(struct model *model, size_t first)
{
    const struct model_counter *counters = &model->counters[first];
    size_t count = 0;
    size_t main = 0;
    const struct model_stack *stack = &model->stacks[counters->site];
    struct model_site *site = &model->sites[model->site_count++];
    *site = (struct model_site){.id = stack->id,
                                .stack = stack,
                                .in_poll = stack->flags & DUMP_STACK_IN_POLL,
                                .counter = (uint32_t)first};
    while (first + count < model->counter_count && counters[count].site == counters->site) {
        add_counter(site, &counters[count]);
        if (counters[count].all.allocations > counters[main].all.allocations)
            main = count;
        count++;
    }
    site->counters = (uint32_t)count;
    finish_site(model, site, &counters[main]);
    return count;
}

static int compare_sites(const void *a, const void *b)
{
    const struct model_site *x = a;
    const struct model_site *y = b;
    if (x->all.bytes != y->all.bytes)
        return x->all.bytes > y->all.bytes ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Counters named their stack so far; now they name their site. */
static void link_sites(struct model *model)
{
    uint32_t *places = model->private->stack_site;
    for (size_t i = 0; i < model->stack_count; i++)
        places[i] = MODEL_NONE;
    for (size_t i = 0; i < model->site_count; i++)
        places[model->sites[i].stack - model->stacks] = (uint32_t)i;
    for (size_t i = 0; i < model->counter_count; i++)
        if (model->counters[i].site != MODEL_NONE)
            model->counters[i].site = places[model->counters[i].site];
}

void model_read_sites(struct model *model, const struct dumpfile *file)
{
    size_t count = model_count(file, DUMP_COUNTER);
    model->counters = model_alloc(model, count, sizeof *model->counters);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_COUNTER, &cursor);) {
        struct dump_counter raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        read_counter(model, &model->counters[model->counter_count++], &raw);
    }
    if (count)
        qsort(model->counters, count, sizeof *model->counters, compare_counters);
    size_t sites = 0;
    for (size_t i = 0; i < count; i++)
        sites += i == 0 || model->counters[i].site != model->counters[i - 1].site;
    model->sites = model_alloc(model, sites, sizeof *model->sites);
    for (size_t i = 0; i < count && model->counters[i].site != MODEL_NONE;)
        i += make_site(model, i);
    if (model->site_count)
        qsort(model->sites, model->site_count, sizeof *model->sites, compare_sites);
    model->private->stack_site =
        model_alloc(model, model->stack_count, sizeof *model->private->stack_site);
    link_sites(model);
}
