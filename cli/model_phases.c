/* SPDX-License-Identifier: MIT */
#include "cli/model_phases.h"

/*
 * The mark of boundary `b` as it would be had the tally been touched just now: the recorder writes
 * marks only then.
 */
static struct dump_mark mark_at(const struct dump_tally *tally, const struct dump_clock *clock,
                                unsigned b, uint64_t polls)
{
    for (;; b--) {
        uint64_t window = clock->boundary[b];
        for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
            if (tally->mark[i].window == window)
                return tally->mark[i];
        if (window > tally->window)
            return (struct dump_mark){window, polls, tally->now};
        if (b == 0)
            return (struct dump_mark){window, 0, {0}};
    }
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most, bool *cut)
{
    if (value >= least && value <= most)
        return value;
    *cut = true;
    return value < least ? least : most;
}

/* One field of the amounts at the three cuts, made to grow from each to the next. */
static void split(uint64_t now, const uint64_t cut[3], uint64_t part[MODEL_PHASES],
                  bool *contradicts)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = clamp(cut[i], before, now, contradicts);
        part[i] = at - before;
        before = at;
    }
    part[3] = now - before;
}

struct model_parts model_parts_of(const struct dump_tally *tally, const struct dump_clock *clock,
                                  uint64_t polls)
{
    struct model_parts parts = {0};
    struct dump_mark none = {0, polls, tally->now};
    struct dump_mark first = none;
    struct dump_mark steady = none;
    struct dump_amount open = tally->now;
    if (clock->window > 0) {
        first = mark_at(tally, clock, DUMP_AT_FIRST_POLL, polls);
        steady = mark_at(tally, clock, DUMP_AT_STEADY, polls);
        if (tally->window == clock->window)
            open = tally->window_start;
    }
#define SPLIT(field)                                                                               \
    do {                                                                                           \
        uint64_t part[MODEL_PHASES];                                                               \
        const uint64_t cut[3] = {first.amount.field, steady.amount.field, open.field};             \
        split(tally->now.field, cut, part, &parts.contradicts);                                    \
        parts.all.field = tally->now.field;                                                        \
        for (unsigned i = 0; i < MODEL_PHASES; i++)                                                \
            parts.phase[i].field = part[i];                                                        \
    } while (0)
    SPLIT(allocations);
    SPLIT(bytes);
    SPLIT(reallocations);
    SPLIT(frees);
    SPLIT(freed_bytes);
#undef SPLIT
    parts.polls_before_steady = clamp(steady.polls, 0, polls, &parts.contradicts);
    return parts;
}

uint64_t model_clock_polls(const struct dump_clock *clock)
{
    return clock->window > clock->first_window ? clock->window - clock->first_window : 0;
}

uint64_t model_clock_steady_polls(const struct dump_clock *clock)
{
    uint64_t steady = clock->boundary[DUMP_AT_STEADY];
    uint64_t polls = model_clock_polls(clock);
    if (steady < clock->first_window)
        return polls;
    return clock->window > steady ? clock->window - steady : 0;
}
