/* SPDX-License-Identifier: MIT */
/*
 * libevent: a yardstick from outside: its event base in a manager's thread, with its locks switched
 * on, so that any thread adds and removes timers; event_del waits for a callback under way. By
 * default it reads the kernel's coarse clock and may call some milliseconds early; such a call is
 * counted, and the timer added again.
 */
#include "examples/timeouts/clock.h"
#include "examples/timeouts/way.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/thread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

struct slot {
    struct event event;
    struct alarm *alarm;
    atomic_bool fired;
    struct slot *next_free;
    struct slot *next; /* of all */
};

static struct event_base *base;
static pthread_t manager;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the two lists */
static struct slot *slots;
static struct slot *free_slots;
static atomic_size_t pending;
static struct way_faults faults;

static int add(struct slot *slot)
{
    int64_t left = slot->alarm->deadline - clock_now();
    int64_t wait = left > 0 ? left / CLOCK_MICROSECOND + 1 : 0;
    struct timeval limit = {.tv_sec = wait / 1000000, .tv_usec = wait % 1000000};

    return event_add(&slot->event, &limit);
}

static void call(evutil_socket_t fd, short what, void *argument)
{
    struct slot *slot = argument;

    (void)fd;
    (void)what;
    if (clock_now() < slot->alarm->deadline) {
        atomic_fetch_add(&faults.early, 1);
        add(slot);
        return;
    }
    atomic_store(&slot->fired, true);
    atomic_fetch_sub(&pending, 1);
    slot->alarm->fire(slot->alarm);
}

static struct slot *take(void)
{
    struct slot *slot;

    pthread_mutex_lock(&lock);
    slot = free_slots;
    if (slot != NULL) {
        free_slots = slot->next_free;
    } else {
        slot = calloc(1, sizeof *slot);
        if (slot != NULL) {
            evtimer_assign(&slot->event, base, call, slot);
            slot->next = slots;
            slots = slot;
        }
    }
    pthread_mutex_unlock(&lock);
    return slot;
}

static void give_back(struct slot *slot)
{
    pthread_mutex_lock(&lock);
    slot->next_free = free_slots;
    free_slots = slot;
    pthread_mutex_unlock(&lock);
}

static int libevent_arm(struct alarm *alarm)
{
    struct slot *slot = take();

    if (slot == NULL)
        return -ENOMEM;
    slot->alarm = alarm;
    atomic_store(&slot->fired, false);
    alarm->own.held = slot;
    atomic_fetch_add(&pending, 1);
    if (add(slot) == 0)
        return 0;
    atomic_fetch_sub(&pending, 1);
    give_back(slot);
    return -ENOMEM;
}

static void libevent_cancel(struct alarm *alarm)
{
    struct slot *slot = alarm->own.held;

    event_del(&slot->event);
    if (!atomic_load(&slot->fired))
        atomic_fetch_sub(&pending, 1);
    give_back(slot);
}

static void *manage(void *argument)
{
    (void)argument;
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    return NULL;
}

static void say_running(evutil_socket_t fd, short what, void *argument)
{
    (void)fd;
    (void)what;
    sem_post(argument);
}

/* Waits until the loop turns: event_base_loopbreak does nothing to one that has yet to begin. */
static int start(void)
{
    sem_t running;
    int failure;

    if (evthread_use_pthreads() != 0)
        return -ENOMEM;
    base = event_base_new();
    if (base == NULL)
        return -ENOMEM;
    sem_init(&running, 0, 0);
    if (event_base_once(base, -1, EV_TIMEOUT, say_running, &running, NULL) != 0)
        failure = ENOMEM;
    else
        failure = pthread_create(&manager, NULL, manage, NULL);
    if (failure == 0) {
        while (sem_wait(&running) != 0)
            ;
    } else {
        event_base_free(base);
    }
    sem_destroy(&running);
    return -failure;
}

static void stop(void)
{
    event_base_loopbreak(base);
    pthread_join(manager, NULL);
    event_base_free(base);
    for (struct slot *slot = slots, *next; slot != NULL; slot = next) {
        next = slot->next;
        free(slot);
    }
    slots = NULL;
    free_slots = NULL;
}

static size_t count_pending(void)
{
    return atomic_load(&pending);
}

const struct way way_libevent = {
    .name = "libevent",
    .about = "libevent's timers, in a manager's thread, with its locks",
    .most = SIZE_MAX,
    .start = start,
    .stop = stop,
    .arm = libevent_arm,
    .cancel = libevent_cancel,
    .pending = count_pending,
    .faults = &faults,
};
