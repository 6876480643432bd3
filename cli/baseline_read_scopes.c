/* SPDX-License-Identifier: MIT */
/* The phases of a baseline's text. */
#include "cli/baseline_private.h"

bool baseline_read_amount(struct baseline_reader *reader, const struct baseline_place *place,
                          const json_t *object, struct model_amount *amount)
{
    static const char *const keys[] = {"bytes", "allocations", "reallocations",
                                       "frees", "freed_bytes", NULL};

    if (!baseline_json_only(&reader->json, place, (json_t *)object, keys))
        return false;
    for (unsigned i = 0; i < 5; i++)
        if (json_object_get(object, keys[i]) != NULL &&
            !baseline_json_number(&reader->json, place, object, keys[i],
                                  baseline_amount_field(amount, i)))
            return false;
    return true;
}

static bool read_range(struct baseline_reader *reader, const struct baseline_place *place,
                       const json_t *object, const char *key, struct stats_range *range)
{
    const json_t *list = baseline_json_list(&reader->json, place, object, key);

    if (list == NULL)
        return false;
    if (json_array_size(list) != 2)
        return baseline_json_wrong(&reader->json, place, key, "is no pair");
    if (!baseline_json_item(&reader->json, place, key, json_array_get(list, 0), &range->least) ||
        !baseline_json_item(&reader->json, place, key, json_array_get(list, 1), &range->most))
        return false;
    if (range->least > range->most)
        return baseline_json_wrong(&reader->json, place, key, "is no range");
    return true;
}

static bool read_series(struct baseline_reader *reader, const struct baseline_place *place,
                        const json_t *object, struct baseline_series *series)
{
    static const char *const keys[] = {"count", "sum", "zeros", "least", "most",
                                       "p50",   "p90", "p99",   NULL};
    struct baseline_json *json = &reader->json;

    return baseline_json_only(json, place, (json_t *)object, keys) &&
           baseline_json_number(json, place, object, "count", &series->count) &&
           baseline_json_number(json, place, object, "sum", &series->sum) &&
           baseline_json_number(json, place, object, "zeros", &series->zeros) &&
           baseline_json_number(json, place, object, "least", &series->least) &&
           baseline_json_number(json, place, object, "most", &series->most) &&
           read_range(reader, place, object, "p50", &series->p50) &&
           read_range(reader, place, object, "p90", &series->p90) &&
           read_range(reader, place, object, "p99", &series->p99);
}

static bool read_units(struct baseline_reader *reader, const struct baseline_place *place,
                       const json_t *object, struct baseline_scope *scope)
{
    struct baseline_json *json = &reader->json;

    if (!baseline_json_number(json, place, object, "polls", &scope->polls) ||
        !baseline_json_number(json, place, object, "drains", &scope->drains) ||
        !baseline_json_number(json, place, object, "frames", &scope->frames) ||
        !baseline_json_number(json, place, object, "ns", &scope->ns) ||
        !baseline_json_number(json, place, object, "allocating_polls", &scope->allocating_polls))
        return false;
    for (unsigned s = 0; s < DUMP_SERIES_COUNT; s++) {
        const struct baseline_place inner = {place->inner, baseline_series_name(s), 0};
        const json_t *series = baseline_json_object(json, place, object, baseline_series_name(s));
        if (series == NULL || !read_series(reader, &inner, series, &scope->series[s]))
            return false;
    }
    return true;
}

static bool read_scope(struct baseline_reader *reader, const json_t *scopes,
                       enum budget_scope which)
{
    const struct baseline_place place = {"scopes", budget_scope_name(which), 0};
    struct baseline_json *json = &reader->json;
    struct baseline_scope *scope = &reader->baseline->scope[which];
    const char *keys[MODEL_PLACES + 5 + DUMP_SERIES_COUNT + 1] = {"polls", "drains", "frames", "ns",
                                                                  "allocating_polls"};
    bool units = which == BUDGET_STEADY || which == BUDGET_PROCESS;
    size_t count = units ? 5 : 0;
    const json_t *object = baseline_json_object(json, &(struct baseline_place){"scopes", NULL, 0},
                                                scopes, place.inner);

    for (unsigned s = 0; units && s < DUMP_SERIES_COUNT; s++)
        keys[count++] = baseline_series_name(s);
    for (unsigned p = 0; p < MODEL_PLACES; p++)
        keys[count++] = baseline_place_names[p];
    keys[count] = NULL;
    if (object == NULL || !baseline_json_only(json, &place, (json_t *)object, keys))
        return false;
    for (unsigned p = 0; p < MODEL_PLACES; p++) {
        const struct baseline_place inner = {place.inner, baseline_place_names[p], 0};
        const json_t *amount = baseline_json_object(json, &place, object, baseline_place_names[p]);
        if (amount == NULL || !baseline_read_amount(reader, &inner, amount, &scope->place[p]))
            return false;
        model_amount_add(&scope->all, &scope->place[p]);
    }
    return !units || read_units(reader, &place, object, scope);
}

bool baseline_read_scopes(struct baseline_reader *reader, const json_t *whole)
{
    const char *keys[BUDGET_SCOPES + 1] = {NULL};
    const struct baseline_place place = {"scopes", NULL, 0};
    const json_t *scopes = baseline_json_object(&reader->json, &baseline_top, whole, "scopes");

    for (unsigned scope = 0; scope < BUDGET_SCOPES; scope++)
        keys[scope] = budget_scope_name((enum budget_scope)scope);
    if (scopes == NULL || !baseline_json_only(&reader->json, &place, (json_t *)scopes, keys))
        return false;
    for (unsigned scope = 0; scope < BUDGET_SCOPES; scope++)
        if (!read_scope(reader, scopes, (enum budget_scope)scope))
            return false;
    reader->baseline->no_polls = reader->baseline->scope[BUDGET_PROCESS].polls == 0;
    reader->baseline->no_steady = reader->baseline->scope[BUDGET_STEADY].polls == 0;
    return true;
}
