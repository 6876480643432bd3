/* SPDX-License-Identifier: MIT */
#include "preload/phases.h"

/* Boundaries from AT_STEADY on; the schedule is odd while they change. */
static void set_boundaries(struct dump_clock *clock, uint64_t steady, uint64_t cut,
                           uint64_t last_cut)
{
    __atomic_store_n(&clock->schedule, clock->schedule + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&clock->boundary[DUMP_AT_STEADY], steady, __ATOMIC_RELAXED);
    __atomic_store_n(&clock->boundary[DUMP_AT_CUT], cut, __ATOMIC_RELAXED);
    __atomic_store_n(&clock->boundary[DUMP_AT_LAST_CUT], last_cut, __ATOMIC_RELAXED);
    __atomic_store_n(&clock->schedule, clock->schedule + 1, __ATOMIC_RELEASE);
}

/* The begin of the later part: one of the cuts, so that each tally has a mark of it. */
static uint64_t later_begin(const struct ar_phases *phases, const struct dump_clock *clock)
{
    return phases->later_window != 0 ? phases->later_window : clock->first_window;
}

static bool is_power_of_two(uint64_t number)
{
    return (number & (number - 1)) == 0;
}

/* What the open window's begin does to the boundaries while it warms up. */
static enum ar_phases_move warm_up(struct ar_phases *phases, struct dump_clock *clock,
                                   uint64_t window, bool over)
{
    uint64_t polls = window - clock->first_window;
    uint64_t steady = clock->boundary[DUMP_AT_STEADY];
    uint64_t cut = clock->boundary[DUMP_AT_CUT];
    uint64_t last_cut = clock->boundary[DUMP_AT_LAST_CUT];
    uint64_t later = later_begin(phases, clock);
    /* No more than half of the polls may come before the steady phase. */
    bool rotates = 2 * (later - clock->first_window) <= polls;

    if (over || is_power_of_two(polls)) {
        /* The cut that will be nearer to the middle for as long as this one is too late. */
        bool last = rotates || 3 * (last_cut - steady) <= 2 * (window - steady);

        phases->later_window = window;
        set_boundaries(clock, rotates ? later : steady, last ? last_cut : cut, window);
        return rotates ? AR_PHASES_ROTATE : AR_PHASES_JOIN;
    }
    if (polls % 3 == 0 && is_power_of_two(polls / 3))
        set_boundaries(clock, steady, last_cut, window);
    return AR_PHASES_STAY;
}

enum ar_phases_move ar_phases_window_ended(struct ar_phases *phases, struct dump_clock *clock,
                                           uint64_t since_ns)
{
    uint64_t window = clock->window + 1;
    uint64_t polls = window - clock->first_window;
    uint64_t steady = clock->boundary[DUMP_AT_STEADY];
    uint64_t last_cut = clock->boundary[DUMP_AT_LAST_CUT];
    enum ar_phases_move move = AR_PHASES_STAY;

    if (clock->warm == 0) {
        bool over = polls >= AR_WARMUP_POLLS && since_ns >= AR_WARMUP_NS;

        move = warm_up(phases, clock, window, over);
        if (over) {
            phases->warm_window = window;
            clock->warm = 1;
        }
    } else if (clock->warm == 1) {
        uint64_t warm_polls = phases->warm_window - clock->first_window;

        if (polls >= 2 * warm_polls) {
            set_boundaries(clock, phases->warm_window, last_cut, window);
            clock->warm = 2;
            move = AR_PHASES_ROTATE;
        } else if (polls == warm_polls + (warm_polls + 1) / 2) {
            set_boundaries(clock, steady, last_cut, window);
        }
    } else if (window - last_cut >= last_cut - steady) {
        set_boundaries(clock, steady, last_cut, window);
    }
    __atomic_store_n(&clock->window, window, __ATOMIC_RELEASE);
    return move;
}
