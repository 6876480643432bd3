/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_phases.h"
#include "cli/model_private.h"

#include <stdlib.h>
#include <string.h>

/* Adds what one tally counted to the thread, by phase; all of it in one place. */
static void add_tally(struct model *model, struct model_thread *thread,
                      const struct dump_tally *tally, const struct dump_clock *clock,
                      enum model_place place)
{
    struct model_parts parts = model_parts_of(tally, clock, 0);
    model->private->contradictions += parts.contradicts;
    model->private->odd_schedule = model->private->odd_schedule || clock->schedule % 2 == 1;
    model_amount_add(&thread->all, &parts.all);
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++) {
        model_amount_add(&thread->phase[phase], &parts.phase[phase]);
        model_amount_add(&thread->cell[phase][place], &parts.phase[phase]);
        if (phase != MODEL_STARTUP)
            model_amount_add(&thread->place[place], &parts.phase[phase]);
    }
}

static void read_thread(struct model_thread *thread, const struct dump_thread *raw)
{
    thread->id = raw->id;
    thread->tid = raw->tid;
    thread->threads = raw->threads;
    thread->polls = raw->flags & DUMP_THREAD_POLLS;
    thread->main = raw->flags & DUMP_THREAD_MAIN;
    thread->presents = raw->flags & DUMP_THREAD_PRESENTS;
    memcpy(thread->name, raw->name, sizeof raw->name);
    thread->first_ns = raw->first_ns;
    thread->drains = raw->drains;
    thread->frames = raw->frames;
    thread->peeps = raw->peeps;
    thread->events_peeped = raw->events_peeped;
    thread->heap_growths = raw->heap_growths;
    thread->mapped_blocks = raw->mapped_blocks;
    if (thread->polls) {
        thread->poll_count = model_clock_polls(&raw->clock);
        thread->steady_polls = model_clock_steady_polls(&raw->clock);
    }
}

static void sum_process(struct model *model, const struct dump_thread *raw)
{
    for (unsigned i = 0; i < DUMP_PRESENT_KINDS; i++)
        model->frame_info.presents[i] = model_add(model->frame_info.presents[i], raw->presents[i]);
    model->heap_growths = model_add(model->heap_growths, raw->heap_growths);
    model->mapped_blocks = model_add(model->mapped_blocks, raw->mapped_blocks);
    /* They are the whole process's, so that the last sample holds the others. */
    if (raw->sampled_ns >= model->faults_ns) {
        model->faults_ns = raw->sampled_ns;
        model->minor_faults = raw->minor_faults;
        model->major_faults = raw->major_faults;
    }
}

static void add_tallies(struct model *model, size_t place, const struct dump_thread *raw)
{
    struct model_thread *thread = &model->threads[place];
    const struct dump_clock *clock = &model->private->clocks[place];
    enum model_place inside = thread->polls ? MODEL_IN_POLL : MODEL_OTHER;
    enum model_place outside = thread->polls ? MODEL_BETWEEN : MODEL_OTHER;
    add_tally(model, thread, &raw->in_poll, clock, inside);
    add_tally(model, thread, &raw->outside, clock, outside);
}

void model_read_threads(struct model *model, const struct dumpfile *file)
{
    size_t count = model_count(file, DUMP_THREAD);
    struct model_private *private = model->private;
    model->threads = model_alloc(model, count, sizeof *model->threads);
    private->clocks = model_alloc(model, count, sizeof *private->clocks);
    struct dump_thread *raw = xcalloc(count, sizeof *raw);
    uint32_t *ids = xcalloc(count, sizeof *ids);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_THREAD, &cursor);) {
        size_t place = model->thread_count++;
        dumpfile_copy(&cursor.record, &raw[place], sizeof *raw);
        read_thread(&model->threads[place], &raw[place]);
        sum_process(model, &raw[place]);
        ids[place] = raw[place].id;
    }
    model_index_build(model, &private->threads, ids, count);
    uint64_t primary = file->header.primary_thread;
    model->primary = primary && primary <= UINT32_MAX
                         ? model_index_find(&private->threads, (uint32_t)primary)
                         : MODEL_NONE;
    struct dump_clock primary_clock = {0};
    if (model->primary != MODEL_NONE) {
        primary_clock = raw[model->primary].clock;
        model->threads[model->primary].primary = true;
    }
    for (size_t i = 0; i < count; i++) {
        private->clocks[i] = model->threads[i].polls ? raw[i].clock : primary_clock;
        model_clock_part_polls(&private->clocks[i], model->threads[i].part_polls);
        add_tallies(model, i, &raw[i]);
    }
    free(raw);
    free(ids);
}
