/* SPDX-License-Identifier: MIT */
/*
 * futex: the same manager and heap as `event`, without descriptors: the thread sleeps on a word,
 * with the earliest deadline as the sleep's end. For a program that has no epoll to share.
 */
#include "examples/timeouts/park.h"
#include "examples/timeouts/queue.h"

static struct queue queue = QUEUE_EMPTY;
static atomic_uint changes;
static atomic_bool stopping;
static pthread_t manager;

static void wake(void)
{
    atomic_fetch_add(&changes, 1);
    park_wake(&changes);
}

static void rearm(int64_t time)
{
    (void)time; /* the manager finds it in the heap */
    wake();
}

static void *manage(void *argument)
{
    (void)argument;
    for (;;) {
        unsigned seen = atomic_load(&changes); /* first: what happens from here on changes it */

        if (atomic_load(&stopping))
            return NULL;
        park_wait(&changes, seen, queue_deliver(&queue, NULL));
    }
}

static int start(void)
{
    atomic_store(&stopping, false);
    return -pthread_create(&manager, NULL, manage, NULL);
}

static void stop(void)
{
    atomic_store(&stopping, true);
    wake();
    pthread_join(manager, NULL);
    queue.armed_for = CLOCK_NEVER;
}

static int futex_arm(struct alarm *alarm)
{
    queue_add(&queue, alarm, rearm);
    return 0;
}

static void futex_cancel(struct alarm *alarm)
{
    queue_remove(&queue, alarm);
}

static size_t pending(void)
{
    return queue_pending(&queue);
}

const struct way way_futex = {
    .name = "futex",
    .about = "one manager: heap and futex, no descriptors",
    .most = SIZE_MAX,
    .start = start,
    .stop = stop,
    .arm = futex_arm,
    .cancel = futex_cancel,
    .pending = pending,
};
