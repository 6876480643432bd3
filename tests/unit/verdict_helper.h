/* SPDX-License-Identifier: MIT */
/*
 * verdict_helper.h: runs and budgets for tests of the verdict. Included by tests only, behind
 * cmocka's headers.
 */
#ifndef TESTS_VERDICT_HELPER_H
#define TESTS_VERDICT_HELPER_H

#include "cli/errors.h"
#include "cli/glob.h"
#include "cli/verdict.h"
#include "tests/unit/model_helper.h"

#define HELPER_POLLS 2000u /* of helper_run: 1000 warm-up, 500 and 500 */

/* 2000 polls, in and between which each of the two sites allocates `bytes` in every `every`-th (0:
 * never); what is made between the polls is freed at once unless it leaks. */
struct helper_run {
    uint64_t in_poll, in_poll_every;
    uint64_t between, between_every;
    bool leaks;
};

static inline struct model *helper_run(struct helper_game *game, const struct helper_run *run)
{
    helper_game(game);
    builder_alloc(&game->builder, game->main, game->outside, 5000);
    builder_free(&game->builder, game->main, game->outside, 5000, false);
    for (uint64_t i = 1; i <= HELPER_POLLS; i++) {
        bool between = run->between_every != 0 && i % run->between_every == 0;
        if (between)
            builder_alloc(&game->builder, game->main, game->outside, run->between);
        if (between && !run->leaks)
            builder_free(&game->builder, game->main, game->outside, run->between, i > 1);
        builder_poll_begin(&game->builder, game->loop);
        if (run->in_poll_every != 0 && i % run->in_poll_every == 0) {
            builder_alloc(&game->builder, game->main, game->inside, run->in_poll);
            builder_free(&game->builder, game->main, game->inside, run->in_poll, true);
        }
        builder_poll_end(&game->builder, game->loop, DUMP_POLL_EVENT, false, false);
        uint64_t first = game->builder.threads[0].record.clock.first_window;
        if (i == 1000)
            builder_boundaries(&game->builder, game->main, first + i, first + i, first + i);
        if (i == 1500)
            builder_boundaries(&game->builder, game->main, first + 1000, first + i, first + i);
    }
    return helper_checked(&game->builder);
}

/* One budget of one limit, around which a test changes what it is about. */
struct helper_budget {
    struct budget_file file;
    struct budget budget;
    struct budget_limit limit;
    struct budget_allowance allowance;
};

static inline void helper_budget(struct helper_budget *budget, enum budget_metric metric,
                                 enum budget_per per)
{
    *budget = (struct helper_budget){
        .file = {.path = "budget.yml",
                 .budget_count = 1,
                 .require = {.polls = 300, .has_dropped = true, .steady = true}},
        .budget = {.name = "test",
                   .mark = {2, 3},
                   .scope = BUDGET_STEADY,
                   .thread = "loop",
                   .per = per,
                   .limit_count = 1},
        .limit = {.metric = metric, .mark = {4, 5}},
    };
    budget->file.budgets = &budget->budget;
    budget->budget.limits = &budget->limit;
}

static inline void helper_most(struct helper_budget *budget, uint64_t part, uint64_t whole)
{
    budget->limit.has_most = true;
    budget->limit.most = ratio_of(part, whole);
}

#define HELPER_NOW INT64_C(1780000000) /* 2026-05-28 */

static inline struct verdict *helper_verdict(struct model *model, const struct budget_file *file,
                                             bool strict)
{
    struct verdict_options options = {.strict = strict, .now = HELPER_NOW};

    return verdict_of(model, file, &options);
}

/* The item of that name; fails the test if there is none. */
static inline const struct verdict_item *helper_item(const struct verdict *verdict,
                                                     const char *name)
{
    for (size_t i = 0; i < verdict->item_count; i++)
        if (strcmp(verdict->items[i].name, name) == 0)
            return &verdict->items[i];
    for (size_t i = 0; i < verdict->item_count; i++)
        print_error("item: %s\n", verdict->items[i].name);
    fail_msg("no item '%s'", name);
    return NULL;
}

/* Judges, compares the code, and lets go. */
static inline void helper_code(struct model *model, const struct budget_file *file, bool strict,
                               int code)
{
    struct verdict *verdict = helper_verdict(model, file, strict);

    if (verdict->code != code)
        fail_msg("the code is %d, not %d: %s", verdict->code, code, verdict->headline);
    verdict_free(verdict);
}

#endif
