/* SPDX-License-Identifier: MIT */
#include "cli/cadence.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const names[] = {
    [CADENCE_STARTUP] = "startup",
    [CADENCE_WARMUP] = "warm-up",
    [CADENCE_ONCE] = "once",
    [CADENCE_GROWTH] = "growth",
    [CADENCE_BURST] = "burst",
    [CADENCE_PERIODIC] = "periodic",
    [CADENCE_EVERY_POLL] = "every poll",
    [CADENCE_SHUTDOWN] = "shutdown",
};

const char *cadence_name(enum cadence_kind kind)
{
    return names[kind];
}

static bool is_growing(const struct cadence_facts *facts)
{
    uint64_t gaps = facts->polls ? facts->polls - 1 : 0;
    return gaps >= 3 && facts->gaps_growing >= gaps - gaps / 3;
}

/* Gaps that hardly differ, or polls that are no rarity. */
static bool is_periodic(const struct cadence_facts *facts)
{
    uint64_t gaps = facts->polls ? facts->polls - 1 : 0;
    uint64_t least = facts->gap_least;
    if (gaps >= 3 && (double)facts->gap_most <= 1.5 * (double)least + 1)
        return true;
    return facts->polls_steady >= facts->steady_polls / 100 + (facts->steady_polls % 100 != 0);
}

static enum cadence_kind kind_of(const struct cadence_facts *facts)
{
    uint64_t polls = facts->polls_steady;
    if (facts->after_startup == 0)
        return CADENCE_STARTUP;
    if (facts->shutdown_allocations >= facts->after_startup)
        return CADENCE_SHUTDOWN;
    if (polls && polls >= facts->steady_polls - facts->steady_polls / 2)
        return CADENCE_EVERY_POLL;
    if (facts->polls <= 1)
        return CADENCE_ONCE;
    if (is_growing(facts))
        return CADENCE_GROWTH;
    if (facts->steady_allocations == 0 && facts->shutdown_allocations == 0)
        return CADENCE_WARMUP;
    return polls && is_periodic(facts) ? CADENCE_PERIODIC : CADENCE_BURST;
}

struct cadence cadence_of(const struct cadence_facts *facts)
{
    struct cadence cadence = {.kind = kind_of(facts)};
    if (facts->steady_frames)
        cadence.per_frame = (double)facts->steady_allocations / (double)facts->steady_frames;
    if (cadence.kind == CADENCE_PERIODIC) {
        uint64_t polls = facts->polls_steady;
        cadence.period = facts->steady_polls / polls + (facts->steady_polls % polls * 2 >= polls);
        snprintf(cadence.words, sizeof cadence.words, "periodic %" PRIu64, cadence.period);
    } else {
        snprintf(cadence.words, sizeof cadence.words, "%s", names[cadence.kind]);
    }
    return cadence;
}
