/* SPDX-License-Identifier: MIT */
#include "cli/stats.h"

#include <math.h>
#include <stdlib.h>

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

unsigned stats_bucket_of(uint64_t value)
{
    if (value < 16)
        return (unsigned)value;
    unsigned e = 63u - (unsigned)__builtin_clzll(value);
    if (e > 47)
        return STATS_BUCKETS - 1;
    return 16 * (e - 3) + (unsigned)((value >> (e - 4)) % 16);
}

struct stats_range stats_bucket_range(unsigned index)
{
    if (index < 16)
        return (struct stats_range){index, index};
    unsigned e = index / 16 + 3;
    uint64_t least = (uint64_t)(16 + index % 16) << (e - 4);
    uint64_t width = (uint64_t)1 << (e - 4);
    uint64_t most = index >= STATS_BUCKETS - 1 ? UINT64_MAX : least + width - 1;
    return (struct stats_range){least, most};
}

void stats_histogram_add(struct stats_histogram *sum, const struct stats_histogram *more)
{
    if (more->count == 0)
        return;
    if (sum->count == 0 || more->least < sum->least)
        sum->least = more->least;
    if (sum->count == 0 || more->most > sum->most)
        sum->most = more->most;
    sum->count = add(sum->count, more->count);
    sum->sum = add(sum->sum, more->sum);
    for (unsigned i = 0; i < STATS_BUCKETS; i++)
        sum->bucket[i] = add(sum->bucket[i], more->bucket[i]);
}

/* The rank of the q-quantile among `count` values, from 1. */
static uint64_t rank_of(uint64_t count, double q)
{
    if (!(q > 0))
        return 1;
    if (q >= 1)
        return count;
    double exact = ceil(q * (double)count);
    if (exact < 1)
        return 1;
    return exact >= (double)count ? count : (uint64_t)exact;
}

struct stats_range stats_quantile(const struct stats_histogram *histogram, double q)
{
    if (histogram->count == 0)
        return (struct stats_range){0, 0};
    uint64_t rank = rank_of(histogram->count, q);
    if (rank == 1)
        return (struct stats_range){histogram->least, histogram->least};
    if (rank == histogram->count)
        return (struct stats_range){histogram->most, histogram->most};
    uint64_t seen = 0;
    unsigned i = 0;
    for (; i < STATS_BUCKETS - 1; i++) {
        seen = add(seen, histogram->bucket[i]);
        if (seen >= rank)
            break;
    }
    struct stats_range range = stats_bucket_range(i);
    if (range.least < histogram->least)
        range.least = histogram->least;
    if (range.most > histogram->most)
        range.most = histogram->most;
    if (range.least > range.most) /* buckets and extremes contradict each other */
        range.least = range.most;
    return range;
}

uint64_t stats_middle(struct stats_range range)
{
    return range.least + (range.most - range.least) / 2;
}

uint64_t stats_zeros(const struct stats_histogram *histogram)
{
    return histogram->bucket[0];
}

double stats_mean(const struct stats_histogram *histogram)
{
    return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile by linear interpolation between the neighbours (R's type 7). */
static double quantile_of(const double *sorted, size_t count, double q)
{
    double at = q * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

/*
 * The narrowest symmetric pair of ranks k, n + 1 - k whose order statistics hold the median with
 * probability >= 0.95: 1 - 2 P(B < k), B binomial(n, 1/2). See David and Nagaraja, "Order
 * Statistics", 7.1. Below 6 values no pair reaches it, and the whole range is given.
 */
static void median_interval(const double *sorted, struct stats_summary *summary)
{
    size_t n = summary->count;
    double log_half = (double)n * log(0.5);
    double tail = 0; /* P(B < k) */
    double coverage = 1 - 2 * exp(log_half);
    size_t k = 1;
    for (size_t i = 0; i < n / 2; i++) {
        double term = exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
                          lgamma((double)(n - i) + 1) + log_half);
        double covered = 1 - 2 * (tail + term);
        if (covered < 0.95)
            break;
        tail += term;
        coverage = covered;
        k = i + 1;
    }
    summary->median_low = sorted[k - 1];
    summary->median_high = sorted[n - k];
    summary->median_coverage = n == 1 ? 0 : coverage;
}

static void find_outliers(const double *sorted, struct stats_summary *summary)
{
    double q1 = quantile_of(sorted, summary->count, 0.25);
    double q3 = quantile_of(sorted, summary->count, 0.75);
    summary->fence_low = q1 - 1.5 * (q3 - q1);
    summary->fence_high = q3 + 1.5 * (q3 - q1);
    for (size_t i = 0; i < summary->count; i++)
        summary->outliers += sorted[i] < summary->fence_low || sorted[i] > summary->fence_high;
}

struct stats_summary stats_summarise(double *values, size_t count)
{
    struct stats_summary summary = {.count = count};
    if (count == 0)
        return summary;
    qsort(values, count, sizeof *values, compare);
    double mean = 0;
    double squares = 0; /* Welford: no cancellation between large numbers */
    for (size_t i = 0; i < count; i++) {
        double delta = values[i] - mean;
        mean += delta / (double)(i + 1);
        squares += delta * (values[i] - mean);
    }
    summary.mean = mean;
    summary.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    summary.least = values[0];
    summary.most = values[count - 1];
    summary.median = quantile_of(values, count, 0.5);
    median_interval(values, &summary);
    find_outliers(values, &summary);
    return summary;
}

double stats_zero_bound(uint64_t n)
{
    return n ? -expm1(log(0.05) / (double)n) : 1;
}
