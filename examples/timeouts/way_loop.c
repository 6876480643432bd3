/* SPDX-License-Identifier: MIT */
/*
 * loop: no manager at all. An SDL program waits for events anyway, so its wait knows the deadlines
 * (loop.h). Bodies wait by turning the loop; the events that they meet are not for them.
 */
#include "examples/timeouts/loop.h"

#include "examples/timeouts/clock.h"

#include <errno.h>

static Uint32 wake_event;
static pthread_t owner;

/* SDL keeps the entries of its queue, but makes them when they are first needed: one for an event
 * that wakes, and one for the mark that a poll leaves. */
static int start(void)
{
    SDL_Event event = {0};

    if (SDL_Init(SDL_INIT_EVENTS) != 0)
        return -ENODEV;
    wake_event = SDL_RegisterEvents(1);
    owner = pthread_self();
    event.type = wake_event;
    SDL_PushEvent(&event);
    SDL_PushEvent(&event);
    SDL_FlushEvent(wake_event);
    return 0;
}

static void stop(void)
{
    SDL_Quit();
}

static int loop_arm(struct alarm *alarm)
{
    loop_add(alarm);
    return 0;
}

static void wait_turning(atomic_uint *word, unsigned seen, int64_t until)
{
    SDL_Event event;

    while (atomic_load(word) == seen && clock_now() < until)
        loop_turn(&event, until);
}

/* Only from another thread: the loop itself is awake. */
static void wake(atomic_uint *word)
{
    SDL_Event event = {.type = wake_event};

    (void)word;
    if (!pthread_equal(owner, pthread_self()))
        SDL_PushEvent(&event);
}

const struct way way_loop = {
    .name = "loop",
    .about = "in the SDL loop: the heap, and a wait for events that knows it",
    .most = SIZE_MAX,
    .start = start,
    .stop = stop,
    .arm = loop_arm,
    .cancel = loop_remove,
    .pending = loop_pending,
    .wait = wait_turning,
    .wake = wake,
};
