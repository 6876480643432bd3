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

/* The steady phase may begin at the last cut, if no more than half of the polls come before that.
 */
static bool half_allows(const struct dump_clock *clock, uint64_t polls)
{
    return 2 * (clock->boundary[DUMP_AT_CUT] - clock->first_window) <= polls;
}

enum ar_phases_move ar_phases_window_ended(struct ar_phases *phases, struct dump_clock *clock,
                                           uint64_t since_ns)
{
    uint64_t window = clock->window + 1;
    uint64_t polls = window - clock->first_window;
    uint64_t steady = clock->boundary[DUMP_AT_STEADY];
    uint64_t cut = clock->boundary[DUMP_AT_CUT];
    uint64_t last_cut = clock->boundary[DUMP_AT_LAST_CUT];
    enum ar_phases_move move = AR_PHASES_STAY;

    if (clock->warm == 0) {
        bool over = polls >= AR_WARMUP_POLLS && since_ns >= AR_WARMUP_NS;

        if (over || (polls & (polls - 1)) == 0) {
            move = half_allows(clock, polls) ? AR_PHASES_ROTATE : AR_PHASES_JOIN;
            set_boundaries(clock, move == AR_PHASES_ROTATE ? cut : steady, window, window);
        }
        if (over) {
            phases->warm_window = window;
            clock->warm = 1;
        }
    } else if (clock->warm == 1) {
        if (polls >= 2 * (phases->warm_window - clock->first_window)) {
            set_boundaries(clock, phases->warm_window, window, window);
            clock->warm = 2;
            move = AR_PHASES_ROTATE;
        }
    } else if (window - last_cut >= last_cut - steady) {
        set_boundaries(clock, steady, last_cut, window);
    }
    __atomic_store_n(&clock->window, window, __ATOMIC_RELEASE);
    return move;
}
