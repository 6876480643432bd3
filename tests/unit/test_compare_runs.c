/* SPDX-License-Identifier: MIT */
/* Several runs on a side: counts and times. */
#include "cli/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/baseline_helper.h"

static void free_all(struct baseline **runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        baseline_free(runs[i]);
}

/* The median after must lie beyond all before. */
static void test_several(void **state)
{
    static const struct {
        uint64_t before[3], after[3];
        enum compare_change change;
    } cases[] = {
        {{100, 100, 100}, {100, 200, 200}, COMPARE_WORSE},
        {{100, 100, 100}, {100, 100, 900}, COMPARE_SAME},
        {{100, 500, 900}, {400, 600, 800}, COMPARE_SAME},
        {{200, 300, 200}, {100, 100, 400}, COMPARE_BETTER},
    };
    const struct compare_options options = compare_defaults();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct baseline *before[3], *after[3];
        for (unsigned k = 0; k < 3; k++) {
            before[k] = helper_sort(helper_every(1000, HELPER_LOOP, cases[i].before[k]));
            after[k] = helper_sort(helper_every(1000, HELPER_LOOP, cases[i].after[k]));
        }
        struct compare *compare = compare_runs(before, 3, after, 3, &options);
        assert_int_equal(compare->sites[0].change, cases[i].change);
        assert_int_equal(compare->sites[0].runs_after, 3);
        assert_int_equal(compare->time_count, 6);
        assert_false(compare->times[0].tested);
        compare_free(compare);
        free_all(before, 3);
        free_all(after, 3);
    }
}

/* Times: from four runs a side, in the status only when asked. */
static void test_times(void **state)
{
    struct compare_options options = compare_defaults();
    struct baseline *before[4], *after[4];

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        before[k] = helper_run(1000);
        after[k] = helper_run(1000);
        before[k]->scope[BUDGET_STEADY].ns += k * 1000000;
        after[k]->scope[BUDGET_STEADY].ns = 12 * (uint64_t)1000000000 + k;
    }
    for (unsigned i = 0; i < 4; i++) {
        options.times = i < 3 ? (enum compare_times)i : COMPARE_TIMES_FAIL;
        options.time_percent = (struct ratio){i < 3 ? 5 : 50, 1, false};
        struct compare *compare = compare_runs(before, 4, after, 4, &options);
        assert_int_equal(compare->time_count, options.times == COMPARE_TIMES_OFF ? 0 : 6);
        if (compare->time_count > 0) {
            assert_true(compare->times[0].tested);
            assert_true(compare->times[0].p > 0.0285 && compare->times[0].p < 0.0286);
            assert_int_equal(compare->times[0].verdict, i == 3 ? COMPARE_SAME : COMPARE_WORSE);
            assert_int_equal(compare->times[1].verdict, COMPARE_SAME);
        }
        assert_int_equal(compare_status(compare),
                         i == COMPARE_TIMES_FAIL ? EXIT_EXCEEDED : EXIT_FINE);
        compare_free(compare);
    }
    free_all(before, 4);
    free_all(after, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
