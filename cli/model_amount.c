/* SPDX-License-Identifier: MIT */
#include "cli/model_private.h"

uint64_t model_add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

int64_t model_difference(uint64_t a, uint64_t b)
{
    if (a >= b)
        return a - b > INT64_MAX ? INT64_MAX : (int64_t)(a - b);
    return b - a > INT64_MAX ? INT64_MIN : -(int64_t)(b - a);
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

struct model_amount model_amount_of(const struct dump_amount *amount)
{
    return (struct model_amount){.allocations = amount->allocations,
                                 .bytes = amount->bytes,
                                 .reallocations = amount->reallocations,
                                 .frees = amount->frees,
                                 .freed_bytes = amount->freed_bytes};
}

void model_amount_add(struct model_amount *sum, const struct model_amount *more)
{
    sum->allocations = model_add(sum->allocations, more->allocations);
    sum->bytes = model_add(sum->bytes, more->bytes);
    sum->reallocations = model_add(sum->reallocations, more->reallocations);
    sum->frees = model_add(sum->frees, more->frees);
    sum->freed_bytes = model_add(sum->freed_bytes, more->freed_bytes);
}

struct model_amount model_amount_less(const struct model_amount *a, const struct model_amount *b)
{
    return (struct model_amount){.allocations = less(a->allocations, b->allocations),
                                 .bytes = less(a->bytes, b->bytes),
                                 .reallocations = less(a->reallocations, b->reallocations),
                                 .frees = less(a->frees, b->frees),
                                 .freed_bytes = less(a->freed_bytes, b->freed_bytes)};
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

double model_bytes_per_poll(const struct model_rate *rate)
{
    return ratio((double)rate->bytes, (double)rate->polls);
}

double model_allocations_per_poll(const struct model_rate *rate)
{
    return ratio((double)rate->allocations, (double)rate->polls);
}

double model_polls_per_second(const struct model_rate *rate)
{
    return ratio((double)rate->polls * 1e9, (double)rate->ns);
}

double model_bytes_per_second(const struct model_rate *rate)
{
    return rate->polls ? ratio((double)rate->bytes * 1e9, (double)rate->ns) : 0;
}
