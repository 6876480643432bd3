/* SPDX-License-Identifier: MIT */
/*
 * thread: the old way. Each timeout is a thread that sleeps until the deadline; cancelling wakes it
 * and waits for its end. Right by construction: a thread that has been joined delivers nothing. And
 * dear: a thread's creation, two switches and a join for a limit that is hardly ever reached.
 */
#include "examples/timeouts/park.h"
#include "examples/timeouts/way.h"

enum { ARMED, FIRED, CANCELLED };

static atomic_size_t pending;

static void *sleep_and_fire(void *argument)
{
    struct alarm *alarm = argument;
    atomic_uint *state = &alarm->own.thread.state;
    unsigned armed = ARMED;

    while (atomic_load(state) == ARMED && clock_now() < alarm->deadline)
        park_wait(state, ARMED, alarm->deadline);
    if (atomic_compare_exchange_strong(state, &armed, FIRED)) {
        atomic_fetch_sub(&pending, 1);
        alarm->fire(alarm);
    }
    return NULL;
}

static int thread_arm(struct alarm *alarm)
{
    int failure;

    atomic_init(&alarm->own.thread.state, ARMED);
    atomic_fetch_add(&pending, 1);
    failure = pthread_create(&alarm->own.thread.id, NULL, sleep_and_fire, alarm);
    if (failure != 0)
        atomic_fetch_sub(&pending, 1);
    return -failure;
}

static void thread_cancel(struct alarm *alarm)
{
    unsigned armed = ARMED;

    if (atomic_compare_exchange_strong(&alarm->own.thread.state, &armed, CANCELLED)) {
        atomic_fetch_sub(&pending, 1);
        park_wake(&alarm->own.thread.state);
    }
    pthread_join(alarm->own.thread.id, NULL);
}

static int start(void)
{
    return 0;
}

static void stop(void)
{
}

static size_t count_pending(void)
{
    return atomic_load(&pending);
}

const struct way way_thread = {
    .name = "thread",
    .about = "a thread for each timeout, joined",
    .most = 10000, /* threads; systems allow some 32,000 */
    .start = start,
    .stop = stop,
    .arm = thread_arm,
    .cancel = thread_cancel,
    .pending = count_pending,
};
