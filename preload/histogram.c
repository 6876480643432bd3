/* SPDX-License-Identifier: MIT */
#include "preload/histogram.h"

static unsigned bucket_of(uint64_t value)
{
    unsigned exponent;

    if (value < 16)
        return (unsigned)value;
    exponent = 63u - (unsigned)__builtin_clzll(value);
    if (exponent > 47)
        return DUMP_HISTOGRAM_BUCKETS - 1;
    return 16 * (exponent - 3) + (unsigned)(value >> (exponent - 4)) % 16;
}

void ar_histogram_add_value(struct dump_histogram *histogram, uint64_t value, uint64_t times)
{
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (value > histogram->most)
        histogram->most = value;
    histogram->count += times;
    histogram->sum += value * times;
    histogram->bucket[bucket_of(value)] += times;
}

void ar_histogram_move(struct dump_histogram *to, struct dump_histogram *from)
{
    if (from->count == 0)
        return;
    if (to->count == 0 || from->least < to->least)
        to->least = from->least;
    if (from->most > to->most)
        to->most = from->most;
    to->count += from->count;
    to->sum += from->sum;
    for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++) {
        to->bucket[i] += from->bucket[i];
        from->bucket[i] = 0;
    }
    from->count = from->sum = from->least = from->most = 0;
}
