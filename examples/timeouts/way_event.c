/* SPDX-License-Identifier: MIT */
/*
 * event: one event manager holds all deadlines. Its thread waits with epoll, where an event loop
 * has its other descriptors too, for a timerfd that is set to the earliest deadline, or earlier:
 * see queue.h for how rarely it is set. After start nothing is ever allocated.
 */
#include "examples/timeouts/queue.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static struct queue queue = QUEUE_EMPTY;
static int timer = -1, quit = -1, events = -1;
static pthread_t manager;

/* Zero would mean never. */
static void rearm(int64_t time)
{
    struct itimerspec at = {.it_value = clock_timespec(time > 0 ? time : 1)};

    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void *manage(void *argument)
{
    (void)argument;
    for (;;) {
        struct epoll_event event;
        uint64_t expirations;

        if (epoll_wait(events, &event, 1, -1) != 1)
            continue;
        if (event.data.fd == quit)
            return NULL;
        if (read(timer, &expirations, sizeof expirations) == sizeof expirations)
            queue_deliver(&queue, rearm);
    }
}

static int watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    return epoll_ctl(events, EPOLL_CTL_ADD, fd, &event);
}

static void close_all(void)
{
    close(timer);
    close(quit);
    close(events);
}

static int start(void)
{
    int failure;

    timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    quit = eventfd(0, EFD_CLOEXEC);
    events = epoll_create1(EPOLL_CLOEXEC);
    if (timer < 0 || quit < 0 || events < 0 || watch(timer) != 0 || watch(quit) != 0)
        failure = errno;
    else
        failure = pthread_create(&manager, NULL, manage, NULL);
    if (failure != 0)
        close_all();
    return -failure;
}

static void stop(void)
{
    eventfd_write(quit, 1);
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
