/* SPDX-License-Identifier: MIT */
/* Whether counts of one side are more than those of the other. */
#include "cli/compare_private.h"
#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

struct compare_figure compare_figure(uint64_t part, uint64_t one, uint64_t whole)
{
    uint64_t high;

    if (__builtin_add_overflow(part, one, &high))
        high = UINT64_MAX;
    return (struct compare_figure){
        ratio_of(part, whole), ratio_of(part > one ? part - one : 0, whole), ratio_of(high, whole)};
}

static int by_value(const void *a, const void *b)
{
    return ratio_compare(*(const struct ratio *)a, *(const struct ratio *)b);
}

static struct ratio *sorted(const struct compare_figure *figures, size_t count, size_t offset)
{
    struct ratio *values = xcalloc(count, sizeof *values);

    for (size_t i = 0; i < count; i++)
        memcpy(&values[i], (const char *)&figures[i] + offset, sizeof values[i]);
    qsort(values, count, sizeof *values, by_value);
    return values;
}

#define SORTED(figures, count, field)                                                              \
    sorted((figures), (count), offsetof(struct compare_figure, field))

static struct ratio median_of(const struct ratio *values, size_t count)
{
    return values[(count - 1) / 2];
}

/* The most that is the same as `base`. What does not fit is more than anything. */
static struct ratio limit_of(struct ratio base, struct ratio percent, struct ratio slack)
{
    struct ratio absolute = {0, 1, false};
    unsigned __int128 more;

    if (base.negative)
        base = (struct ratio){0, 1, false};
    struct ratio relative = ratio_changed(base, percent);
    if (__builtin_mul_overflow(base.whole, slack.part, &more) ||
        __builtin_mul_overflow(base.part, slack.whole, &absolute.part) ||
        __builtin_add_overflow(absolute.part, more, &absolute.part) ||
        __builtin_mul_overflow(base.whole, slack.whole, &absolute.whole))
        absolute = (struct ratio){~(unsigned __int128)0, 1, false};
    return ratio_compare(relative, absolute) > 0 ? relative : absolute;
}

enum compare_change compare_judge(const struct compare_figure *before, size_t before_count,
                                  const struct compare_figure *after, size_t after_count,
                                  struct ratio percent, struct ratio slack)
{
    struct ratio *before_low = SORTED(before, before_count, low);
    struct ratio *before_high = SORTED(before, before_count, high);
    struct ratio *after_low = SORTED(after, after_count, low);
    struct ratio *after_high = SORTED(after, after_count, high);
    enum compare_change change = COMPARE_SAME;

    if (ratio_compare(median_of(after_low, after_count),
                      limit_of(before_high[before_count - 1], percent, slack)) > 0)
        change = COMPARE_WORSE;
    else if (ratio_compare(before_low[0],
                           limit_of(median_of(after_high, after_count), percent, slack)) > 0)
        change = COMPARE_BETTER;
    free(before_low);
    free(before_high);
    free(after_low);
    free(after_high);
    return change;
}

struct compare_counts compare_counts(const struct compare_figure *figures, size_t count)
{
    struct compare_counts counts = {SORTED(figures, count, value), count, {0, 1, false}};

    counts.median = median_of(counts.runs, count);
    return counts;
}

void compare_free_counts(struct compare_counts *counts)
{
    free(counts->runs);
    counts->runs = NULL;
}
