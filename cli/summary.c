/* SPDX-License-Identifier: MIT */
#include "cli/summary.h"

#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

static const struct stats_histogram nothing;

static void take_program(struct summary *summary)
{
    const struct model *model = summary->model;

    summary->rate = model->rate;
    summary->null = model->polls.null;
    summary->empty = model->polls.empty;
    summary->events = model->polls.events;
    summary->allocating = model->polls.allocating;
    memcpy(summary->by_function, model->polls.by_function, sizeof summary->by_function);
    for (unsigned s = 0; s < DUMP_SERIES_LOOP_COUNT; s++) {
        summary->all_polls[s] = model->all_polls[s];
        summary->steady_series[s] = model->steady_polls[s];
    }

    summary->steady_polls = model->steady.polls;
    summary->unit = "poll";
    summary->units = summary->steady_polls;
    if (model->frame_info.steady > 0) {
        summary->unit = strcmp(model->frame_info.kind, "present") == 0 ? "frame" : "drain";
        summary->units = model->frame_info.steady;
    }
    model_amount_add(&summary->steady, &model->totals.cell[MODEL_STEADY][MODEL_IN_POLL]);
    model_amount_add(&summary->steady, &model->totals.cell[MODEL_STEADY][MODEL_BETWEEN]);
}

static void take_loop(struct summary *summary)
{
    const struct model_loop *loop = summary->loop;

    summary->rate = loop->rate;
    summary->null = loop->null;
    summary->empty = loop->empty;
    summary->events = loop->events;
    summary->allocating = loop->allocating_windows;
    memcpy(summary->by_function, loop->by_function, sizeof summary->by_function);
    for (unsigned s = 0; s < DUMP_SERIES_LOOP_COUNT; s++) {
        summary->all_polls[s] = loop->all[s] != NULL ? loop->all[s] : &nothing;
        summary->steady_series[s] = loop->steady[s] != NULL ? loop->steady[s] : &nothing;
    }

    /* Which frames were drawn by a loop is not known, so its unit is the poll. */
    summary->steady_polls = summary->steady_series[DUMP_SERIES_WINDOW_BYTES]->count;
    summary->unit = "poll";
    summary->units = summary->steady_polls;
    summary->steady.allocations = summary->steady_series[DUMP_SERIES_WINDOW_ALLOCATIONS]->sum;
    summary->steady.bytes = summary->steady_series[DUMP_SERIES_WINDOW_BYTES]->sum;
}

bool summary_recurs(const struct model_site *site)
{
    return site->cadence.kind == CADENCE_EVERY_POLL || site->cadence.kind == CADENCE_PERIODIC;
}

/* What threads that poll allocated there in the steady phase. */
static struct model_amount in_loop(const struct model *model, const struct model_site *site)
{
    struct model_amount sum = {0};

    for (uint32_t i = site->counter; i < site->counter + site->counters; i++) {
        const struct model_counter *counter = &model->counters[i];
        if (counter->thread != MODEL_NONE && model->threads[counter->thread].polls)
            model_amount_add(&sum, &counter->phase[MODEL_STEADY]);
    }
    return sum;
}

/* Leaves out sites of which only blocks were freed in the steady phase, counts the others. */
static void take_rows(struct summary *summary)
{
    size_t kept = 0;

    for (size_t i = 0; i < summary->row_count; i++) {
        const struct model_row *row = &summary->rows[i];
        struct model_amount amount = in_loop(summary->model, row->site);

        if (row->amount.allocations == 0)
            continue;
        if (amount.allocations > 0) {
            summary->loop_sites++;
            if (summary_recurs(row->site)) {
                summary->recurring_sites++;
                summary->recurring_allocations += amount.allocations;
                summary->recurring_bytes += amount.bytes;
            }
        }
        summary->rows[kept++] = *row;
    }
    summary->row_count = kept;
}

static unsigned rank_of(const struct summary *summary, const struct model_row *row)
{
    return (summary_recurs(row->site) ? 0 : 2) +
           (in_loop(summary->model, row->site).allocations > 0 ? 0 : 1);
}

/* Keeps the order of those alike. */
static void sort_rows(struct summary *summary)
{
    struct model_row *sorted = xcalloc(summary->row_count, sizeof *sorted);
    size_t done = 0;

    for (unsigned rank = 0; rank < 4; rank++)
        for (size_t i = 0; i < summary->row_count; i++)
            if (rank_of(summary, &summary->rows[i]) == rank)
                sorted[done++] = summary->rows[i];
    free(summary->rows);
    summary->rows = sorted;
}

static const struct model_worst *find_worst(const struct summary *summary)
{
    const struct model *model = summary->model;

    for (size_t i = 0; i < model->worst_steady_count; i++)
        if (summary->loop == NULL || model->worst_steady[i].loop == summary->loop)
            return &model->worst_steady[i];
    for (size_t i = 0; i < model->worst_count; i++)
        if (summary->loop == NULL || model->worst[i].loop == summary->loop)
            return &model->worst[i];
    return NULL;
}

bool summary_is_blind(const struct model *model)
{
    return model->loop_count > 0 && model->totals.all.allocations == 0 &&
           model->loss[DUMP_LOSS_THREADS] == 0;
}

struct summary summary_of(struct model *model, const struct model_loop *loop)
{
    struct summary summary = {.model = model, .loop = loop};
    struct model_filter filter = MODEL_FILTER_ALL;

    if (loop != NULL)
        take_loop(&summary);
    else
        take_program(&summary);

    filter.phase = MODEL_STEADY;
    filter.loop = loop != NULL ? loop->id : 0;
    summary.rows = model_select(model, &filter, MODEL_BY_BYTES, &summary.row_count, NULL);

    take_rows(&summary);
    sort_rows(&summary);

    const struct stats_histogram *windows = summary.steady_series[DUMP_SERIES_WINDOW_ALLOCATIONS];
    summary.steady_allocating = windows->count - stats_zeros(windows);
    if (summary.rate.polls == 0)
        summary.verdict = SUMMARY_NO_POLLS;
    else if (summary_is_blind(model))
        summary.verdict = SUMMARY_BLIND;
    else if (summary.steady_polls == 0)
        summary.verdict = SUMMARY_NO_STEADY;
    else if (summary.steady.allocations == 0)
        summary.verdict = SUMMARY_NOTHING;
    else
        summary.verdict = SUMMARY_ALLOCATES;
    summary.worst = find_worst(&summary);
    return summary;
}

void summary_free(struct summary *summary)
{
    free(summary->rows);
    summary->rows = NULL;
    summary->row_count = 0;
}

double summary_per_unit(const struct summary *summary, uint64_t amount)
{
    return summary->units > 0 ? (double)amount / (double)summary->units : 0;
}

const char *summary_verdict_name(enum summary_verdict verdict)
{
    static const char *const names[] = {"no-polls", "no-steady-phase", "nothing", "allocates",
                                        "blind"};

    return names[verdict];
}
