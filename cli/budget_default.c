/* SPDX-License-Identifier: MIT */
/* budget_default.c: what holds without a budget file. */
#include "cli/budget.h"
#include "cli/cadence.h"
#include "cli/errors.h"

#define STEADY_POLLS 300 /* at least: the 95 % bound of a share never seen is 1 % then */

#define RECURRING (1u << CADENCE_PERIODIC | 1u << CADENCE_EVERY_POLL)

/* Not one allocation in every poll, or in every so many polls. */
static const struct budget_limit recurring_limits[] = {
    {.metric = BUDGET_ALLOCATIONS, .has_most = true, .most = {0, 1, false}},
};

/* Live bytes do not grow. Arrays that double are not meant, they end when they are long enough. */
static const struct budget_limit growth_limits[] = {
    {.metric = BUDGET_LIVE_GROWTH, .has_most = true, .most = {0, 1, false}},
};

/* Lumps, bursts and doubling arrays: worth a look. */
static const struct budget_limit rare_limits[] = {
    {.metric = BUDGET_TOTAL_ALLOCATIONS, .has_most = true, .most = {0, 1, false}, .warns = true},
};

struct budget_file *budget_default(void)
{
    static struct budget budgets[] = {
        {.name = "recurring",
         .scope = BUDGET_STEADY,
         .thread = "loop",
         .cadences = RECURRING,
         .per = BUDGET_PER_POLL,
         .limits = (struct budget_limit *)recurring_limits,
         .limit_count = 1},
        {.name = "growth",
         .scope = BUDGET_STEADY,
         .thread = "all",
         .cadences = RECURRING | 1u << CADENCE_BURST,
         .sustained = true,
         .per = BUDGET_PER_POLL,
         .limits = (struct budget_limit *)growth_limits,
         .limit_count = 1},
        {.name = "rare",
         .scope = BUDGET_STEADY,
         .thread = "loop",
         .cadences = 1u << CADENCE_ONCE | 1u << CADENCE_GROWTH | 1u << CADENCE_BURST,
         .limits = (struct budget_limit *)rare_limits,
         .limit_count = 1},
    };
    struct budget_file *file = xcalloc(1, sizeof *file);

    file->budgets = budgets;
    file->budget_count = sizeof budgets / sizeof budgets[0];
    file->require = (struct budget_require){
        .polls = STEADY_POLLS, .has_dropped = true, .dropped = 0, .steady = true};
    return file;
}
