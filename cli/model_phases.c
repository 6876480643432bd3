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

#define CUTS 5u /* first poll, steady, cut, last cut, begin of the open window */

/* One field of the amounts at the cuts, made to grow from each to the next. */
static void split(uint64_t now, const uint64_t cut[CUTS], uint64_t between[CUTS + 1],
                  bool *contradicts)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < CUTS; i++) {
        uint64_t at = clamp(cut[i], before, now, contradicts);
        between[i] = at - before;
        before = at;
    }
    between[CUTS] = now - before;
}

struct model_parts model_parts_of(const struct dump_tally *tally, const struct dump_clock *clock,
                                  uint64_t polls)
{
    struct model_parts parts = {0};
    struct dump_mark mark[DUMP_BOUNDARIES];
    struct dump_amount open = tally->now;
    for (unsigned b = 0; b < DUMP_BOUNDARIES; b++)
        mark[b] = clock->window > 0 ? mark_at(tally, clock, b, polls)
                                    : (struct dump_mark){0, polls, tally->now};
    if (clock->window > 0 && tally->window == clock->window)
        open = tally->window_start;
#define SPLIT(field)                                                                               \
    do {                                                                                           \
        uint64_t between[CUTS + 1];                                                                \
        const uint64_t cut[CUTS] = {                                                               \
            mark[DUMP_AT_FIRST_POLL].amount.field, mark[DUMP_AT_STEADY].amount.field,              \
            mark[DUMP_AT_CUT].amount.field, mark[DUMP_AT_LAST_CUT].amount.field, open.field};      \
        split(tally->now.field, cut, between, &parts.contradicts);                                 \
        parts.all.field = tally->now.field;                                                        \
        parts.phase[MODEL_STARTUP].field = between[0];                                             \
        parts.phase[MODEL_WARMUP].field = between[1];                                              \
        for (unsigned i = 0; i < MODEL_PARTS; i++) {                                               \
            parts.part[i].field = between[2 + i];                                                  \
            parts.phase[MODEL_STEADY].field += between[2 + i];                                     \
        }                                                                                          \
        parts.phase[MODEL_SHUTDOWN].field = between[CUTS];                                         \
    } while (0)
    SPLIT(allocations);
    SPLIT(bytes);
    SPLIT(reallocations);
    SPLIT(frees);
    SPLIT(freed_bytes);
#undef SPLIT
    parts.polls_before_steady = clamp(mark[DUMP_AT_STEADY].polls, 0, polls, &parts.contradicts);
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

void model_clock_part_polls(const struct dump_clock *clock, uint64_t polls[MODEL_PARTS])
{
    uint64_t steady = model_clock_steady_polls(clock);
    uint64_t begin = clock->window - steady; /* the window of the first steady poll */
    uint64_t before = 0;
    for (unsigned i = 0; i + 1 < MODEL_PARTS; i++) {
        uint64_t cut = clock->boundary[DUMP_AT_CUT + i];
        uint64_t at = cut > begin ? cut - begin : 0;
        at = at < before ? before : at > steady ? steady : at;
        polls[i] = at - before;
        before = at;
    }
    polls[MODEL_PARTS - 1] = steady - before;
}
