/* SPDX-License-Identifier: MIT */
/*
 * stats.h: the arithmetic of the reports: histograms as a dump holds them, order statistics, least
 * squares, bounds. Plain numbers in, plain numbers out; knows no dump and prints nothing. Called by
 * the model, the commands and the outputs.
 */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATS_BUCKETS 720u /* as struct dump_histogram's: 16 to each power of two, up to 2^48 */

/* count = sum of bucket[]; sum, least and most are exact, buckets are at most 1/16 wide. */
struct stats_histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t least; /* 0 if count == 0 */
    uint64_t most;
    uint64_t bucket[STATS_BUCKETS];
};

/* A value known to lie in [least, most], both included. Equal when it is known exactly. */
struct stats_range {
    uint64_t least;
    uint64_t most;
};

/* The least and the greatest value of bucket `index` (< STATS_BUCKETS); the last one's greatest is
 * UINT64_MAX. */
struct stats_range stats_bucket_range(unsigned index);

/* The bucket of a value. */
unsigned stats_bucket_of(uint64_t value);

/* Adds `more` to `sum`. Counts saturate at UINT64_MAX. */
void stats_histogram_add(struct stats_histogram *sum, const struct stats_histogram *more);

/* The q-quantile, 0 <= q <= 1: the smallest value v such that at least q of all are <= v. The
 * bounds are those of its bucket, cut to [least, most] of the histogram. {0, 0} of an empty
 * histogram. */
struct stats_range stats_quantile(const struct stats_histogram *histogram, double q);

/* One number to show for a range: itself if exact, else the middle rounded down. */
uint64_t stats_middle(struct stats_range range);

/* How many of the histogram's values are zero: exact. */
uint64_t stats_zeros(const struct stats_histogram *histogram);

/* sum / count; 0 of an empty histogram. */
double stats_mean(const struct stats_histogram *histogram);

/* Sorts, then describes, `count` measured values. All zero when count == 0. */
struct stats_summary {
    size_t count;
    double mean;
    double deviation; /* sample standard deviation, n - 1; 0 if count < 2 */
    double least;
    double most;
    double median;
    /* Order-statistic interval of the median from the binomial distribution, no shape assumed. */
    double median_low;
    double median_high;
    double median_coverage; /* of that interval, >= 0.95 if count >= 6; less: the whole range's */
    size_t outliers;        /* beyond 1.5 interquartile ranges outside the quartiles (Tukey) */
    double fence_low;
    double fence_high;
};
struct stats_summary stats_summarise(double *values, size_t count);

/* Least squares y = intercept + slope x. valid: at least two distinct x. r2_valid: y is no constant
 * (a constant has no R2: print n/a); slope_low, slope_high: its 95 % interval, valid if count > 2.
 */
struct stats_fit {
    bool valid;
    bool r2_valid;
    bool interval_valid;
    double slope;
    double intercept;
    double r2;
    double slope_low;
    double slope_high;
};
struct stats_fit stats_fit(const double *x, const double *y, size_t count);

/*
 * The Mann-Whitney test of two samples: the two-sided probability that samples of one population
 * differ by as much or more, from the exact distribution of the rank sum over all ways to divide
 * the values, ties by mid-ranks. See Mann and Whitney, "On a Test of Whether one of Two Random
 * Variables is Stochastically Larger than the Other" (1947), and for ties Lehmann,
 * "Nonparametrics", 1.4; the ways are counted as by Streitberg and Roehmel (1986). 1 to
 * STATS_RANK_MOST values in each; below 4 in each it can never be less than 0.1.
 */
#define STATS_RANK_MOST 50u
double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

/* Upper 95 % bound of a share of which 0 of n were seen: 1 - 0.05^(1/n). 1 for n == 0. */
double stats_zero_bound(uint64_t n);

#endif
