/* SPDX-License-Identifier: MIT */
#include "cli/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/baseline_helper.h"

static struct compare *compare_with(struct baseline *before, struct baseline *after,
                                    const struct compare_options *options)
{
    return compare_runs(&before, 1, &after, 1, options);
}

static struct compare *compare_two(struct baseline *before, struct baseline *after)
{
    const struct compare_options options = compare_defaults();

    return compare_with(before, after, &options);
}

/* The change of the one site, and the status. */
static void check_one(struct baseline *before, struct baseline *after, enum compare_change change,
                      int status)
{
    struct compare *compare = compare_two(helper_sort(before), helper_sort(after));

    assert_null(compare->unknown);
    assert_int_equal(compare->site_count, 1);
    assert_int_equal(compare->sites[0].change, change);
    assert_int_equal(compare_status(compare), status);
    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
}

static void test_threshold(void **state)
{
    (void)state;
    check_one(helper_every(1000, HELPER_LOOP, 1000), helper_every(1000, HELPER_LOOP, 1000),
              COMPARE_SAME, EXIT_FINE);
    /* 1 % and, since a run may end anywhere, one poll more before, one less after. */
    check_one(helper_every(1000, HELPER_LOOP, 1000), helper_every(1000, HELPER_LOOP, 1010),
              COMPARE_SAME, EXIT_FINE);
    check_one(helper_every(1000, HELPER_LOOP, 1000), helper_every(1000, HELPER_LOOP, 1013),
              COMPARE_WORSE, EXIT_EXCEEDED);
    check_one(helper_every(1000, HELPER_LOOP, 1013), helper_every(1000, HELPER_LOOP, 1000),
              COMPARE_BETTER, EXIT_FINE);
    /* A longer run is no worse. */
    check_one(helper_every(1000, HELPER_LOOP, 1000), helper_every(5000, HELPER_LOOP, 1000),
              COMPARE_SAME, EXIT_FINE);
}

static void test_options(void **state)
{
    struct compare_options options = compare_defaults();
    struct baseline *before = helper_sort(helper_every(1000000, HELPER_LOOP, 1000));
    struct baseline *after = helper_sort(helper_every(1000000, HELPER_LOOP, 1001));
    const struct {
        struct ratio percent;
        uint64_t bytes;
        int status;
    } cases[] = {{{0, 1, false}, 0, EXIT_EXCEEDED},
                 {{1, 10, false}, 0, EXIT_FINE}, /* the limit itself passes */
                 {{99, 1000, false}, 0, EXIT_EXCEEDED},
                 {{0, 1, false}, 1, EXIT_FINE}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options.percent = cases[i].percent;
        options.bytes = cases[i].bytes;
        struct compare *compare = compare_with(before, after, &options);
        assert_int_equal(compare_status(compare), cases[i].status);
        compare_free(compare);
    }
    baseline_free(before);
    baseline_free(after);
}

static struct baseline *lumps(uint64_t frames, uint64_t count)
{
    struct baseline *run = helper_run(frames);

    helper_add(run, HELPER_LOOP, CADENCE_BURST, count * 4000000, count, count, 4000000);
    return run;
}

static void test_occurrences(void **state)
{
    (void)state;
    /* A lump more or less is where a run ended; three more are three more. */
    check_one(lumps(1000, 1), lumps(1000, 2), COMPARE_SAME, EXIT_FINE);
    check_one(lumps(1000, 1), lumps(1000, 4), COMPARE_WORSE, EXIT_EXCEEDED);
    check_one(lumps(1000, 1), lumps(3000, 2), COMPARE_SAME, EXIT_FINE);
    check_one(lumps(1000, 2), lumps(1000, 1), COMPARE_SAME, EXIT_FINE);
    check_one(lumps(1000, 4), lumps(1000, 1), COMPARE_BETTER, EXIT_FINE);

    /* Small ones beside it make it no smaller. */
    struct baseline *runs[2];
    for (unsigned k = 0; k < 2; k++) {
        runs[k] = helper_run(1000);
        helper_add(runs[k], HELPER_LOOP, CADENCE_BURST, 500 + (k + 1) * 1000000, 6 + k, 6 + k,
                   1000000);
    }
    check_one(runs[0], runs[1], COMPARE_SAME, EXIT_FINE);
}

/* Of what happens now and then the steady phase holds more or less, by where it begins. */
static void test_now_and_then(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        struct baseline *runs[2];
        for (unsigned k = 0; k < 2; k++) {
            runs[k] = helper_run(1000);
            uint64_t steady = k == 0 ? 10 : 15, warm = k == 0 || more ? 10 : 5;
            struct baseline_site *site =
                helper_add(runs[k], HELPER_LOOP, CADENCE_BURST, steady * 16, steady, steady, 16);
            site->phase[MODEL_WARMUP] =
                (struct model_amount){.bytes = warm * 16, .allocations = warm};
        }
        struct compare *compare = compare_two(helper_sort(runs[0]), helper_sort(runs[1]));
        assert_int_equal(compare->sites[0].change, more ? COMPARE_WORSE : COMPARE_SAME);
        compare_free(compare);
        baseline_free(runs[0]);
        baseline_free(runs[1]);
    }
}

static void test_mixed(void **state)
{
    struct baseline *before = helper_every(1000, HELPER_LOOP, 300),
                    *after = helper_every(1000, HELPER_LOOP, 400);

    (void)state;
    /* One lump at a site that allocates in every poll does not hide that it does so more. */
    before->sites[0].most_bytes = after->sites[0].most_bytes = 4000000;
    before->sites[0].phase[MODEL_STEADY].bytes += 4000000;
    after->sites[0].phase[MODEL_STEADY].bytes += 4000000;
    struct compare *compare = compare_two(before, after);
    assert_int_equal(compare->sites[0].change, COMPARE_WORSE);
    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
}

static void test_new_and_gone(void **state)
{
    (void)state;
    check_one(helper_run(1000), helper_every(1000, HELPER_LOOP, 16), COMPARE_NEW, EXIT_EXCEEDED);
    check_one(helper_every(1000, HELPER_LOOP, 16), helper_run(1000), COMPARE_GONE, EXIT_FINE);
    /* A leak of 16 bytes a second: few bytes in a frame, yet in more than one poll. */
    struct baseline *leak = helper_run(1000);
    helper_add(leak, HELPER_LOOP, CADENCE_PERIODIC, 160, 10, 10, 16);
    check_one(helper_run(1000), leak, COMPARE_NEW, EXIT_EXCEEDED);
}

static void test_new_once(void **state)
{
    struct baseline *before = helper_run(1000), *after = lumps(1000, 1);
    struct compare *compare = compare_two(before, after);

    (void)state;
    assert_int_equal(compare->sites[0].change, COMPARE_NEW);
    assert_false(compare->sites[0].counts);
    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
}

static void test_rebuilt(void **state)
{
    static const char *const pairs[][2] = {
        {"game!waste draw main", "game!waste.isra.0 draw.constprop.1 main"},
        {"game!waste draw main", "game!waste.part.0.cold draw main"},
        {"game!recur main", "game!recur recur recur main"},
        {"libSDL2-2.0.so.0.2600.5!SDL_x game!main", "libSDL2-2.0.so.0.3200.1!SDL_x game!main"},
        {"game!+0x1234 main", "game!+0x1500 main"},
        {"game!waste draw main", "game!waste paint repaint main"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_one(helper_every(1000, pairs[i][0], 16), helper_every(1000, pairs[i][1], 16),
                  COMPARE_SAME, EXIT_FINE);
    /* The program has another name. */
    struct baseline *after = helper_every(1000, "game-2!waste draw main", 16);
    after->environment.program = baseline_intern(after, "game-2");
    check_one(helper_every(1000, HELPER_LOOP, 16), after, COMPARE_SAME, EXIT_FINE);
}

static void test_distinct(void **state)
{
    static const char *const pairs[][2] = {
        {"game!waste draw main", "game!spend draw main"},
        {"game!waste draw main", "libfoo.so!waste game!draw main"},
        {"game!+0x1234 draw main", "game!+0x1234 paint main"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct baseline *before = helper_sort(helper_every(1000, pairs[i][0], 16));
        struct baseline *after = helper_sort(helper_every(1000, pairs[i][1], 16));
        struct compare *compare = compare_two(before, after);
        assert_int_equal(compare->site_count, 2);
        assert_int_equal(compare->changes[COMPARE_NEW], 1);
        assert_int_equal(compare->changes[COMPARE_GONE], 1);
        assert_int_equal(compare_status(compare), EXIT_EXCEEDED);
        compare_free(compare);
        baseline_free(before);
        baseline_free(after);
    }
}

static void give_build(struct baseline *run, const char *build)
{
    run->modules = baseline_alloc(run, 1, sizeof *run->modules);
    run->modules[0] =
        (struct baseline_module){baseline_intern(run, "game"), baseline_intern(run, build)};
    run->module_count = 1;
}

/* Two functions without names: known by offset in the same build, else added up. */
static void test_nameless(void **state)
{
    static const struct {
        const char *build;
        size_t sites;
    } cases[] = {{"abcd", 2}, {"ef01", 1}, {"", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct baseline *runs[2];
        for (unsigned k = 0; k < 2; k++) {
            runs[k] = helper_every(1000, "game!+0x1000 main", 16);
            helper_add(runs[k], "game!+0x2000 main", CADENCE_EVERY_POLL, 32000, 1000, 1000, 32);
            give_build(runs[k], k == 0 && *cases[i].build != '\0' ? "abcd" : cases[i].build);
            helper_sort(runs[k]);
        }
        struct compare *compare = compare_two(runs[0], runs[1]);
        assert_int_equal(compare->site_count, cases[i].sites);
        assert_int_equal(compare->changes[COMPARE_SAME], cases[i].sites);
        compare_free(compare);
        baseline_free(runs[0]);
        baseline_free(runs[1]);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        struct baseline *before = helper_run(1000), *after = helper_run(i == 4 ? 29 : 30);
        bool *const flags[] = {&after->blind, &before->no_polls, &after->no_steady,
                               &after->damaged};
        if (i < 4)
            *flags[i] = true;
        struct compare *compare = compare_two(before, after);
        assert_non_null(compare->unknown);
        assert_int_equal(compare_status(compare), EXIT_INCONCLUSIVE);
        compare_free(compare);
        baseline_free(before);
        baseline_free(after);
    }
}

static const struct compare_metric *metric(const struct compare *compare, const char *key)
{
    for (size_t i = 0; i < compare->metric_count; i++)
        if (strcmp(compare->metrics[i].key, key) == 0)
            return &compare->metrics[i];
    return NULL;
}

static void test_metrics(void **state)
{
    struct baseline *before = helper_run(1000), *after = helper_run(1050);

    (void)state;
    before->scope[BUDGET_STARTUP].all.bytes = 1000;
    after->scope[BUDGET_STARTUP].all.bytes = 1011;
    before->peak_live = 1000;
    after->peak_live = 2000;
    before->scope[BUDGET_STEADY].allocating_polls = 0;
    after->scope[BUDGET_STEADY].allocating_polls = 100;
    after->scope[BUDGET_STEADY].all.freed_bytes = 100;
    struct compare *compare = compare_two(before, after);
    assert_string_equal(compare->unit, "frame");
    assert_true(compare->as_long);
    assert_int_equal(metric(compare, "startup_bytes")->change, COMPARE_WORSE);
    assert_int_equal(metric(compare, "peak_live_bytes")->change, COMPARE_WORSE);
    assert_int_equal(metric(compare, "allocating_polls")->change, COMPARE_WORSE);
    assert_int_equal(metric(compare, "live_growth_per_unit")->change, COMPARE_SAME);
    assert_true(metric(compare, "live_growth_per_unit")->after.median.negative);
    compare_free(compare);

    /* A few more of the few polls that allocate are no difference; one in a hundred of all is. */
    before->scope[BUDGET_STEADY].allocating_polls = 10;
    after->scope[BUDGET_STEADY].allocating_polls = 20;
    compare = compare_two(before, after);
    assert_int_equal(metric(compare, "allocating_polls")->change, COMPARE_SAME);
    compare_free(compare);
    after->scope[BUDGET_STEADY].polls = 1000;
    after->scope[BUDGET_STEADY].allocating_polls = 23;
    compare = compare_two(before, after);
    assert_int_equal(metric(compare, "allocating_polls")->change, COMPARE_WORSE);
    compare_free(compare);

    /* In a run that is much longer a higher peak means nothing; nor what a killed one had in use.
     */
    after->scope[BUDGET_STEADY].frames = 1101;
    after->ended = false;
    compare = compare_two(before, after);
    assert_int_equal(metric(compare, "peak_live_bytes")->change, COMPARE_UNTOLD);
    assert_null(metric(compare, "leaked_bytes"));
    compare_free(compare);

    after->scope[BUDGET_STEADY].frames = 0;
    compare = compare_two(before, after);
    assert_string_equal(compare->unit, "drain");
    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
}

static void test_environment(void **state)
{
    struct baseline *before = helper_run(1000), *after = helper_run(1000);

    (void)state;
    after->environment.sdl = baseline_intern(after, "2.30.0");
    after->environment.build_id = baseline_intern(after, "abcd");
    struct compare *compare = compare_two(before, after);
    assert_int_equal(compare->note_count, 1);
    assert_string_equal(compare->notes[0], "SDL is 2.30.0, was unknown");
    assert_int_equal(compare_status(compare), EXIT_FINE);
    compare_free(compare);
    baseline_free(before);
    baseline_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threshold),   cmocka_unit_test(test_options),
        cmocka_unit_test(test_occurrences), cmocka_unit_test(test_now_and_then),
        cmocka_unit_test(test_mixed),       cmocka_unit_test(test_new_and_gone),
        cmocka_unit_test(test_new_once),    cmocka_unit_test(test_rebuilt),
        cmocka_unit_test(test_distinct),    cmocka_unit_test(test_nameless),
        cmocka_unit_test(test_unknown),     cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
