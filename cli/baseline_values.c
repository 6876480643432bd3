/* SPDX-License-Identifier: MIT */
/* The values that the limits of budgets had. */
#include "cli/baseline_private.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

/* What a budget counts, in words; the caller frees. Its metric stands beside it. */
static char *counted(const struct budget *budget)
{
    const char *per = budget_per_name(budget->per);
    char *places = budget->places == 0
                       ? xstrdup("")
                       : xasprintf("%s%s%s", budget->places & BUDGET_IN_POLL ? ", in poll" : "",
                                   budget->places & BUDGET_BETWEEN ? ", between polls" : "",
                                   budget->places & BUDGET_OTHER ? ", other threads" : "");
    char *cadences = xstrdup("");

    for (unsigned kind = CADENCE_STARTUP; kind <= CADENCE_SHUTDOWN; kind++)
        if (budget->cadences & 1u << kind) {
            char *longer = xasprintf("%s, %s", cadences, cadence_name((enum cadence_kind)kind));
            free(cadences);
            cadences = longer;
        }
    char *text = xasprintf("%s, thread %s%s%s%s%s%s%s%s", budget_scope_name(budget->scope),
                           budget->thread, places, *per != '\0' ? ", per " : "", per, cadences,
                           budget->sustained ? ", sustained" : "",
                           budget->site_text != NULL ? ", site " : "",
                           budget->site_text != NULL ? budget->site_text : "");

    free(cadences);
    free(places);
    return text;
}

static int by_key(const void *a, const void *b)
{
    const struct baseline_value *x = a, *y = b;
    int order = strcmp(x->budget, y->budget);

    if (order == 0)
        order = strcmp(x->metric, y->metric);
    return order != 0 ? order : strcmp(x->of, y->of);
}

bool baseline_sort_values(struct baseline *baseline)
{
    if (baseline->value_count > 0)
        qsort(baseline->values, baseline->value_count, sizeof *baseline->values, by_key);
    for (size_t i = 1; i < baseline->value_count; i++)
        if (by_key(&baseline->values[i - 1], &baseline->values[i]) == 0)
            return false;
    return true;
}

static struct baseline_value *find(const struct baseline *baseline,
                                   const struct baseline_value *key)
{
    return baseline->value_count > 0 ? bsearch(key, baseline->values, baseline->value_count,
                                               sizeof *baseline->values, by_key)
                                     : NULL;
}

bool baseline_value(const struct baseline *baseline, const struct budget *budget,
                    enum budget_metric metric, struct ratio *value)
{
    char *of = counted(budget);
    struct baseline_value key = {budget->name, budget_metric_name(metric), of, {0}};
    const struct baseline_value *found = find(baseline, &key);

    if (found != NULL)
        *value = found->value;
    free(of);
    return found != NULL;
}

/* Each number of 64 bits, as the file has them: what is larger loses its last digits. */
static struct ratio narrow(struct ratio value)
{
    while (value.part > UINT64_MAX || value.whole > UINT64_MAX) {
        value.part >>= 1;
        value.whole = value.whole > 1 ? value.whole >> 1 : 1;
    }
    return value;
}

static void set(struct baseline *baseline, const struct baseline_value *value)
{
    struct baseline_value *found = find(baseline, value);

    if (found != NULL) {
        found->value = value->value;
        return;
    }
    baseline->values =
        xreallocarray(baseline->values, baseline->value_count + 1, sizeof *baseline->values);
    baseline->values[baseline->value_count++] = (struct baseline_value){
        baseline_intern(baseline, value->budget), baseline_intern(baseline, value->metric),
        baseline_intern(baseline, value->of), value->value};
    baseline_sort_values(baseline);
}

void baseline_set_value(struct baseline *baseline, const struct budget *budget,
                        enum budget_metric metric, struct ratio value)
{
    char *of = counted(budget);

    set(baseline,
        &(struct baseline_value){budget->name, budget_metric_name(metric), of, narrow(value)});
    free(of);
}

/* More polls in a second are better: everywhere else less is. */
static bool is_lower(const struct baseline_value *a, const struct baseline_value *b)
{
    int order = ratio_compare(a->value, b->value);

    return strcmp(a->metric, budget_metric_name(BUDGET_POLLS_PER_SECOND)) == 0 ? order > 0
                                                                               : order < 0;
}

static void copy_lines(struct baseline *baseline, struct baseline_site *site)
{
    struct baseline_line *lines = baseline_alloc(baseline, site->line_count, sizeof *lines);

    for (size_t i = 0; i < site->line_count; i++)
        lines[i] = (struct baseline_line){baseline_intern(baseline, site->lines[i].module),
                                          baseline_intern(baseline, site->lines[i].function)};
    site->lines = lines;
}

/* Everything but the values, which `to` keeps. */
static void copy_run(struct baseline *to, const struct baseline *from)
{
    struct baseline copy = *from;
    const struct baseline_environment *environment = &from->environment;

    copy.path = to->path;
    copy.private = to->private;
    copy.values = to->values;
    copy.value_count = to->value_count;
    copy.environment = (struct baseline_environment){
        baseline_intern(to, environment->program), baseline_intern(to, environment->build_id),
        baseline_intern(to, environment->arch),    baseline_intern(to, environment->sdl),
        baseline_intern(to, environment->video),   baseline_intern(to, environment->libc)};
    copy.sites = baseline_alloc(to, from->site_count, sizeof *copy.sites);
    for (size_t i = 0; i < from->site_count; i++) {
        copy.sites[i] = from->sites[i];
        copy_lines(to, &copy.sites[i]);
    }
    copy.modules = baseline_alloc(to, from->module_count, sizeof *copy.modules);
    for (size_t i = 0; i < from->module_count; i++) {
        copy.modules[i].name = baseline_intern(to, from->modules[i].name);
        copy.modules[i].build_id = baseline_intern(to, from->modules[i].build_id);
    }
    *to = copy;
}

void baseline_tighten(struct baseline *old, const struct baseline *now, bool now_is_better)
{
    if (now_is_better)
        copy_run(old, now);
    for (size_t i = 0; i < now->value_count; i++) {
        const struct baseline_value *was = find(old, &now->values[i]);
        if (was == NULL || is_lower(&now->values[i], was))
            set(old, &now->values[i]);
    }
}
