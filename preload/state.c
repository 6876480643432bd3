/* SPDX-License-Identifier: MIT */
#include "preload/state.h"

#include "preload/memory.h"

struct ar_state *ar_state;
const struct dump_clock ar_startup_clock;

static uint64_t last_generation; /* inherited by a child, so that its generations are new ones */

bool ar_state_start(void)
{
    struct ar_state *page = ar_pages_wiped_on_fork(sizeof *page);

    if (page == NULL)
        return false;
    page->clock = &ar_startup_clock;
    page->generation = ++last_generation;
    __atomic_store_n(&ar_state, page, __ATOMIC_RELEASE);
    return true;
}

void ar_state_reset(void)
{
    ar_state->tick = 0;
    ar_state->ticks = (struct ar_ticks){0, 0};
    ar_state->clock = &ar_startup_clock;
    ar_state_next_generation();
}

void ar_state_next_generation(void)
{
    __atomic_store_n(&ar_state->generation, ++last_generation, __ATOMIC_RELEASE);
}
