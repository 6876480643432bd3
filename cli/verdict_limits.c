/* SPDX-License-Identifier: MIT */
/* Each limit of each budget that applies becomes an item, or two or three: at most, at least,
 * relative. */
#include "cli/errors.h"
#include "cli/verdict_private.h"

#include <string.h>

enum bound_kind { AT_MOST, AT_LEAST, CHANGE };

/* More of it is better; a bound from below is what it must keep. */
static bool more_is_better(enum budget_metric metric)
{
    return metric == BUDGET_POLLS_PER_SECOND;
}

static bool is_time(enum budget_metric metric)
{
    return metric >= BUDGET_POLLS_PER_SECOND;
}

static bool has_per(enum budget_metric metric)
{
    return metric <= BUDGET_P99;
}

static const char *name_of(struct verdict *verdict, const struct budget *budget,
                           const struct budget_limit *limit, enum bound_kind kind)
{
    static const char *const kinds[] = {
        [AT_MOST] = "", [AT_LEAST] = ", at least", [CHANGE] = ", to the baseline"};
    bool per = has_per(limit->metric) && budget->per != BUDGET_PER_NONE;

    return verdict_text(verdict, "%s: %s%s%s%s", budget->name, budget_metric_name(limit->metric),
                        per ? " per " : "", per ? budget_per_name(budget->per) : "", kinds[kind]);
}

/* Exactly known, or told by its bounds; the lower bound of what is better if there is less of it is
 * no failure: the budget is too loose. */
static enum verdict_status compare(const struct verdict_item *item,
                                   const struct budget_limit *limit)
{
    enum verdict_status beyond = limit->warns ? VERDICT_WARN : VERDICT_FAIL;
    int least = ratio_compare(item->least, item->bound);
    int most = ratio_compare(item->most, item->bound);

    if (!item->lower)
        return most <= 0 ? VERDICT_PASS : least > 0 ? beyond : VERDICT_UNKNOWN;
    if (!more_is_better(limit->metric))
        beyond = VERDICT_BETTER;
    return least >= 0 ? VERDICT_PASS : most < 0 ? beyond : VERDICT_UNKNOWN;
}

/* The first parts that together are as much as what is too much. Weights are of the whole scope,
 * the excess of one unit of it. */
static void count_excess(struct verdict *verdict, struct verdict_item *item)
{
    uint64_t scale = 1;
    uint64_t units = 1;
    const char *name;

    if (has_per(item->limit->metric))
        units =
            verdict_units(verdict->model, item->budget->scope, item->budget->per, &scale, &name);
    struct ratio excess = ratio_distance(item->most, item->bound);
    struct ratio sum = ratio_of(0, units > 0 ? units : 1);

    while (item->excess_count < item->part_count && ratio_compare(sum, excess) < 0) {
        int64_t weight = item->parts[item->excess_count++].weight;
        sum.part += weight > 0 ? (unsigned __int128)weight * scale : 0;
    }
}

static void judge(struct verdict *verdict, struct verdict_item *item, const struct verdict_sum *sum)
{
    item->status = compare(item, item->limit);
    verdict_show_item(verdict, item);
    item->parts = verdict_memory(verdict, sum->part_count, sizeof *item->parts);
    if (sum->part_count > 0)
        memcpy(item->parts, sum->parts, sum->part_count * sizeof *item->parts);
    item->part_count = sum->part_count;
    verdict_sort_parts(item);
    if (item->status != VERDICT_PASS && item->status != VERDICT_BETTER && !item->lower)
        count_excess(verdict, item);
    item->text =
        verdict_text(verdict, "%s, %s: %s", item->actual_text, item->bound_text,
                     item->status == VERDICT_UNKNOWN
                         ? "only known to lie in between; a limit at one end of that can be told"
                         : item->over_text);
}

/* What the baseline has, changed as the limit says. */
static bool relative_bound(struct verdict *verdict, struct verdict_item *item)
{
    const struct budget_limit *limit = item->limit;
    const struct baseline *baseline = verdict->private->options.baseline;
    struct ratio base;

    if (baseline == NULL || !baseline_value(baseline, item->budget, limit->metric, &base)) {
        item->status = VERDICT_UNKNOWN;
        item->text = "the baseline has no value of it; 'allocreport check --update' adds it";
        return false;
    }
    item->bound = ratio_changed(base, limit->change);
    return true;
}

static void add_item(struct verdict *verdict, size_t place, const struct budget_limit *limit,
                     enum bound_kind kind, const struct verdict_value *value,
                     const struct verdict_sum *sum)
{
    const struct budget *budget = &verdict->file->budgets[place];
    struct verdict_item *item =
        verdict_add(verdict, VERDICT_LIMIT, name_of(verdict, budget, limit, kind));

    item->budget = budget;
    item->limit = limit;
    item->mark = limit->mark;
    item->lower = kind == AT_LEAST || (kind == CHANGE && more_is_better(limit->metric));
    item->bound = kind == AT_LEAST ? limit->least : limit->most;
    if (value->unknown != NULL) {
        item->status = VERDICT_UNKNOWN;
        item->text = value->unknown;
        return;
    }
    item->unit = value->unit;
    item->per = value->per;
    item->least = value->least;
    item->most = value->most;
    item->has_actual = true;
    if (kind == CHANGE && !relative_bound(verdict, item)) {
        verdict_show_item(verdict, item);
        return;
    }
    item->has_bound = true;
    judge(verdict, item, sum);

    /* Less than it was: the baseline can be lowered. Times come out lower by themselves. */
    struct ratio base;
    if (kind == CHANGE && item->status == VERDICT_PASS && !is_time(limit->metric) &&
        baseline_value(verdict->private->options.baseline, budget, limit->metric, &base) &&
        ratio_compare(item->most, base) < 0)
        item->status = VERDICT_BETTER;
}

static void add_limit(struct verdict *verdict, size_t place, const struct budget_limit *limit)
{
    const struct budget *budget = &verdict->file->budgets[place];
    bool needs_baseline = limit->has_change || limit->metric == BUDGET_NEW_SITES;

    if (needs_baseline && verdict->private->options.baseline == NULL &&
        !verdict->private->options.updates) {
        struct verdict_item *item =
            verdict_add(verdict, VERDICT_LIMIT, name_of(verdict, budget, limit, CHANGE));
        item->budget = budget;
        item->limit = limit;
        item->mark = limit->mark;
        item->status = VERDICT_WRONG;
        item->text = "it is relative to a baseline; give one with --baseline";
        return;
    }
    struct verdict_sum sum = verdict_sum(verdict, place, limit->metric);
    struct verdict_value value = verdict_measure(verdict, budget, limit->metric, &sum);
    if (limit->has_most)
        add_item(verdict, place, limit, AT_MOST, &value, &sum);
    if (limit->has_change)
        add_item(verdict, place, limit, CHANGE, &value, &sum);
    if (limit->has_least)
        add_item(verdict, place, limit, AT_LEAST, &value, &sum);
}

/* One item for a budget that cannot be looked at. */
static void add_whole(struct verdict *verdict, const struct budget *budget,
                      enum verdict_status status, struct budget_mark mark, const char *text)
{
    struct verdict_item *item = verdict_add(verdict, VERDICT_LIMIT, budget->name);

    item->budget = budget;
    item->mark = mark;
    item->status = status;
    item->text = text;
}

void verdict_limits(struct verdict *verdict)
{
    const struct budget_file *file = verdict->file;

    for (size_t i = 0; i < file->budget_count; i++) {
        const struct budget *budget = &file->budgets[i];
        const char *text = verdict_unmet(verdict, &budget->when);

        if (text != NULL) {
            add_whole(verdict, budget, VERDICT_SKIPPED, budget->when.mark, text);
            continue;
        }
        text = verdict_missing_thread(verdict, budget);
        if (text != NULL) {
            add_whole(verdict, budget, VERDICT_WRONG, budget->thread_mark, text);
            continue;
        }
        if (budget->site != NULL)
            text = verdict_missing_module(verdict, budget->site);
        if (text != NULL) {
            add_whole(verdict, budget, VERDICT_WRONG, budget->site_mark, text);
            continue;
        }
        for (size_t k = 0; k < budget->limit_count; k++)
            add_limit(verdict, i, &budget->limits[k]);
    }
}

void verdict_keep(const struct verdict *verdict, struct baseline *baseline)
{
    for (size_t i = 0; i < verdict->item_count; i++) {
        const struct verdict_item *item = &verdict->items[i];

        if (item->limit != NULL && item->has_actual && ratio_compare(item->least, item->most) == 0)
            baseline_set_value(baseline, item->budget, item->limit->metric, item->least);
    }
}
