/* SPDX-License-Identifier: MIT */
/* The first screen's table of where the program allocates. */
#include "cli/out_text.h"
#include "cli/summary.h"
#include "cli/table.h"

#include <stdio.h>

/* Of counts that may be damaged. */
static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void where_row(struct table *table, const struct summary *summary, const char *name,
                      uint64_t allocations, uint64_t bytes, const struct model_amount *steady)
{
    table_cell(table, name);
    table_cell(table, format_count(allocations).text);
    table_cell(table, format_count(bytes).text);
    if (steady == NULL || summary->units == 0) {
        table_cell(table, "");
        table_cell(table, "");
        return;
    }
    table_cell(table, format_cell(summary_per_unit(summary, steady->allocations)).text);
    table_cell(table, format_cell(summary_per_unit(summary, steady->bytes)).text);
}

static void amount_row(struct table *table, const struct summary *summary, const char *name,
                       const struct model_amount *amount)
{
    where_row(table, summary, name, amount->allocations, amount->bytes, NULL);
}

/* Each allocation is in one row, so that they add up to the last. */
static void where_rows(struct table *table, const struct summary *summary)
{
    const struct model_totals *totals = &summary->model->totals;
    const struct model_amount *end = &totals->phase[MODEL_SHUTDOWN];

    amount_row(table, summary, "startup", &totals->phase[MODEL_STARTUP]);
    for (int place = 0; place < MODEL_PLACES; place++) {
        const struct model_amount *all = &totals->place[place];
        const struct model_amount *late = &totals->cell[MODEL_SHUTDOWN][place];

        if ((place != MODEL_OTHER && summary->rate.polls > 0) || all->allocations > 0)
            where_row(table, summary, model_place_name(place),
                      less(all->allocations, late->allocations), less(all->bytes, late->bytes),
                      &totals->cell[MODEL_STEADY][place]);
    }
    if (end->allocations > 0)
        amount_row(table, summary, "after the last poll", end);
    amount_row(table, summary, "in all", &totals->all);
}

void out_text_where(const struct out_request *request, const struct summary *summary)
{
    char allocations[40], bytes[40];
    const struct table_column columns[] = {{"where", TABLE_LEFT},
                                           {"allocations", TABLE_RIGHT},
                                           {"bytes", TABLE_RIGHT},
                                           {allocations, TABLE_RIGHT},
                                           {bytes, TABLE_RIGHT}};
    struct table *table = table_new(columns, 5, 0);

    snprintf(allocations, sizeof allocations, "steady: allocs/%s", summary->unit);
    snprintf(bytes, sizeof bytes, "bytes/%s", summary->unit);
    if (summary->loop != NULL) {
        amount_row(table, summary, "in poll", &summary->loop->in_poll);
        amount_row(table, summary, "between polls", &summary->loop->between);
    } else {
        where_rows(table, summary);
    }
    table_print(table, &request->term);
}
