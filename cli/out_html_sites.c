/* SPDX-License-Identifier: MIT */
/* The sites of the HTML page: as many as fit, and the sum of the others. */
#include "cli/out_html_data.h"

#include <stdlib.h>
#include <string.h>

static size_t size_of(const json_t *data)
{
    char *text = out_html_text(data);
    size_t size = strlen(text);

    free(text);
    return size;
}

static int compare_rows(const void *left, const void *right)
{
    const struct model_site *a = ((const struct model_row *)left)->site;
    const struct model_site *b = ((const struct model_row *)right)->site;
    uint64_t a_steady = a->phase[MODEL_STEADY].bytes, b_steady = b->phase[MODEL_STEADY].bytes;

    if (a_steady != b_steady)
        return a_steady > b_steady ? -1 : 1;
    if (a->all.bytes != b->all.bytes)
        return a->all.bytes > b->all.bytes ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* A site of one thread says all itself; of several, each has its phases. */
static void set_threads(json_t *object, const struct model *model, const struct model_site *site)
{
    json_t *threads = json_object_get(object, "threads");

    if (site->counters == 1) {
        json_object_del(object, "threads");
        return;
    }
    for (uint32_t i = 0; i < site->counters; i++)
        out_json_set(json_array_get(threads, i), "phases",
                     out_json_phases(model->counters[site->counter + i].phase));
}

static json_t *row_of(const struct out_request *request, const struct model_row *row)
{
    json_t *object = out_json_row(request, row);
    json_t *cadence = json_object_get(object, "cadence_detail");

    set_threads(object, request->model, row->site);
    json_object_del(object, "thread_name");
    json_object_del(object, "in_poll");
    if (strcmp(json_string_value(json_object_get(object, "cadence")), row->site->cadence.words) ==
        0)
        json_object_del(cadence, "words");
    out_html_drop_nothings(object);
    return object;
}

struct left_out {
    size_t count;
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES];
    uint64_t temporary, temporary_bytes;
};

static void leave_out(struct left_out *left, const struct model_site *site)
{
    left->count++;
    model_amount_add(&left->all, &site->all);
    for (int phase = 0; phase < MODEL_PHASES; phase++)
        model_amount_add(&left->phase[phase], &site->phase[phase]);
    if (__builtin_add_overflow(left->temporary, site->temporary, &left->temporary))
        left->temporary = UINT64_MAX;
    if (__builtin_add_overflow(left->temporary_bytes, site->temporary_bytes,
                               &left->temporary_bytes))
        left->temporary_bytes = UINT64_MAX;
}

static json_t *left_out_of(const struct left_out *left)
{
    json_t *object = out_json_amount(&left->all);

    out_json_set_number(object, "count", left->count);
    out_json_set_number(object, "temporary", left->temporary);
    out_json_set_number(object, "temporary_bytes", left->temporary_bytes);
    out_json_set(object, "phases", out_json_phases(left->phase));
    out_html_drop_nothings(object);
    return object;
}

void out_html_add_sites(json_t *run, const struct out_request *request,
                        struct out_html_lines *lines, size_t room)
{
    struct out_request whole = *request;
    json_t *sites = json_array();
    struct left_out left = {0};
    size_t count;
    struct model_row *rows =
        model_select(request->model, &MODEL_FILTER_ALL, MODEL_BY_BYTES, &count, NULL);
    size_t used = 0, before = lines->size;
    bool full = false;

    whole.shorten = out_html_shorten;
    whole.shorten_data = lines;
    if (count > 0)
        qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count; i++) {
        json_t *object = full ? NULL : row_of(&whole, &rows[i]);
        if (object != NULL) {
            used += size_of(object) + 1;
            full = used + (lines->size - before) > room;
        }
        if (full) {
            json_decref(object);
            leave_out(&left, rows[i].site);
        } else {
            json_array_append_new(sites, object);
        }
    }
    free(rows);
    out_json_set(run, "sites", sites);
    out_json_set(run, "left_out", left.count > 0 ? left_out_of(&left) : json_null());
    out_json_set(run, "lines", json_incref(lines->list));
}
