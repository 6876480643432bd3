/* SPDX-License-Identifier: MIT */
/* Whether a baseline knows a site of a model. */
#include "cli/baseline_key.h"
#include "cli/baseline_private.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool allocates(const struct baseline_site *site, enum budget_scope scope)
{
    for (unsigned phase = 0; phase < MODEL_PHASES; phase++)
        if ((scope == BUDGET_PROCESS || (unsigned)scope == phase) &&
            site->phase[phase].allocations > 0)
            return true;
    return false;
}

void baseline_forget_keys(struct baseline *baseline)
{
    struct baseline_private *private = baseline->private;

    for (unsigned scope = 0; scope < BUDGET_SCOPES; scope++) {
        for (size_t i = 0; i < private->keys[scope].count; i++)
            free(private->keys[scope].keys[i]);
        free(private->keys[scope].keys);
        private->keys[scope] = (struct baseline_keys){0};
    }
    baseline_free(private->now);
    private->now = NULL;
    private->model = NULL;
}

static const struct baseline_keys *keys_of(const struct baseline *baseline, enum budget_scope scope)
{
    struct baseline_private *private = baseline->private;
    struct baseline_keys *keys = &private->keys[scope];
    const struct baseline_runs runs = {&private->now, 1};

    if (keys->keys != NULL)
        return keys;
    keys->keys = xcalloc(baseline->site_count + 1, sizeof *keys->keys);
    for (size_t i = 0; i < baseline->site_count; i++)
        if (allocates(&baseline->sites[i], scope))
            keys->keys[keys->count++] =
                baseline_site_key(baseline, &baseline->sites[i], &runs, false);
    qsort(keys->keys, keys->count, sizeof *keys->keys, compare_keys);
    return keys;
}

bool baseline_has_site(const struct baseline *baseline, struct model *model,
                       const struct model_site *site, enum budget_scope scope)
{
    struct baseline_private *private = baseline->private;
    struct baseline *self = (struct baseline *)baseline; /* only what is private changes */
    const struct baseline_runs runs = {&self, 1};
    struct baseline_site names = {0};

    if (private->model != model) {
        baseline_forget_keys(self);
        private->now = baseline_of(model);
        private->model = model;
    }
    const struct baseline_keys *keys = keys_of(baseline, scope);
    baseline_take_lines(private->now, model, site->stack, &names);
    char *key = baseline_site_key(private->now, &names, &runs, false);
    bool has = keys->count > 0 &&
               bsearch(&key, keys->keys, keys->count, sizeof *keys->keys, compare_keys) != NULL;
    free(key);
    return has;
}
