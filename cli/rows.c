/* SPDX-License-Identifier: MIT */
#include "cli/rows.h"

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
