/* SPDX-License-Identifier: MIT */
/*
 * detached: a thread for each timeout again, by a cheaper protocol: nobody joins it. One word
 * decides who was first, the deadline or the cancel; whoever cancels in time goes on at once, and
 * the thread ends when it gets to run. So the word cannot stand in the caller's memory, which may
 * be gone by then: it stands in a block that both own and the last one frees.
 */
#include "examples/timeouts/park.h"
#include "examples/timeouts/way.h"

#include <errno.h>
#include <stdlib.h>

enum { ARMED, FIRING, FIRED, CANCELLED };

struct block {
    atomic_uint state;
    atomic_uint owners;
    int64_t deadline;
    struct alarm *alarm; /* the caller's: not to be looked at once cancelled */
};

static atomic_size_t pending;
static atomic_uint threads; /* not yet at their end */

static void release(struct block *block)
{
    if (atomic_fetch_sub(&block->owners, 1) == 1)
        free(block);
}

static void *sleep_and_fire(void *argument)
{
    struct block *block = argument;
    unsigned armed = ARMED;

    while (atomic_load(&block->state) == ARMED && clock_now() < block->deadline)
        park_wait(&block->state, ARMED, block->deadline);
    if (atomic_compare_exchange_strong(&block->state, &armed, FIRING)) {
        atomic_fetch_sub(&pending, 1);
        block->alarm->fire(block->alarm);
        atomic_store(&block->state, FIRED);
        park_wake(&block->state);
    }
    release(block);
    if (atomic_fetch_sub(&threads, 1) == 1)
        park_wake(&threads);
    return NULL;
}

static pthread_attr_t attributes;

static int detached_arm(struct alarm *alarm)
{
    struct block *block = malloc(sizeof *block);
    pthread_t id;
    int failure;

    if (block == NULL)
        return -ENOMEM;
    atomic_init(&block->state, ARMED);
    atomic_init(&block->owners, 2);
    block->deadline = alarm->deadline;
    block->alarm = alarm;
    alarm->own.held = block;
    atomic_fetch_add(&pending, 1);
    atomic_fetch_add(&threads, 1);
    failure = pthread_create(&id, &attributes, sleep_and_fire, block);
    if (failure != 0) {
        atomic_fetch_sub(&pending, 1);
        atomic_fetch_sub(&threads, 1);
        free(block);
    }
    return -failure;
}

static void detached_cancel(struct alarm *alarm)
{
    struct block *block = alarm->own.held;
    unsigned state = ARMED;

    if (atomic_compare_exchange_strong(&block->state, &state, CANCELLED)) {
        atomic_fetch_sub(&pending, 1);
        park_wake(&block->state);
    }
    while (atomic_load(&block->state) == FIRING)
        park_wait(&block->state, FIRING, CLOCK_NEVER);
    release(block);
}

static int start(void)
{
    int failure = pthread_attr_init(&attributes);

    if (failure == 0)
        failure = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    return -failure;
}

/* The cancelled threads that have not yet run to their end. */
static void stop(void)
{
    unsigned left;

    while ((left = atomic_load(&threads)) != 0)
        park_wait(&threads, left, CLOCK_NEVER);
    pthread_attr_destroy(&attributes);
}

static size_t count_pending(void)
{
    return atomic_load(&pending);
}

const struct way way_detached = {
    .name = "detached",
    .about = "a thread for each timeout, not joined",
    .most = 10000, /* threads; systems allow some 32,000 */
    .start = start,
    .stop = stop,
    .arm = detached_arm,
    .cancel = detached_cancel,
    .pending = count_pending,
};
