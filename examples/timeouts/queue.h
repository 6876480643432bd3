/* SPDX-License-Identifier: MIT */
/*
 * queue.h: the deadlines of one manager: a heap under a lock, the time at which the manager will
 * wake, and the one alarm that is being delivered. What way_event, way_futex and way_loop share;
 * how the manager sleeps is theirs.
 *
 * Lazy: `armed_for` only ever moves when it must. A later deadline leaves it alone, and so does a
 * cancelled one: at worst the manager wakes once for nothing. So a limit that is not reached costs
 * two turns of a lock, and no system call.
 */
#ifndef EXAMPLES_TIMEOUTS_QUEUE_H
#define EXAMPLES_TIMEOUTS_QUEUE_H

#include "examples/timeouts/clock.h"
#include "examples/timeouts/way.h"

#include <stdbool.h>

/* While the lock is free: armed_for <= the deadline of each alarm in the heap. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t delivered;
    struct heap_node *root;
    int64_t armed_for;    /* when the manager wakes; CLOCK_NEVER: not by itself */
    struct alarm *firing; /* out of the heap, its `fire` runs without the lock */
    unsigned waiting;     /* cancels that wait for that */
    size_t count;         /* in the heap */
};

#define QUEUE_EMPTY                                                                                \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .delivered = PTHREAD_COND_INITIALIZER,                  \
        .armed_for = CLOCK_NEVER                                                                   \
    }

/* Has the manager wake at `time`; called with the lock held, so that a later call wins. */
typedef void queue_rearm(int64_t time);

/* Adds an alarm, and calls `rearm` if its deadline is before armed_for. Any thread. */
void queue_add(struct queue *queue, struct alarm *alarm, queue_rearm *rearm);

/* Takes an alarm out. If it is being delivered, waits until it has been. Any thread. */
void queue_remove(struct queue *queue, struct alarm *alarm);

/* Fires all alarms that are due, one after the other without the lock; then sets armed_for to the
 * next deadline, calls `rearm`, if not NULL, when there is one, and returns it. The manager's. */
int64_t queue_deliver(struct queue *queue, queue_rearm *rearm);

size_t queue_pending(struct queue *queue);

#endif
