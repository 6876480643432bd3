/* SPDX-License-Identifier: MIT */
/*
 * libuv: a yardstick from outside. Its timers belong to the thread that turns its loop, so this is
 * the loop-integrated form: bodies wait by turning it. Handles are kept for reuse, since libuv
 * closes one only in a later turn. Its timers count whole milliseconds and may come a fraction of
 * one early; such a call is counted, and the timer started again. A turn that has called a timer
 * may still go on to sleep until the next one; so what ends a wait stops the turn.
 */
#include "examples/timeouts/clock.h"
#include "examples/timeouts/way.h"

#include <errno.h>
#include <stdlib.h>
#include <uv.h>

struct slot {
    uv_timer_t timer;
    struct alarm *alarm; /* NULL once it has fired */
    struct slot *next_free;
    struct slot *next; /* of all */
};

static uv_loop_t loop;
static uv_async_t others;   /* wakes the loop from other threads */
static uv_timer_t patience; /* ends a wait */
static pthread_t owner;
static struct slot *slots;
static struct slot *free_slots;
static size_t pending;
static struct way_faults faults;

static void call(uv_timer_t *timer);

static int start_timer(uv_timer_t *timer, uv_timer_cb callback, int64_t deadline)
{
    uv_update_time(&loop);
    return uv_timer_start(timer, callback, (uint64_t)clock_milliseconds_until(deadline, INT32_MAX),
                          0);
}

static void call(uv_timer_t *timer)
{
    struct slot *slot = timer->data;
    struct alarm *alarm = slot->alarm;

    if (clock_now() < alarm->deadline) {
        atomic_fetch_add(&faults.early, 1);
        start_timer(timer, call, alarm->deadline);
        return;
    }
    slot->alarm = NULL;
    pending--;
    alarm->fire(alarm);
    uv_stop(&loop);
}

static struct slot *take(void)
{
    struct slot *slot = free_slots;

    if (slot != NULL) {
        free_slots = slot->next_free;
        return slot;
    }
    slot = calloc(1, sizeof *slot);
    if (slot != NULL) {
        uv_timer_init(&loop, &slot->timer);
        slot->timer.data = slot;
        slot->next = slots;
        slots = slot;
    }
    return slot;
}

static int libuv_arm(struct alarm *alarm)
{
    struct slot *slot = take();

    if (slot == NULL)
        return -ENOMEM;
    slot->alarm = alarm;
    alarm->own.held = slot;
    pending++;
    return start_timer(&slot->timer, call, alarm->deadline);
}

static void libuv_cancel(struct alarm *alarm)
{
    struct slot *slot = alarm->own.held;

    uv_timer_stop(&slot->timer);
    if (slot->alarm != NULL)
        pending--;
    slot->alarm = NULL;
    slot->next_free = free_slots;
    free_slots = slot;
}

static void end_wait(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

static void wait_turning(atomic_uint *word, unsigned seen, int64_t until)
{
    while (atomic_load(word) == seen && clock_now() < until) {
        start_timer(&patience, end_wait, until);
        uv_run(&loop, UV_RUN_ONCE);
    }
    uv_timer_stop(&patience);
}

static void woken(uv_async_t *async)
{
    (void)async;
}

/* Only from another thread: the loop itself is awake. */
static void wake(atomic_uint *word)
{
    (void)word;
    if (!pthread_equal(owner, pthread_self()))
        uv_async_send(&others);
}

static int start(void)
{
    int failure = uv_loop_init(&loop);

    if (failure != 0)
        return failure;
    owner = pthread_self();
    failure = uv_async_init(&loop, &others, woken);
    return failure != 0 ? failure : uv_timer_init(&loop, &patience);
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    (void)argument;
    uv_close(handle, NULL);
}

static void stop(void)
{
    uv_walk(&loop, close_handle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    for (struct slot *slot = slots, *next; slot != NULL; slot = next) {
        next = slot->next;
        free(slot);
    }
    slots = NULL;
    free_slots = NULL;
}

static size_t count_pending(void)
{
    return pending;
}

const struct way way_libuv = {
    .name = "libuv",
    .about = "libuv's timers, in its loop",
    .most = SIZE_MAX,
    .start = start,
    .stop = stop,
    .arm = libuv_arm,
    .cancel = libuv_cancel,
    .pending = count_pending,
    .wait = wait_turning,
    .wake = wake,
    .faults = &faults,
};
