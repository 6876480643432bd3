/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct ranked {
    double value;
    bool first;    /* of the first sample */
    unsigned rank; /* twice the mid-rank, so that it is whole */
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

    return (x > y) - (x < y);
}

/* Equal values share the mean of their ranks. */
static void rank(struct ranked *all, size_t count)
{
    qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end].value <= all[i].value;)
            end++;
        for (size_t k = i; k < end; k++)
            all[k].rank = (unsigned)(i + 1 + end);
    }
}

/* ways[k * width + s]: how many sets of k of the values have ranks that add up to s. */
static double *count_ways(const struct ranked *all, size_t count, size_t most, size_t width)
{
    double *ways = xcalloc((most + 1) * width, sizeof *ways);

    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i < most ? i + 1 : most; k > 0; k--)
            for (size_t s = all[i].rank; s < width; s++)
                ways[k * width + s] += ways[(k - 1) * width + s - all[i].rank];
    return ways;
}

double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count)
{
    size_t count = a_count + b_count, width = count * (count + 1) + 1, sum = 0;
    struct ranked all[2 * STATS_RANK_MOST];

    assert(a_count > 0 && b_count > 0 && a_count <= STATS_RANK_MOST && b_count <= STATS_RANK_MOST);
    for (size_t i = 0; i < a_count; i++)
        all[i] = (struct ranked){a[i], true, 0};
    for (size_t i = 0; i < b_count; i++)
        all[a_count + i] = (struct ranked){b[i], false, 0};
    rank(all, count);
    for (size_t i = 0; i < count; i++)
        sum += all[i].first ? all[i].rank : 0;

    double *ways = count_ways(all, count, a_count, width);
    size_t mean = a_count * (count + 1);
    size_t distance = sum > mean ? sum - mean : mean - sum;
    double extreme = 0, whole = 0;
    for (size_t s = 0; s < width; s++) {
        double here = ways[a_count * width + s];
        whole += here;
        if ((s > mean ? s - mean : mean - s) >= distance)
            extreme += here;
    }
    free(ways);
    return extreme / whole;
}
