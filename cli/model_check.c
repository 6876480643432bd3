/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* So many lines say enough of a dump that is wrong all over. */
#define MOST_LINES 100

struct report {
    size_t count;
    char *lines[MOST_LINES];
};

/* Bytes of the reports' numbers are exact: equal or wrong. */
static void expect(struct report *report, uint64_t got, uint64_t want, const char *what,
                   uint64_t which)
{
    if (got == want || report->count == MOST_LINES)
        return;
    report->lines[report->count++] =
        xasprintf("%s %" PRIu64 ": %" PRIu64 ", expected %" PRIu64, what, which, got, want);
}

static void expect_part(struct report *report, uint64_t got, uint64_t want, const char *part,
                        const char *what, uint64_t which)
{
    if (got == want || report->count == MOST_LINES)
        return;
    char *text = xasprintf("%s of %s", part, what);
    expect(report, got, want, text, which);
    free(text);
}

static void expect_amount(struct report *report, const struct model_amount *got,
                          const struct model_amount *want, const char *what, uint64_t which)
{
    const struct {
        const char *name;
        uint64_t got, want;
    } fields[] = {
        {"allocations", got->allocations, want->allocations},
        {"bytes", got->bytes, want->bytes},
        {"reallocations", got->reallocations, want->reallocations},
        {"frees", got->frees, want->frees},
        {"freed bytes", got->freed_bytes, want->freed_bytes},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        expect_part(report, fields[i].got, fields[i].want, fields[i].name, what, which);
}

static void check_threads(const struct model *model, struct report *report)
{
    struct model_amount sum = {0};
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        struct model_amount phases = {0};
        struct model_amount places = thread->phase[MODEL_STARTUP];
        for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
            model_amount_add(&phases, &thread->phase[phase]);
        for (unsigned place = 0; place < MODEL_PLACES; place++)
            model_amount_add(&places, &thread->place[place]);
        expect_amount(report, &phases, &thread->all, "the phases of thread", thread->id);
        expect_amount(report, &places, &thread->all, "the places of thread", thread->id);
        model_amount_add(&sum, &thread->all);
    }
    expect_amount(report, &sum, &model->totals.all, "all threads, dump of process", model->pid);
    struct model_amount cells = {0};
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
        for (unsigned place = 0; place < MODEL_PLACES; place++)
            model_amount_add(&cells, &model->totals.cell[phase][place]);
    expect_amount(report, &cells, &model->totals.all, "phases by places, dump of process",
                  model->pid);
}

/* What no counter had room for is in the thread's totals alone; only allocations are counted so. */
static void check_sites(const struct model *model, struct report *report)
{
    struct model_amount sum = {0};
    struct model_amount *by_thread = xcalloc(model->thread_count, sizeof *by_thread);
    for (size_t i = 0; i < model->counter_count; i++) {
        const struct model_counter *counter = &model->counters[i];
        model_amount_add(&sum, &counter->all);
        if (counter->thread != MODEL_NONE)
            model_amount_add(&by_thread[counter->thread], &counter->all);
    }
    uint64_t lost = model->loss[DUMP_LOSS_COUNTERS];
    expect(report, model_add(sum.allocations, lost), model->totals.all.allocations,
           "allocations of all sites, with those lost, dump of process", model->pid);
    if (lost == 0) {
        expect_amount(report, &sum, &model->totals.all, "all sites, dump of process", model->pid);
        for (size_t i = 0; i < model->thread_count; i++)
            expect_amount(report, &by_thread[i], &model->threads[i].all, "the sites of thread",
                          model->threads[i].id);
    }
    free(by_thread);
    struct model_amount sites = {0};
    for (size_t i = 0; i < model->site_count; i++)
        model_amount_add(&sites, &model->sites[i].all);
    expect_amount(report, &sites, &sum, "sites against their counters, dump of process",
                  model->pid);
}

/* Waits are polls, and their time is time in polls. */
static void check_waits(struct report *report, const struct model_loop *loop)
{
    uint64_t most =
        model_add(loop->by_function[DUMP_WAIT_EVENT], loop->by_function[DUMP_WAIT_TIMEOUT]);

    if (loop->waits.count > most)
        expect(report, loop->waits.count, most, "waits of loop", loop->id);
    if (loop->waits.replaced > loop->waits.count)
        expect(report, loop->waits.replaced, loop->waits.count, "replaced waits of loop", loop->id);
    if (loop->waits.ns > loop->poll_ns)
        expect(report, loop->waits.ns, loop->poll_ns, "time in waits of loop", loop->id);
}

/* Startup, then the windows that polls ended, then the open one: nothing else of a thread. */
static void check_loops(const struct model *model, struct report *report)
{
    struct model_amount *sums = xcalloc(model->thread_count, sizeof *sums);
    uint64_t *polls = xcalloc(model->thread_count, sizeof *polls);
    uint64_t all_polls = 0;
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        all_polls = model_add(all_polls, loop->polls);
        uint64_t kinds = 0;
        for (unsigned kind = 0; kind < DUMP_POLL_KINDS; kind++)
            kinds = model_add(kinds, loop->by_function[kind]);
        expect(report, kinds, loop->polls, "polls by function of loop", loop->id);
        uint64_t answers = model_add(loop->empty, loop->events);
        answers = model_add(answers, loop->by_function[DUMP_PUMP]);
        answers = model_add(answers, loop->by_function[DUMP_ITERATE]);
        answers = model_add(answers, loop->by_function[DUMP_GLFW]);
        expect(report, answers, loop->polls, "polls by answer of loop", loop->id);
        check_waits(report, loop);
        if (loop->thread == MODEL_NONE)
            continue;
        model_amount_add(&sums[loop->thread], &loop->in_poll);
        model_amount_add(&sums[loop->thread], &loop->between);
        polls[loop->thread] = model_add(polls[loop->thread], loop->polls);
    }
    uint64_t lost = model->loss[DUMP_LOSS_LOOPS];
    expect(report, model_add(all_polls, lost), model->polls.count,
           "polls of all loops, with those lost, dump of process", model->pid);
    for (size_t i = 0; lost == 0 && i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];
        if (!thread->polls)
            continue;
        model_amount_add(&sums[i], &thread->phase[MODEL_STARTUP]);
        model_amount_add(&sums[i], &thread->phase[MODEL_SHUTDOWN]);
        expect_amount(report, &sums[i], &thread->all,
                      "startup, loops and the open window of thread", thread->id);
        expect(report, polls[i], thread->poll_count, "polls of the loops of thread", thread->id);
    }
    free(sums);
    free(polls);
}

static void check_histogram(struct report *report, const struct stats_histogram *histogram,
                            uint64_t count, uint64_t sum, const char *what, uint64_t which)
{
    static const struct stats_histogram none = {0};
    const struct stats_histogram *values = histogram ? histogram : &none;
    uint64_t buckets = 0;
    for (unsigned i = 0; values->count && i < STATS_BUCKETS; i++)
        buckets = model_add(buckets, values->bucket[i]);
    expect_part(report, buckets, values->count, "values in the buckets", what, which);
    expect_part(report, values->count, count, "values", what, which);
    expect_part(report, values->sum, sum, "sum", what, which);
}

static void check_loop_histograms(const struct model *model, struct report *report)
{
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        check_histogram(report, loop->all[DUMP_SERIES_WINDOW_BYTES], loop->polls, loop->rate.bytes,
                        "bytes by window, loop", loop->id);
        check_histogram(report, loop->all[DUMP_SERIES_WINDOW_ALLOCATIONS], loop->polls,
                        loop->rate.allocations, "allocations by window, loop", loop->id);
        check_histogram(report, loop->all[DUMP_SERIES_POLL_BYTES], loop->polls, loop->in_poll.bytes,
                        "bytes in polls, loop", loop->id);
        check_histogram(report, loop->all[DUMP_SERIES_POLL_NS], loop->polls, loop->poll_ns,
                        "time in polls, loop", loop->id);
        const struct stats_histogram *windows = loop->all[DUMP_SERIES_WINDOW_ALLOCATIONS];
        if (windows)
            expect(report, windows->count - stats_zeros(windows), loop->allocating_windows,
                   "windows that allocate, loop", loop->id);
    }
}

static void check_steady(const struct model *model, struct report *report)
{
    if (model->loss[DUMP_LOSS_LOOPS])
        return;
    check_histogram(report, model->steady_polls[DUMP_SERIES_WINDOW_BYTES], model->steady.polls,
                    model->steady.bytes, "bytes by steady window, dump of process", model->pid);
    check_histogram(report, model->steady_polls[DUMP_SERIES_WINDOW_ALLOCATIONS],
                    model->steady.polls, model->steady.allocations,
                    "allocations by steady window, dump of process", model->pid);
}

/* The time line holds the primary thread's polls and what their windows allocated. */
static void check_timeline(const struct model *model, struct report *report)
{
    struct model_bucket sum = {0};
    uint64_t polls = 0;
    struct model_amount in_poll = {0};
    struct model_amount between = {0};
    if (model->primary == MODEL_NONE || model->loss[DUMP_LOSS_LOOPS] || model->bucket_count == 0)
        return;
    for (size_t i = 0; i < model->bucket_count; i++) {
        sum.polls = model_add(sum.polls, model->buckets[i].polls);
        sum.in_poll_bytes = model_add(sum.in_poll_bytes, model->buckets[i].in_poll_bytes);
        sum.between_bytes = model_add(sum.between_bytes, model->buckets[i].between_bytes);
    }
    for (size_t i = 0; i < model->loop_count; i++) {
        const struct model_loop *loop = &model->loops[i];
        if (loop->thread != model->primary)
            continue;
        polls = model_add(polls, loop->polls);
        model_amount_add(&in_poll, &loop->in_poll);
        model_amount_add(&between, &loop->between);
    }
    expect(report, sum.polls, polls, "polls in the time line, dump of process", model->pid);
    expect(report, sum.in_poll_bytes, in_poll.bytes,
           "bytes in polls in the time line, dump of process", model->pid);
    expect(report, sum.between_bytes, between.bytes,
           "bytes between polls in the time line, dump of process", model->pid);
}

static void expect_most(struct report *report, uint64_t got, uint64_t most, const char *what,
                        uint64_t which)
{
    if (got > most)
        expect(report, got, most, what, which);
}

/* Every drain that was booked is one of NONE, of SEVERAL or alone. */
static void check_events(const struct model *model, struct report *report)
{
    uint64_t drains = 0;
    uint64_t allocations = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        bool whole = event->kind == DUMP_EVENT_SEVERAL || event->kind == DUMP_EVENT_NONE;
        drains = model_add(drains, whole ? event->drains : event->alone_drains);
        allocations = model_add(allocations, whole ? event->allocations : event->alone_allocations);
        bytes = model_add(bytes, whole ? event->bytes : event->alone_bytes);
        expect_most(report, event->alone_drains, event->drains, "drains alone, event", event->type);
        expect_most(report, event->alone_bytes, event->bytes, "bytes alone, event", event->type);
        if (event->kind == DUMP_EVENT_TYPE)
            expect_most(report, event->drains, event->events, "drains with event", event->type);
    }
    const struct model_amount *in_poll = &model->totals.place[MODEL_IN_POLL];
    expect_most(report, drains, model->polls.drains, "drains by event, dump of process",
                model->pid);
    expect_most(report, allocations, in_poll->allocations,
                "allocations in polls by event, dump of process", model->pid);
    expect_most(report, bytes, in_poll->bytes, "bytes in polls by event, dump of process",
                model->pid);
}

static void check_patch(const struct model *model, struct report *report)
{
    const struct model_patch *patch = &model->patch;
    uint64_t spilled = 0;
    for (unsigned i = 0; i < DUMP_SPILLS; i++)
        spilled = model_add(spilled, patch->spilled[i]);
    expect(report, spilled, patch->heap_allocations, "spilled requests by reason, dump of process",
           model->pid);
    if (model->loss[DUMP_LOSS_NESTED] == 0)
        expect(report, patch->uneven, 0, "threads with other requests in polls, dump of process",
               model->pid);
}

size_t model_check(const struct model *model, char ***lines)
{
    struct report report = {0};
    check_threads(model, &report);
    check_sites(model, &report);
    check_loops(model, &report);
    check_loop_histograms(model, &report);
    check_steady(model, &report);
    check_timeline(model, &report);
    check_events(model, &report);
    check_patch(model, &report);
    if (!lines) {
        for (size_t i = 0; i < report.count; i++)
            free(report.lines[i]);
        return report.count;
    }
    *lines = xcalloc(report.count, sizeof **lines);
    for (size_t i = 0; i < report.count; i++)
        (*lines)[i] = report.lines[i];
    return report.count;
}

void model_check_free(char **lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}
