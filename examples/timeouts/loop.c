/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/loop.h"

#include "examples/timeouts/queue.h"

static struct queue queue = QUEUE_EMPTY;

/* The loop looks into the heap before each wait. */
static void rearm(int64_t time)
{
    (void)time;
}

/* Whether an alarm was fired: only the loop's own thread takes from the heap. */
static bool deliver(int64_t *next)
{
    size_t before = queue.count;

    *next = queue_deliver(&queue, NULL);
    return queue.count < before;
}

bool loop_turn(SDL_Event *event, int64_t deadline)
{
    for (;;) {
        int64_t next;
        bool fired = deliver(&next);
        bool over = fired || clock_now() >= deadline;
        int left;

        if (over)
            return SDL_PollEvent(event) != 0;
        left = (int)clock_milliseconds_until(next < deadline ? next : deadline, INT32_MAX);
        if (SDL_WaitEventTimeout(event, left) != 0)
            return true;
    }
}

bool loop_wait_event(SDL_Event *event, int64_t deadline)
{
    do {
        if (loop_turn(event, deadline))
            return true;
    } while (clock_now() < deadline);
    return false;
}

void loop_add(struct alarm *alarm)
{
    queue_add(&queue, alarm, rearm);
}

void loop_remove(struct alarm *alarm)
{
    queue_remove(&queue, alarm);
}

size_t loop_pending(void)
{
    return queue_pending(&queue);
}
