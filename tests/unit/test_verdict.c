/* SPDX-License-Identifier: MIT */
#include "cli/verdict.h"
#include "tests/unit/model_helper.h"

#include "tests/unit/verdict_helper.h"

static const struct helper_run every = {.between = 7, .between_every = 1};

/* Equal passes, one more fails, for whole numbers and fractions, each of the totals' kinds. */
static void test_equal_passes(void **state)
{
    struct helper_game game;
    struct helper_run run = {.in_poll = 10, .in_poll_every = 3, .between = 7, .between_every = 1};
    struct model *model = helper_run(&game, &run);
    uint64_t in_poll = 0; /* occurrences in the steady 1000 polls */
    (void)state;
    for (uint64_t i = 1001; i <= 2000; i++)
        in_poll += i % 3 == 0;
    struct {
        enum budget_metric metric;
        enum budget_per per;
        uint64_t part, whole;
    } cases[] = {
        {BUDGET_BYTES, BUDGET_PER_POLL, 10 * in_poll + 7000, 1000},
        {BUDGET_BYTES, BUDGET_PER_NONE, 10 * in_poll + 7000, 1},
        {BUDGET_ALLOCATIONS, BUDGET_PER_POLL, in_poll + 1000, 1000},
        {BUDGET_TOTAL_BYTES, BUDGET_PER_POLL, 10 * in_poll + 7000, 1},
        {BUDGET_TOTAL_ALLOCATIONS, BUDGET_PER_POLL, in_poll + 1000, 1},
        {BUDGET_LARGEST, BUDGET_PER_POLL, 17, 1},
        {BUDGET_ALLOCATING_POLLS, BUDGET_PER_POLL, 1000, 1},
        {BUDGET_ALLOCATING_SHARE, BUDGET_PER_POLL, 100, 1},
        {BUDGET_SITES, BUDGET_PER_POLL, 2, 1},
        {BUDGET_STARTUP_BYTES, BUDGET_PER_POLL, 5007, 1},
        {BUDGET_PEAK_LIVE, BUDGET_PER_POLL, 5000, 1},
        {BUDGET_LEAKED, BUDGET_PER_POLL, 0, 1},
        {BUDGET_LIVE_GROWTH, BUDGET_PER_POLL, 0, 1},
        {BUDGET_REALLOCATIONS, BUDGET_PER_POLL, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct helper_budget budget;
        helper_budget(&budget, cases[i].metric, cases[i].per);
        helper_most(&budget, cases[i].part, cases[i].whole);
        struct verdict *verdict = helper_verdict(model, &budget.file, false);
        const struct verdict_item *item = &verdict->items[verdict->item_count - 1];
        if (item->status != VERDICT_PASS || verdict->code != EXIT_FINE)
            fail_msg("metric %d: %s: %s", (int)cases[i].metric, item->text, verdict->headline);
        assert_string_equal(item->over_text, "just at the limit");
        verdict_free(verdict);

        if (cases[i].part == 0)
            continue;
        /* A little less than it is: fails. */
        helper_most(&budget, 1000000 * cases[i].part - 1, 1000000 * cases[i].whole);
        verdict = helper_verdict(model, &budget.file, false);
        item = &verdict->items[verdict->item_count - 1];
        if (item->status != VERDICT_FAIL || verdict->code != EXIT_EXCEEDED)
            fail_msg("metric %d: %s: %s", (int)cases[i].metric, item->text, verdict->headline);
        assert_true(strncmp(item->over_text, "over by ", 8) == 0);
        assert_string_not_equal(item->over_text, "over by 0 B/poll");
        verdict_free(verdict);
    }
    model_close(model);
    builder_end(&game.builder);
}

static void test_places(void **state)
{
    struct helper_game game;
    struct helper_run run = {.in_poll = 10, .in_poll_every = 1, .between = 7, .between_every = 1};
    struct model *model = helper_run(&game, &run);
    struct {
        unsigned places;
        const char *thread;
        uint64_t bytes;
    } cases[] = {{BUDGET_IN_POLL, "loop", 10},
                 {BUDGET_BETWEEN, "loop", 7},
                 {BUDGET_IN_POLL | BUDGET_BETWEEN, "all", 17},
                 {BUDGET_OTHER, "all", 0},
                 {0, "mai?", 17}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct helper_budget budget;
        helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_POLL);
        helper_most(&budget, cases[i].bytes, 1);
        budget.budget.places = cases[i].places;
        budget.budget.thread = cases[i].thread;
        struct verdict *verdict = helper_verdict(model, &budget.file, false);
        const struct verdict_item *item = helper_item(verdict, "test: bytes per poll");
        assert_int_equal(ratio_compare(item->most, ratio_of(cases[i].bytes, 1)), 0);
        assert_int_equal(item->status, VERDICT_PASS);
        verdict_free(verdict);
    }
    model_close(model);
    builder_end(&game.builder);
}

/* A run that presents after each poll up to one of them, and 7 bytes before each poll. */
static struct model *presenting_run(struct helper_game *game, uint64_t last)
{
    helper_game(game);
    for (uint64_t i = 1; i <= HELPER_POLLS; i++) {
        builder_alloc(&game->builder, game->main, game->outside, 7);
        builder_free(&game->builder, game->main, game->outside, 7, i > 1);
        builder_poll(&game->builder, game->loop, false);
        if (i <= last)
            builder_present(&game->builder, game->main);
        uint64_t first = game->builder.threads[0].record.clock.first_window;
        if (i == 1000)
            builder_boundaries(&game->builder, game->main, first + i, first + i, first + i);
        if (i == 1500)
            builder_boundaries(&game->builder, game->main, first + 1000, first + i, first + i);
    }
    return helper_checked(&game->builder);
}

/* What a frame takes is met exactly; what is allocated when no frame comes any more is not lost. */
static void test_frames(void **state)
{
    (void)state;
    for (unsigned ends = 0; ends < 2; ends++) {
        struct helper_game game;
        struct helper_budget budget;
        struct model *model = presenting_run(&game, ends ? 1200 : HELPER_POLLS);
        helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_FRAME);
        helper_most(&budget, 7, 1);
        helper_code(model, &budget.file, false, ends ? EXIT_EXCEEDED : EXIT_FINE);
        helper_most(&budget, 6999, 1000);
        helper_code(model, &budget.file, false, EXIT_EXCEEDED);
        model_close(model);
        builder_end(&game.builder);
    }
}

/* What is in use at the end, if the program came to it. */
static void test_leaked(void **state)
{
    struct helper_game game;
    struct helper_run run = {.between = 16, .between_every = 100, .leaks = true};
    struct model *model = helper_run(&game, &run);
    struct helper_budget budget;
    (void)state;
    helper_budget(&budget, BUDGET_LEAKED, BUDGET_PER_NONE);
    helper_most(&budget, 20 * 16, 1);
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_most(&budget, 20 * 16 - 1, 1);
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    model->state = DUMP_EXECED;
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    helper_budget(&budget, BUDGET_LIVE_GROWTH, BUDGET_PER_POLL);
    helper_most(&budget, 10 * 16, 1000);
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_most(&budget, 10 * 16 - 1, 1000);
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    model_close(model);
    builder_end(&game.builder);
}

/* Not steady, too short, nothing that applies, no such thread: none of them passes. */
static void test_fails_closed(void **state)
{
    struct helper_game game;
    struct model *model = helper_run(&game, &every);
    struct helper_budget budget;
    (void)state;
    helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_POLL);
    helper_most(&budget, 100, 1);
    helper_code(model, &budget.file, false, EXIT_FINE);
    budget.file.require.polls = 1001;
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    budget.file.require.polls = 1000;
    helper_code(model, &budget.file, false, EXIT_FINE);
    budget.budget.thread = "audio*";
    helper_code(model, &budget.file, false, EXIT_USAGE);
    budget.budget.thread = "loop";
    budget.budget.when.video = "nothing";
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    budget.budget.when.video = NULL;
    budget.budget.when.arch = "x86*";
    helper_code(model, &budget.file, false, EXIT_FINE);
    budget.budget.scope = BUDGET_STARTUP; /* has no polls */
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    budget.budget.scope = BUDGET_STEADY;
    budget.limit.has_most = false;
    budget.limit.has_change = true; /* of what? */
    helper_code(model, &budget.file, false, EXIT_USAGE);
    model->running = true;
    helper_code(model, &budget.file, false, EXIT_USAGE);
    budget.limit.has_change = false;
    budget.limit.has_most = true;
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    model->running = false;
    model->loss[DUMP_LOSS_COUNTERS] = 1;
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    model->loss[DUMP_LOSS_COUNTERS] = 0;
    model->totals.all.bytes++; /* sums disagree */
    helper_code(model, &budget.file, false, EXIT_INCONCLUSIVE);
    model->totals.all.bytes--;
    helper_code(model, &budget.file, false, EXIT_FINE);
    model_close(model);
    builder_end(&game.builder);
}

static void test_lower_bound(void **state)
{
    struct helper_game game;
    struct model *model = helper_run(&game, &every);
    struct helper_budget budget;
    (void)state;
    helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_POLL);
    budget.limit.has_least = true;
    budget.limit.least = ratio_of(7, 1);
    helper_code(model, &budget.file, true, EXIT_FINE);
    budget.limit.least = ratio_of(8, 1);
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_code(model, &budget.file, true, EXIT_BETTER);
    helper_most(&budget, 6, 1); /* and too much as well: that comes first */
    helper_code(model, &budget.file, true, EXIT_EXCEEDED);
    model_close(model);
    builder_end(&game.builder);
}

static void test_warns(void **state)
{
    struct helper_game game;
    struct model *model = helper_run(&game, &every);
    struct helper_budget budget;
    (void)state;
    helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_POLL);
    helper_most(&budget, 6, 1);
    budget.limit.warns = true;
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_code(model, &budget.file, true, EXIT_EXCEEDED);
    /* Times warn, and --strict leaves it at that; unless they are made to fail. */
    helper_budget(&budget, BUDGET_POLLS_PER_SECOND, BUDGET_PER_NONE);
    budget.limit.has_least = true;
    budget.limit.least = ratio_of(UINT64_MAX, 1);
    budget.limit.warns = true;
    helper_code(model, &budget.file, true, EXIT_FINE);
    budget.limit.warns = false;
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    budget.limit.least = ratio_of(1, 1);
    helper_code(model, &budget.file, true, EXIT_FINE);
    model_close(model);
    builder_end(&game.builder);
}

static struct glob *glob(const char *text)
{
    char *why;
    struct glob *result = glob_parse(text, &why);
    assert_non_null(result);
    return result;
}

static void test_allowance(void **state)
{
    struct helper_game game;
    struct model *model = helper_run(&game, &every);
    struct helper_budget budget;
    struct glob *site = glob("example!*");
    struct glob *other = glob("example!nothing");
    struct glob *missing = glob("other!*");
    (void)state;
    helper_budget(&budget, BUDGET_BYTES, BUDGET_PER_POLL);
    helper_most(&budget, 0, 1);
    budget.file.allowances = &budget.allowance;
    budget.file.allowance_count = 1;
    budget.allowance = (struct budget_allowance){.site_text = "example!*",
                                                 .site = site,
                                                 .mark = {9, 1},
                                                 .metric = BUDGET_BYTES,
                                                 .per = BUDGET_PER_POLL,
                                                 .most = ratio_of(7, 1),
                                                 .reason = "for a test",
                                                 .expires = "2027-01-01"};
    helper_code(model, &budget.file, true, EXIT_FINE);
    budget.allowance.most = ratio_of(69, 10);
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    budget.allowance.most = ratio_of(7, 1);
    budget.allowance.expires = "2026-05-27"; /* yesterday */
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    budget.allowance.expires = "2026-05-28"; /* today is the last day, hence soon */
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_code(model, &budget.file, true, EXIT_EXCEEDED);
    budget.allowance.expires = "2026-06-28"; /* in 31 days */
    helper_code(model, &budget.file, true, EXIT_FINE);
    budget.allowance.site = other; /* unused, and what was allowed is not */
    helper_code(model, &budget.file, false, EXIT_EXCEEDED);
    helper_most(&budget, 7, 1);
    helper_code(model, &budget.file, false, EXIT_FINE);
    helper_code(model, &budget.file, true, EXIT_EXCEEDED);
    budget.allowance.site = missing;
    helper_code(model, &budget.file, false, EXIT_USAGE);
    glob_free(site);
    glob_free(other);
    glob_free(missing);
    model_close(model);
    builder_end(&game.builder);
}

static void test_default(void **state)
{
    struct budget_file *file = budget_default();
    struct helper_run cases[] = {{.between = 0},
                                 {.between = 7, .between_every = 1},
                                 {.between = 7, .between_every = 100},
                                 {.in_poll = 7, .in_poll_every = 100},
                                 {.between = 16, .between_every = 100, .leaks = true},
                                 {.between = 1000, .between_every = 1700, .leaks = true}};
    int codes[] = {EXIT_FINE,     EXIT_EXCEEDED, EXIT_EXCEEDED,
                   EXIT_EXCEEDED, EXIT_EXCEEDED, EXIT_FINE};
    bool grows[] = {false, false, false, false, true, false};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct helper_game game;
        struct model *model = helper_run(&game, &cases[i]);
        struct verdict *verdict = helper_verdict(model, file, false);
        if (verdict->code != codes[i])
            fail_msg("case %zu: %d, %s", i, verdict->code, verdict->headline);
        assert_int_equal(helper_item(verdict, "growth: live growth per poll")->status,
                         grows[i] ? VERDICT_FAIL : VERDICT_PASS);
        assert_int_equal(verdict->half_polls[0], 500);
        assert_int_equal(verdict->half_polls[1], 500);
        verdict_free(verdict);
        model_close(model);
        builder_end(&game.builder);
    }
    budget_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_passes), cmocka_unit_test(test_places),
        cmocka_unit_test(test_fails_closed), cmocka_unit_test(test_lower_bound),
        cmocka_unit_test(test_warns),        cmocka_unit_test(test_allowance),
        cmocka_unit_test(test_default),      cmocka_unit_test(test_leaked),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
