/* SPDX-License-Identifier: MIT */
/* What the sites, threads and places that a budget means came to in its scope. */
#include "cli/errors.h"
#include "cli/verdict_private.h"

#include <stdlib.h>
#include <string.h>

#define EVEN_RATES 2u /* a part's growth for each poll is at most so many times another's */
#define KEPT_SHARE 100u

bool verdict_has_sites(const struct verdict *verdict, const struct budget *budget)
{
    size_t place = (size_t)(budget - verdict->file->budgets);

    return verdict->private->budget_sites[place] != NULL || budget->cadences != 0 ||
           budget->sustained;
}

static __int128 growth_of(const struct model_amount *amount)
{
    return (__int128)amount->bytes - (__int128)amount->freed_bytes;
}

/* A part of the steady phase, or two that are one. */
struct stretch {
    uint64_t polls;
    __int128 growth;
};

/* The parts, but those with less than a fifth of the polls, where a slow leak may not show, are put
 * to a neighbour. Returns how many. */
static unsigned stretches_of(const uint64_t polls[MODEL_PARTS], const struct model_site *site,
                             struct stretch stretches[MODEL_PARTS])
{
    uint64_t all = polls[0] + polls[1] + polls[2];
    unsigned count = 0;
    bool open = false; /* what comes next belongs to the last one */

    for (unsigned i = 0; i < MODEL_PARTS; i++) {
        bool small = polls[i] < all / 5 || polls[i] == 0;

        if (!open && !(small && count > 0))
            stretches[count++] = (struct stretch){0, 0};
        open = small && (i == 0 || open);
        stretches[count - 1].polls += polls[i];
        stretches[count - 1].growth += growth_of(&site->part[i]);
    }
    return count;
}

/*
 * Live bytes grow in each stretch of the steady phase. What goes up and down may do that by chance;
 * so either a hundredth of what is allocated stays, or as much stays for each poll in all of them,
 * within EVEN_RATES.
 */
bool verdict_site_grows(const struct model *model, const struct model_site *site)
{
    struct stretch stretches[MODEL_PARTS];
    const struct model_amount *steady = &site->phase[MODEL_STEADY];

    if (model->primary == MODEL_NONE || model->polls.steady == 0)
        return false;
    unsigned count = stretches_of(model->threads[model->primary].part_polls, site, stretches);
    struct ratio least = ratio_of(0, 1);
    struct ratio most = ratio_of(0, 1);
    for (unsigned i = 0; i < count; i++) {
        if (stretches[i].growth <= 0 || stretches[i].polls == 0)
            return false;
        struct ratio rate = {(unsigned __int128)stretches[i].growth, stretches[i].polls, false};
        if (i == 0 || ratio_compare(rate, least) < 0)
            least = rate;
        if (i == 0 || ratio_compare(rate, most) > 0)
            most = rate;
    }
    least.part *= EVEN_RATES;
    return growth_of(steady) * KEPT_SHARE >= (__int128)steady->bytes ||
           ratio_compare(most, least) <= 0;
}

static struct model_amount in_scope(const struct model_amount *all,
                                    const struct model_amount phase[MODEL_PHASES],
                                    enum budget_scope scope)
{
    return scope == BUDGET_PROCESS ? *all : phase[scope];
}

static enum model_place place_of(const struct model *model, const struct model_site *site,
                                 const struct model_counter *counter)
{
    if (counter->thread == MODEL_NONE || !model->threads[counter->thread].polls)
        return MODEL_OTHER;
    return site->in_poll ? MODEL_IN_POLL : MODEL_BETWEEN;
}

static bool counts(const struct model *model, const struct budget *budget,
                   const struct model_site *site, const struct model_counter *counter)
{
    if (budget->places != 0 && !(budget->places >> place_of(model, site, counter) & 1))
        return false;
    if (counter->thread == MODEL_NONE)
        return strcmp(budget->thread, "all") == 0;
    return verdict_thread_matches(&model->threads[counter->thread], budget->thread);
}

static bool site_counts(const struct verdict *verdict, size_t budget_place, size_t site_place)
{
    const struct verdict_private *inner = verdict->private;
    const struct budget *budget = &verdict->file->budgets[budget_place];
    const struct model_site *site = &verdict->model->sites[site_place];
    const bool *pattern = inner->budget_sites[budget_place];

    if (budget->cadences != 0 && !(budget->cadences >> site->cadence.kind & 1))
        return false;
    if (pattern != NULL && !pattern[site_place])
        return false;
    if (pattern == NULL && budget->scope == BUDGET_STEADY && inner->allowed != NULL &&
        inner->allowed[site_place])
        return false;
    return !budget->sustained || verdict_site_grows(verdict->model, site);
}

/* The largest single poll of one thread at one site in the scope lies in between. */
static void largest_of(const struct model_counter *counter, enum budget_scope scope,
                       const struct model_amount *amount, uint64_t *least, uint64_t *most)
{
    uint64_t polls = counter->polls_steady;

    *least = *most = counter->most_bytes;
    if (scope == BUDGET_PROCESS || counter->most_window >= counter->steady_window)
        return;
    /* It was before: one of the steady polls had the mean at least. */
    *least = polls > 0 ? amount->bytes / polls + (amount->bytes % polls != 0) : 0;
    if (amount->bytes < *most)
        *most = amount->bytes;
    if (*least > *most)
        *least = *most;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t added(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static void add_counter(struct verdict_sum *sum, struct verdict_part *part,
                        const struct model_counter *counter, enum budget_scope scope)
{
    struct model_amount amount = in_scope(&counter->all, counter->phase, scope);
    uint64_t polls = scope == BUDGET_STEADY   ? counter->polls_steady
                     : scope == BUDGET_WARMUP ? counter->polls - counter->polls_steady
                                              : counter->polls;
    uint64_t least;
    uint64_t most;

    model_amount_add(&part->amount, &amount);
    model_amount_add(&sum->amount, &amount);
    sum->polls_most = greater(sum->polls_most, polls);
    sum->polls_sum = added(sum->polls_sum, polls);
    largest_of(counter, scope, &amount, &least, &most);
    sum->largest_in_scope = greater(sum->largest_in_scope, least);
    sum->largest_most = greater(sum->largest_most, most);
    sum->largest_sum = added(sum->largest_sum, most);
}

static int64_t cut(__int128 value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* By what the metric counts of a site. */
static int64_t weight_of(const struct verdict_part *part, enum budget_metric metric)
{
    switch (metric) {
    case BUDGET_ALLOCATIONS:
    case BUDGET_TOTAL_ALLOCATIONS:
        return cut(part->amount.allocations);
    case BUDGET_REALLOCATIONS:
        return cut(part->amount.reallocations);
    case BUDGET_LIVE_GROWTH:
        return part->growth;
    case BUDGET_LEAKED:
        return part->site->live_bytes;
    case BUDGET_ALLOCATING_POLLS:
    case BUDGET_ALLOCATING_SHARE:
        return cut(part->site->polls_steady);
    case BUDGET_LARGEST:
    case BUDGET_P99:
        return cut(part->site->most_bytes);
    case BUDGET_SITES:
    case BUDGET_NEW_SITES:
        return 1;
    default:
        return cut(part->amount.bytes);
    }
}

/* Adds the site's part; returns whether there was anything to count. */
static bool add_site(struct verdict *verdict, size_t budget_place, size_t place,
                     enum budget_metric metric, struct verdict_sum *sum)
{
    const struct budget *budget = &verdict->file->budgets[budget_place];
    const struct baseline *baseline = verdict->private->options.baseline;
    const struct model *model = verdict->model;
    const struct model_site *site = &model->sites[place];
    enum budget_scope scope = metric == BUDGET_STARTUP_BYTES ? BUDGET_STARTUP : budget->scope;
    struct verdict_part part = {.site = site};
    struct model_amount whole = in_scope(&site->all, site->phase, scope);
    bool any = false;

    for (uint32_t i = site->counter; i < site->counter + site->counters; i++) {
        const struct model_counter *counter = &model->counters[i];

        if (counter->all.allocations == 0 || !counts(model, budget, site, counter))
            continue;
        add_counter(sum, &part, counter, scope);
        any = true;
    }
    if (!any)
        return false;
    /* Blocks may be released by any thread. */
    part.growth = cut(growth_of(&whole));
    sum->growth += growth_of(&whole);
    sum->leaked += site->live_bytes;
    if (part.amount.allocations > 0) {
        bool is_new = metric == BUDGET_NEW_SITES && baseline != NULL &&
                      !baseline_has_site(baseline, verdict->private->model, site, scope);
        sum->sites++;
        sum->new_sites += is_new;
        if (metric == BUDGET_NEW_SITES && !is_new)
            return true;
    }
    part.weight = weight_of(&part, metric);
    if (part.weight > 0 && (part.amount.allocations > 0 || metric == BUDGET_LEAKED))
        sum->parts[sum->part_count++] = part;
    return true;
}

struct verdict_sum verdict_sum(struct verdict *verdict, size_t budget, enum budget_metric metric)
{
    const struct model *model = verdict->model;
    struct verdict_sum sum = {.growth = 0};

    sum.parts = xcalloc(model->site_count + 1, sizeof *sum.parts);
    for (size_t i = 0; i < model->site_count; i++)
        if (site_counts(verdict, budget, i))
            add_site(verdict, budget, i, metric, &sum);
    struct verdict_part *kept = verdict_memory(verdict, sum.part_count, sizeof *kept);
    if (sum.part_count > 0)
        memcpy(kept, sum.parts, sum.part_count * sizeof *kept);
    free(sum.parts);
    sum.parts = kept;
    return sum;
}

static int compare_parts(const void *a, const void *b)
{
    const struct verdict_part *x = a;
    const struct verdict_part *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->amount.bytes != y->amount.bytes)
        return x->amount.bytes > y->amount.bytes ? -1 : 1;
    return (x->site->id > y->site->id) - (x->site->id < y->site->id);
}

void verdict_sort_parts(struct verdict_item *item)
{
    if (item->part_count > 0)
        qsort(item->parts, item->part_count, sizeof *item->parts, compare_parts);
}
