/* SPDX-License-Identifier: MIT */
/*
 * pool: a parked helper. A thread for each timeout that is armed at the same time, but none is ever
 * ended: a cancelled timeout's helper is handed to the next. Like the queue it is lazy: a helper
 * that sleeps until some earlier time is left asleep, and finds the new deadline when it wakes.
 */
#include "examples/timeouts/park.h"
#include "examples/timeouts/way.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* All but `changes` under the lock. wakes_at <= alarm->deadline while there is an alarm. */
struct helper {
    atomic_uint changes; /* what it sleeps on */
    struct alarm *alarm; /* that it is to fire; NULL: parked */
    bool firing;
    int64_t wakes_at;
    pthread_t thread;
    struct helper *next_free;
    struct helper *next; /* of all */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t delivered = PTHREAD_COND_INITIALIZER;
static struct helper *helpers;
static struct helper *free_helpers; /* the last used first: its stack is warm */
static size_t pending;
static bool stopping;

/* With the lock held, which it leaves while the alarm is delivered. */
static void deliver(struct helper *helper)
{
    struct alarm *alarm = helper->alarm;

    helper->alarm = NULL;
    helper->firing = true;
    pending--;
    pthread_mutex_unlock(&lock);
    alarm->fire(alarm);
    pthread_mutex_lock(&lock);
    helper->firing = false;
    pthread_cond_broadcast(&delivered);
}

static void *help(void *argument)
{
    struct helper *helper = argument;

    pthread_mutex_lock(&lock);
    while (!stopping) {
        unsigned seen;
        int64_t until;

        if (helper->alarm != NULL && helper->alarm->deadline <= clock_now())
            deliver(helper);
        until = helper->alarm != NULL ? helper->alarm->deadline : CLOCK_NEVER;
        helper->wakes_at = until;
        seen = atomic_load(&helper->changes);
        pthread_mutex_unlock(&lock);
        park_wait(&helper->changes, seen, until);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* One more helper, with the lock held; NULL and errno. */
static struct helper *add_helper(void)
{
    struct helper *helper = calloc(1, sizeof *helper);
    int failure;

    if (helper == NULL)
        return NULL;
    helper->wakes_at = CLOCK_NEVER;
    failure = pthread_create(&helper->thread, NULL, help, helper);
    if (failure != 0) {
        free(helper);
        errno = failure;
        return NULL;
    }
    helper->next = helpers;
    helpers = helper;
    return helper;
}

static void wake(struct helper *helper)
{
    atomic_fetch_add(&helper->changes, 1);
    park_wake(&helper->changes);
}

static int pool_arm(struct alarm *alarm)
{
    struct helper *helper;
    bool early = false;
    int result = 0;

    pthread_mutex_lock(&lock);
    helper = free_helpers;
    if (helper != NULL)
        free_helpers = helper->next_free;
    else
        helper = add_helper();
    if (helper != NULL) {
        early = alarm->deadline < helper->wakes_at;
        helper->alarm = alarm;
        alarm->own.held = helper;
        pending++;
        if (early)
            helper->wakes_at = alarm->deadline;
    } else {
        result = -errno;
    }
    pthread_mutex_unlock(&lock);
    if (early)
        wake(helper);
    return result;
}

static void pool_cancel(struct alarm *alarm)
{
    struct helper *helper = alarm->own.held;

    pthread_mutex_lock(&lock);
    if (helper->alarm != NULL)
        pending--;
    helper->alarm = NULL;
    while (helper->firing)
        pthread_cond_wait(&delivered, &lock);
    helper->next_free = free_helpers;
    free_helpers = helper;
    pthread_mutex_unlock(&lock);
}

/* The first helper is made here, so that one timeout at a time never allocates. */
static int start(void)
{
    int result = 0;

    pthread_mutex_lock(&lock);
    stopping = false;
    free_helpers = add_helper();
    if (free_helpers == NULL)
        result = -errno;
    pthread_mutex_unlock(&lock);
    return result;
}

static void stop(void)
{
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_mutex_unlock(&lock);
    for (struct helper *helper = helpers, *next; helper != NULL; helper = next) {
        next = helper->next;
        wake(helper);
        pthread_join(helper->thread, NULL);
        free(helper);
    }
    helpers = NULL;
    free_helpers = NULL;
}

static size_t count_pending(void)
{
    size_t count;

    pthread_mutex_lock(&lock);
    count = pending;
    pthread_mutex_unlock(&lock);
    return count;
}

const struct way way_pool = {
    .name = "pool",
    .about = "parked helper threads, one for each timeout armed at a time",
    .most = 10000, /* threads; systems allow some 32,000 */
    .start = start,
    .stop = stop,
    .arm = pool_arm,
    .cancel = pool_cancel,
    .pending = count_pending,
};
