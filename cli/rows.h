/* SPDX-License-Identifier: MIT */
/*
 * rows.h: the sites that a request asks for, in its order. Prints nothing. Called by the outputs.
 */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "cli/out.h"

/* As model_select, with the request's filter, order and places; *sum is of all, not only of the
 * first `limit`. The caller frees. */
struct model_row *rows_select(const struct out_request *request, size_t *count,
                              struct model_amount *sum);

/* The steady part of each site that the request's filter lets through, by the site's place in the
 * model, and zeros; all zeros if another phase was asked for. The caller frees. */
struct model_amount *rows_steady(const struct out_request *request);

/* Where the site allocates: by the thread that allocated most there. */
enum model_place rows_place(const struct model *model, const struct model_site *site);

#endif
