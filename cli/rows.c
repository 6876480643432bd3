/* SPDX-License-Identifier: MIT */
#include "cli/rows.h"

#include "cli/errors.h"

#include <stdlib.h>

enum model_place rows_place(const struct model *model, const struct model_site *site)
{
    if (site->in_poll)
        return MODEL_IN_POLL;
    if (site->thread == MODEL_NONE || model->threads[site->thread].polls)
        return MODEL_BETWEEN;
    return MODEL_OTHER;
}

struct model_row *rows_select(const struct out_request *request, size_t *count,
                              struct model_amount *sum)
{
    struct model_row *rows =
        model_select(request->model, &request->filter, request->order, count, sum);
    size_t kept = 0;

    if (request->places == 0)
        return rows;
    *sum = (struct model_amount){0};
    for (size_t i = 0; i < *count; i++) {
        if (!(request->places & 1u << rows_place(request->model, rows[i].site)))
            continue;
        model_amount_add(sum, &rows[i].amount);
        rows[kept++] = rows[i];
    }
    *count = kept;
    return rows;
}

struct model_amount *rows_steady(const struct out_request *request)
{
    const struct model *model = request->model;
    struct model_amount *amounts = xcalloc(model->site_count + 1, sizeof *amounts);
    struct model_filter filter = request->filter;
    size_t count;

    if (filter.phase != MODEL_ANY && filter.phase != MODEL_STEADY)
        return amounts;
    filter.phase = MODEL_STEADY;
    struct model_row *rows = model_select(request->model, &filter, MODEL_BY_BYTES, &count, NULL);
    for (size_t i = 0; i < count; i++)
        amounts[rows[i].site - model->sites] = rows[i].amount;
    free(rows);
    return amounts;
}
