/* SPDX-License-Identifier: MIT */
#include "preload/state.h"

#include "preload/memory.h"
#include "preload/sys.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <time.h>

struct ar_state *ar_state;
struct dump_clock ar_startup_clock;

static uint64_t last_generation; /* inherited by a child, so that its generations are new ones */

bool ar_state_start(void)
{
    struct ar_state *page = ar_pages_wiped_on_fork(sizeof *page);

    if (page == NULL)
        return false;
    /* While there is one thread, this costs nothing; see ar_threads_quiet. */
    ar_syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0, 0, 0, 0);
    page->clock = &ar_startup_clock;
    page->generation = ++last_generation;
    __atomic_store_n(&ar_state, page, __ATOMIC_RELEASE);
    return true;
}

void ar_state_reset(void)
{
    ar_state->tick = 0;
    ar_state->shared_ticks = false;
    ar_state->ticks = (struct ar_ticks){0, 0};
    ar_state->clock = &ar_startup_clock;
    ar_state_next_generation();
}

void ar_state_next_generation(void)
{
    uint64_t next = __atomic_add_fetch(&last_generation, 1, __ATOMIC_RELAXED);

    __atomic_store_n(&ar_state->generation, next, __ATOMIC_RELEASE);
}

void ar_state_pause(void)
{
    __atomic_store_n(&ar_state->paused, 1, __ATOMIC_SEQ_CST);
    ar_state_next_generation();
}

void ar_state_resume(void)
{
    __atomic_store_n(&ar_state->paused, 0, __ATOMIC_RELEASE);
    ar_syscall(SYS_futex, (long)&ar_state->paused, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

bool ar_state_is_paused(void)
{
    return __atomic_load_n(&ar_state->paused, __ATOMIC_SEQ_CST) != 0;
}

bool ar_state_wait(void)
{
    struct timespec most = {0, AR_PAUSE_MOST_NS};

    return !ar_state_is_paused() ||
           ar_syscall(SYS_futex, (long)&ar_state->paused, FUTEX_WAIT_PRIVATE, 1, (long)&most, 0,
                      0) != -ETIMEDOUT;
}
