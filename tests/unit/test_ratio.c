/* SPDX-License-Identifier: MIT */
#include "cli/ratio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_compare(void **state)
{
    (void)state;
    assert_int_equal(ratio_compare(ratio_of(1, 3), ratio_of(2, 6)), 0);
    assert_true(ratio_compare(ratio_of(1, 3), ratio_of(333333333, 1000000000)) > 0);
    assert_true(ratio_compare(ratio_of(0, 7), ratio_of(1, UINT64_MAX)) < 0);
    /* Nothing that a double could tell apart. */
    assert_true(ratio_compare(ratio_of(UINT64_MAX - 1, UINT64_MAX),
                              ratio_of(UINT64_MAX - 2, UINT64_MAX - 1)) > 0);
    assert_true(ratio_compare(ratio_signed(-1, 2), ratio_signed(-1, 3)) < 0);
    assert_true(ratio_compare(ratio_signed(-1, 2), ratio_of(0, 3)) < 0);
    assert_int_equal(ratio_compare(ratio_signed(INT64_MIN, 1), ratio_signed(INT64_MIN, 1)), 0);
    struct ratio below_zero = {0, 5, true};
    assert_int_equal(ratio_compare(below_zero, ratio_of(0, 1)), 0);
}

/* Against cross-multiplication, which small numbers allow. */
static void test_compare_all(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 12; a++)
        for (unsigned b = 1; b < 12; b++)
            for (unsigned c = 0; c < 12; c++)
                for (unsigned d = 1; d < 12; d++) {
                    int got = ratio_compare(ratio_of(a, b), ratio_of(c, d));
                    int want = (a * d > c * b) - (a * d < c * b);
                    assert_int_equal((got > 0) - (got < 0), want);
                }
}

static void test_changed(void **state)
{
    struct ratio five = ratio_of(5, 1);
    struct ratio half = {5, 10, false};
    (void)state;
    assert_int_equal(ratio_compare(ratio_changed(ratio_of(100, 1), five), ratio_of(105, 1)), 0);
    assert_int_equal(ratio_compare(ratio_changed(ratio_of(1, 3), half), ratio_of(1005, 3000)), 0);
    five.negative = true;
    assert_int_equal(ratio_compare(ratio_changed(ratio_of(100, 7), five), ratio_of(95, 7)), 0);
    struct ratio all = {200, 1, true};
    assert_int_equal(ratio_compare(ratio_changed(ratio_of(100, 7), all), ratio_of(0, 7)), 0);
    /* What is below zero rises by what is added, too. */
    five.negative = false;
    assert_int_equal(
        ratio_compare(ratio_changed(ratio_signed(-100, 7), five), ratio_signed(-95, 7)), 0);
    five.negative = true;
    assert_int_equal(
        ratio_compare(ratio_changed(ratio_signed(-100, 7), five), ratio_signed(-105, 7)), 0);
    all.negative = false;
    assert_int_equal(ratio_compare(ratio_changed(ratio_signed(-100, 7), all), ratio_of(100, 7)), 0);
    /* More than there is room for: nearly. */
    struct ratio large = {(unsigned __int128)1 << 100, (unsigned __int128)1 << 99, false};
    struct ratio none = {0, 1, false};
    assert_int_equal(ratio_compare(ratio_changed(large, none), ratio_of(2, 1)), 0);
    /* The greatest that may come. */
    struct ratio much = {UINT64_MAX, 1000000000, false};
    struct ratio most = ratio_changed(ratio_of(UINT64_MAX, 1), much);
    assert_true(ratio_compare(most, ratio_of(UINT64_MAX, 1)) > 0);
}

static void test_distance(void **state)
{
    (void)state;
    assert_int_equal(ratio_compare(ratio_distance(ratio_of(1, 2), ratio_of(2, 3)), ratio_of(1, 6)),
                     0);
    assert_int_equal(
        ratio_compare(ratio_distance(ratio_signed(-1, 2), ratio_of(2, 3)), ratio_of(7, 6)), 0);
    struct ratio big = {(unsigned __int128)1 << 120, ((unsigned __int128)1 << 110) + 1, false};
    double distance = ratio_double(ratio_distance(big, ratio_of(24, 1)));
    assert_true(distance > 999.9 && distance < 1000.1);
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(ratio_text(ratio_of(0, 1), 2).text, "0");
    assert_string_equal(ratio_text(ratio_of(1, 1000), 3).text, "0.001");
    assert_string_equal(ratio_text(ratio_of(1, 1000), 2).text, "0");
    assert_string_equal(ratio_text(ratio_of(2, 3), 2).text, "0.67");
    assert_string_equal(ratio_text(ratio_of(1999, 1000), 2).text, "2");
    assert_string_equal(ratio_text(ratio_of(12345678, 10), 2).text, "1,234,567.8");
    assert_string_equal(ratio_text(ratio_signed(-1000, 1), 2).text, "-1,000");
    assert_string_equal(ratio_text(ratio_signed(-1, 1000), 2).text, "0");
    assert_string_equal(ratio_text(ratio_of(UINT64_MAX, 1), 9).text, "18,446,744,073,709,551,615");
    assert_string_equal(ratio_text(ratio_of(7, 2), 0).text, "4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare), cmocka_unit_test(test_compare_all),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_distance),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
