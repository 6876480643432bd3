/* SPDX-License-Identifier: MIT */
#include "cli/summary.h"

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

/* Whether a thread that polls allocated there in the steady phase. */
static bool is_in_loop(const struct model *model, const struct model_site *site)
{
    for (uint32_t i = site->counter; i < site->counter + site->counters; i++) {
        const struct model_counter *counter = &model->counters[i];
        if (counter->phase[MODEL_STEADY].allocations > 0 && counter->thread != MODEL_NONE &&
            model->threads[counter->thread].polls)
            return true;
    }
    return false;
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

    /* Sites of which only blocks were freed in the steady phase allocate nothing in it. */
    size_t kept = 0;
    for (size_t i = 0; i < summary.row_count; i++)
        if (summary.rows[i].amount.allocations > 0)
            summary.rows[kept++] = summary.rows[i];
    summary.row_count = kept;
    for (size_t i = 0; i < kept; i++)
        summary.loop_sites += is_in_loop(model, summary.rows[i].site);

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
