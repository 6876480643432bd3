/* SPDX-License-Identifier: MIT */
#include "preload/tally.h"

void ar_tally_mark(struct dump_tally *tally, const struct dump_clock *clock, uint64_t polls)
{
    struct dump_mark old[DUMP_BOUNDARIES];
    uint64_t boundary[DUMP_BOUNDARIES];
    uint32_t schedule = __atomic_load_n(&clock->schedule, __ATOMIC_ACQUIRE);

    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++) {
        boundary[i] = __atomic_load_n(&clock->boundary[i], __ATOMIC_RELAXED);
        old[i] = tally->mark[i];
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((schedule & 1) != 0 || __atomic_load_n(&clock->schedule, __ATOMIC_RELAXED) != schedule)
        return;
    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++) {
        unsigned k = 0;

        while (k < DUMP_BOUNDARIES && old[k].window != boundary[i])
            k++;
        if (k < DUMP_BOUNDARIES)
            tally->mark[i] = old[k];
        else if (boundary[i] > tally->window)
            tally->mark[i] = (struct dump_mark){boundary[i], polls, tally->now};
        else
            tally->mark[i] = i > 0 ? tally->mark[i - 1] : (struct dump_mark){boundary[i], 0, {0}};
    }
    tally->schedule = schedule;
}
