/* SPDX-License-Identifier: MIT */
#include "cli/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double got, double want, double slack)
{
    if (fabs(got - want) > slack)
        fail_msg("%.12g, expected %.12g", got, want);
}

static void add(struct stats_histogram *histogram, uint64_t value, uint64_t times)
{
    struct stats_histogram one = {
        .count = times, .sum = value * times, .least = value, .most = value};
    one.bucket[stats_bucket_of(value)] = times;
    stats_histogram_add(histogram, &one);
}

/* The formula of the format, from the other side: bounds that a bucket must have. */
static void test_buckets(void **state)
{
    (void)state;
    assert_int_equal(stats_bucket_of(0), 0);
    assert_int_equal(stats_bucket_of(15), 15);
    assert_int_equal(stats_bucket_of(16), 16);
    assert_int_equal(stats_bucket_of(31), 31);
    assert_int_equal(stats_bucket_of(32), 32);
    assert_int_equal(stats_bucket_of(33), 32);
    assert_int_equal(stats_bucket_of(56), 44);
    assert_int_equal(stats_bucket_of((UINT64_C(1) << 48) - 1), STATS_BUCKETS - 1);
    assert_int_equal(stats_bucket_of(UINT64_C(1) << 48), STATS_BUCKETS - 1);
    assert_int_equal(stats_bucket_of(UINT64_MAX), STATS_BUCKETS - 1);
    uint64_t next = 0;
    for (unsigned i = 0; i < STATS_BUCKETS; i++) {
        struct stats_range range = stats_bucket_range(i);
        assert_int_equal(range.least, next);
        assert_int_equal(stats_bucket_of(range.least), i);
        assert_int_equal(stats_bucket_of(range.most), i);
        if (i < STATS_BUCKETS - 1)
            assert_true(range.most - range.least <= range.least / 16);
        next = range.most + 1;
    }
    assert_int_equal(next, 0);
}

static void test_quantiles(void **state)
{
    struct stats_histogram histogram = {0};
    (void)state;
    for (uint64_t v = 1; v <= 10; v++)
        add(&histogram, v, 1);
    assert_int_equal(stats_quantile(&histogram, 0).least, 1);
    assert_int_equal(stats_quantile(&histogram, 0.5).least, 5);
    assert_int_equal(stats_quantile(&histogram, 0.5).most, 5);
    assert_int_equal(stats_quantile(&histogram, 0.51).least, 6);
    assert_int_equal(stats_quantile(&histogram, 0.9).least, 9);
    assert_int_equal(stats_quantile(&histogram, 1).least, 10);
    assert_int_equal(stats_zeros(&histogram), 0);
    assert_near(stats_mean(&histogram), 5.5, 0);
}

/* A wide bucket gives bounds, cut to what is known exactly. */
static void test_quantile_bounds(void **state)
{
    struct stats_histogram histogram = {0};
    (void)state;
    add(&histogram, 0, 5);
    add(&histogram, 1000, 90);
    add(&histogram, 1020, 4);
    add(&histogram, 5000, 1);
    struct stats_range median = stats_quantile(&histogram, 0.5);
    assert_int_equal(median.least, 992);
    assert_int_equal(median.most, 1023);
    assert_int_equal(stats_middle(median), 1007);
    assert_int_equal(stats_quantile(&histogram, 1).least, 5000);
    assert_int_equal(stats_quantile(&histogram, 0.05).most, 0);
    assert_int_equal(stats_zeros(&histogram), 5);
    struct stats_histogram narrow = {0};
    add(&narrow, 1000, 3);
    assert_int_equal(stats_quantile(&narrow, 0.5).least, 1000);
    assert_int_equal(stats_quantile(&narrow, 0.5).most, 1000);
}

static void test_empty_histogram(void **state)
{
    struct stats_histogram none = {0};
    struct stats_histogram sum = {0};
    (void)state;
    assert_int_equal(stats_quantile(&none, 0.5).most, 0);
    assert_near(stats_mean(&none), 0, 0);
    add(&sum, 7, 2);
    stats_histogram_add(&sum, &none);
    assert_int_equal(sum.least, 7);
    assert_int_equal(sum.count, 2);
}

/* Numbers that lie: nothing wraps, nothing is read beyond the buckets. */
static void test_hostile_histogram(void **state)
{
    struct stats_histogram lie = {
        .count = UINT64_MAX, .sum = UINT64_MAX, .least = UINT64_MAX, .most = 1};
    (void)state;
    struct stats_histogram sum = lie;
    stats_histogram_add(&sum, &lie);
    assert_int_equal(sum.count, UINT64_MAX);
    for (double q = 0; q <= 1; q += 0.125) {
        struct stats_range range = stats_quantile(&lie, q);
        assert_true(range.least <= range.most);
    }
    assert_int_equal(stats_quantile(&lie, NAN).least, lie.least);
}

/* Values worked out by hand, and an interval from the binomial table for n = 10: ranks 2 and 9 hold
 * the median with 0.9785. */
static void test_summary(void **state)
{
    double values[] = {9, 2, 4, 4, 4, 5, 5, 7};
    double ten[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    (void)state;
    struct stats_summary summary = stats_summarise(values, 8);
    assert_int_equal(summary.count, 8);
    assert_near(summary.mean, 5, 1e-12);
    assert_near(summary.deviation, 2.1380899352993952, 1e-12);
    assert_near(summary.median, 4.5, 0);
    assert_near(summary.least, 2, 0);
    assert_near(summary.most, 9, 0);
    summary = stats_summarise(ten, 10);
    assert_near(summary.median_low, 2, 0);
    assert_near(summary.median_high, 9, 0);
    assert_near(summary.median_coverage, 1 - 22.0 / 1024, 1e-12);
}

static void test_summary_of_few(void **state)
{
    double one[] = {3};
    double five[] = {1, 2, 3, 4, 5};
    double six[] = {1, 2, 3, 4, 5, 6};
    (void)state;
    assert_int_equal(stats_summarise(one, 0).count, 0);
    struct stats_summary summary = stats_summarise(one, 1);
    assert_near(summary.median, 3, 0);
    assert_near(summary.deviation, 0, 0);
    assert_near(summary.median_coverage, 0, 0);
    summary = stats_summarise(five, 5);
    assert_near(summary.median_low, 1, 0);
    assert_near(summary.median_high, 5, 0);
    assert_near(summary.median_coverage, 1 - 2.0 / 32, 1e-12);
    double eight[] = {1, 2, 3, 4, 5, 6, 7, 8}; /* ranks 2 and 7 hold it with 0.9297 only */
    summary = stats_summarise(eight, 8);
    assert_near(summary.median_low, 1, 0);
    assert_near(summary.median_high, 8, 0);
    summary = stats_summarise(six, 6);
    assert_near(summary.median_coverage, 1 - 2.0 / 64, 1e-12);
}

static void test_outliers(void **state)
{
    double values[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 100};
    (void)state;
    struct stats_summary summary = stats_summarise(values, 10);
    assert_int_equal(summary.outliers, 1);
    assert_near(summary.fence_low, 12.25 - 1.5 * 4.5, 1e-12);
    assert_near(summary.fence_high, 16.75 + 1.5 * 4.5, 1e-12);
}

static void test_fit_exact(void **state)
{
    double x[] = {10, 100, 1000, 10000};
    double y[] = {10 * 56 + 300, 100 * 56 + 300, 1000 * 56 + 300, 10000 * 56 + 300};
    (void)state;
    struct stats_fit fit = stats_fit(x, y, 4);
    assert_true(fit.valid);
    assert_true(fit.r2_valid);
    assert_near(fit.slope, 56, 1e-9);
    assert_near(fit.intercept, 300, 1e-6);
    assert_near(fit.r2, 1, 1e-12);
}

/* Anscombe's first set; slope, intercept and R2 are in his paper, the interval is 0.5001 +- t(9) x
 * 0.1179. */
static void test_fit_anscombe(void **state)
{
    double x[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    double y[] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    (void)state;
    struct stats_fit fit = stats_fit(x, y, 11);
    assert_near(fit.slope, 0.5000909, 1e-7);
    assert_near(fit.intercept, 3.0000909, 1e-7);
    assert_near(fit.r2, 0.6665425, 1e-7);
    assert_near(fit.slope_low, 0.5000909 - 2.2621572 * 0.1179055, 1e-6);
    assert_near(fit.slope_high, 0.5000909 + 2.2621572 * 0.1179055, 1e-6);
}

/* t of the tables, by way of a fit with a known standard error of 1: x = -1, 1 repeated. */
static void test_fit_degrees(void **state)
{
    static const struct {
        size_t degrees;
        double t;
    } table[] = {{1, 12.7062}, {2, 4.30265}, {3, 3.18245},  {4, 2.77645},
                 {5, 2.57058}, {9, 2.26216}, {30, 2.04227}, {100, 1.98397}};
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        size_t n = table[k].degrees + 2;
        double x[128];
        double y[128];
        double rest = 0;
        double xx = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)i;
            y[i] = (double)i + (i % 2 ? 1 : -1);
        }
        struct stats_fit fit = stats_fit(x, y, n);
        for (size_t i = 0; i < n; i++) {
            double miss = y[i] - fit.intercept - fit.slope * x[i];
            double off = x[i] - (double)(n - 1) / 2;
            rest += miss * miss;
            xx += off * off;
        }
        double error = sqrt(rest / (double)table[k].degrees / xx);
        assert_near((fit.slope_high - fit.slope) / error, table[k].t, 1e-4);
    }
}

static void test_fit_without_answer(void **state)
{
    double x[] = {1, 2, 3};
    double same[] = {5, 5, 5};
    (void)state;
    struct stats_fit constant = stats_fit(x, same, 3);
    assert_true(constant.valid);
    assert_false(constant.r2_valid);
    assert_near(constant.slope, 0, 0);
    assert_near(constant.intercept, 5, 0);
    assert_false(stats_fit(same, x, 3).valid);
    assert_false(stats_fit(x, same, 1).valid);
    assert_false(stats_fit(x, same, 0).valid);
    assert_false(stats_fit(x, x, 2).interval_valid);
    double large[] = {16777216.1, 16777216.1, 16777216.1};
    assert_false(stats_fit(x, large, 3).r2_valid);
}

static void test_zero_bound(void **state)
{
    (void)state;
    assert_near(stats_zero_bound(0), 1, 0);
    assert_near(stats_zero_bound(1), 0.95, 1e-12);
    assert_near(stats_zero_bound(10), 0.2588655508, 1e-9);
    assert_near(stats_zero_bound(1000), 0.0029912496, 1e-9);
}

/* Every way to divide the values, by its bit pattern; ranks counted one by one. */
static double divide_all(const double *values, size_t count, size_t first)
{
    double distance = -1, extreme = 0, whole = 0;
    for (unsigned ways = 0; ways < 1u << count; ways++) {
        /* The way that was seen comes first. */
        unsigned way = ways ^ ((1u << first) - 1);
        if ((size_t)__builtin_popcount(way) != first)
            continue;
        double u = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count; k++)
                if ((way >> i & 1) && !(way >> k & 1))
                    u += values[i] > values[k] ? 1 : values[i] < values[k] ? 0 : 0.5;
        double off = fabs(u - (double)(first * (count - first)) / 2);
        if (distance < 0)
            distance = off;
        whole++;
        extreme += off >= distance;
    }
    return extreme / whole;
}

static void test_mann_whitney(void **state)
{
    /* Mann and Whitney's table: U is 0 and 1 of 4 and 4; 2 of 5 and 5. */
    double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8}, next[] = {1, 2, 3, 5},
           other[] = {4, 6, 7, 8};
    double five[] = {1, 2, 3, 4, 8}, five_more[] = {5, 6, 7, 9, 10};
    (void)state;
    assert_near(stats_mann_whitney(low, 4, high, 4), 2.0 / 70, 1e-12);
    assert_near(stats_mann_whitney(high, 4, low, 4), 2.0 / 70, 1e-12);
    assert_near(stats_mann_whitney(next, 4, other, 4), 4.0 / 70, 1e-12);
    assert_near(stats_mann_whitney(five, 5, five_more, 5), 14.0 / 252, 1e-12);
    assert_near(stats_mann_whitney(low, 4, low, 4), 1, 1e-12);
    assert_near(stats_mann_whitney(low, 1, high, 1), 1, 1e-12);
    unsigned seed = 1;
    for (unsigned round = 0; round < 200; round++) {
        double values[11];
        size_t count = 2 + round % 10, first = 1 + round % (count - 1);
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1103515245 + 12345;
            values[i] = (double)(seed >> 16 & 7); /* with ties */
        }
        assert_near(stats_mann_whitney(values, first, values + first, count - first),
                    divide_all(values, count, first), 1e-12);
    }
    double many[STATS_RANK_MOST], more[STATS_RANK_MOST];
    for (size_t i = 0; i < STATS_RANK_MOST; i++) {
        many[i] = (double)i;
        more[i] = (double)i + 0.5;
    }
    double p = stats_mann_whitney(many, STATS_RANK_MOST, more, STATS_RANK_MOST);
    assert_true(p > 0.8 && p < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets),           cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_quantile_bounds),   cmocka_unit_test(test_empty_histogram),
        cmocka_unit_test(test_hostile_histogram), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_summary_of_few),    cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_fit_exact),         cmocka_unit_test(test_fit_anscombe),
        cmocka_unit_test(test_fit_degrees),       cmocka_unit_test(test_fit_without_answer),
        cmocka_unit_test(test_zero_bound),        cmocka_unit_test(test_mann_whitney),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
