/* SPDX-License-Identifier: MIT */
/*
 * event: one event manager holds all deadlines. Its thread waits with epoll, where an event loop
 * has its other descriptors too, for a timerfd that is set to the earliest deadline, or earlier:
 * see queue.h for how rarely it is set. After start nothing is ever allocated. Both descriptors are
 * edge-triggered: each expiry and each write is an event of its own, and nothing has to be read.
 */
#include "examples/timeouts/queue.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static struct queue queue = QUEUE_EMPTY;
static int timer = -1, kick = -1, events = -1;
static atomic_bool stopping;
static pthread_t manager;

/* By the time that a kicked manager runs, so much has passed; a timer's interrupt takes longer. */
#define SOON (5 * CLOCK_MICROSECOND)

static void rearm(int64_t time)
{
    struct itimerspec at = {.it_value = clock_timespec(time)};

    if (time - clock_now() < SOON)
        eventfd_write(kick, 1);
    else
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void *manage(void *argument)
{
    (void)argument;
    while (!atomic_load(&stopping)) {
        struct epoll_event event;

        if (epoll_wait(events, &event, 1, -1) == 1)
            queue_deliver(&queue, rearm);
    }
    return NULL;
}

static int watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};

    return epoll_ctl(events, EPOLL_CTL_ADD, fd, &event);
}

static void close_all(void)
{
    close(timer);
    close(kick);
    close(events);
}

static int start(void)
{
    int failure;

    atomic_store(&stopping, false);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    events = epoll_create1(EPOLL_CLOEXEC);
    if (timer < 0 || kick < 0 || events < 0 || watch(timer) != 0 || watch(kick) != 0)
        failure = errno;
    else
        failure = pthread_create(&manager, NULL, manage, NULL);
    if (failure != 0)
        close_all();
    return -failure;
}

static void stop(void)
{
    atomic_store(&stopping, true);
    eventfd_write(kick, 1);
    pthread_join(manager, NULL);
    close_all();
    queue.armed_for = CLOCK_NEVER;
}

static int event_arm(struct alarm *alarm)
{
    queue_add(&queue, alarm, rearm);
    return 0;
}

static void event_cancel(struct alarm *alarm)
{
    queue_remove(&queue, alarm);
}

static size_t pending(void)
{
    return queue_pending(&queue);
}

const struct way way_event = {
    .name = "event",
    .about = "one manager: heap, timerfd and epoll, set lazily",
    .most = SIZE_MAX,
    .start = start,
    .stop = stop,
    .arm = event_arm,
    .cancel = event_cancel,
    .pending = pending,
};
