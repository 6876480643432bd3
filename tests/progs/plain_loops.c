/* SPDX-License-Identifier: MIT */
/*
 * plain_loops: loops around libc's own polls, one for each function, 20 turns each: a pipe is full
 * in every second turn. Each turn allocates 10 bytes. Then what must not change: errno, a signal
 * that interrupts, a thread that is cancelled in a poll, a poll with a descriptor that is none.
 */
#include "tests/progs/target.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#define TURNS 20

static int ends[2];
static int queue;

static int by_poll(void)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};

    return poll(&fd, 1, 0);
}

/* As a program that is built with _FORTIFY_SOURCE calls it. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                const sigset_t *signals, size_t room);

static int by_poll_chk(void)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};

    return __poll_chk(&fd, 1, 0, sizeof fd);
}

static int by_ppoll(void)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};
    struct timespec none = {0, 0};

    return ppoll(&fd, 1, &none, NULL);
}

static int by_ppoll_chk(void)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};
    struct timespec none = {0, 0};

    return __ppoll_chk(&fd, 1, &none, NULL, sizeof fd);
}

static int by_select(void)
{
    struct timeval none = {0, 0};
    fd_set set;

    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return select(ends[0] + 1, &set, NULL, NULL, &none);
}

static int by_pselect(void)
{
    struct timespec none = {0, 0};
    fd_set set;

    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return pselect(ends[0] + 1, &set, NULL, NULL, &none, NULL);
}

static int by_epoll_wait(void)
{
    struct epoll_event event;

    return epoll_wait(queue, &event, 1, 0);
}

static int by_epoll_pwait(void)
{
    struct epoll_event event;

    return epoll_pwait(queue, &event, 1, 0, NULL);
}

static int by_epoll_pwait2(void)
{
    struct timespec none = {0, 0};
    struct epoll_event event;

    return epoll_pwait2(queue, &event, 1, &none, NULL);
}

static const struct {
    const char *name;
    int (*wait)(void);
} ways[] = {
    {"poll", by_poll},
    {"__poll_chk", by_poll_chk},
    {"ppoll", by_ppoll},
    {"__ppoll_chk", by_ppoll_chk},
    {"select", by_select},
    {"pselect", by_pselect},
    {"epoll_wait", by_epoll_wait},
    {"epoll_pwait", by_epoll_pwait},
    {"epoll_pwait2", by_epoll_pwait2},
};

TARGET static void loop(const char *name, int (*wait)(void))
{
    int ready = 0;
    char byte;

    for (int i = 0; i < TURNS; i++) {
        if (i % 2)
            must(write(ends[1], "x", 1) == 1);
        free(target_keep(malloc(10)));
        errno = 77;
        int got = wait();
        must(errno == 77);
        ready += got;
        must(got == i % 2);
        if (got > 0)
            must(read(ends[0], &byte, 1) == 1);
    }
    printf("%s: %d of %d turns\n", name, ready, TURNS);
}

static void on_alarm(int number)
{
    (void)number;
}

/* A signal ends the wait, and its handler is no restart. */
static void interrupted(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval soon = {.it_value = {0, 20000}};
    struct epoll_event event;

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    int got = poll(NULL, 0, -1);
    printf("poll: %d %s\n", got, strerror(errno));
    setitimer(ITIMER_REAL, &soon, NULL);
    got = epoll_wait(queue, &event, 1, -1);
    printf("epoll_wait: %d %s\n", got, strerror(errno));
    got = epoll_wait(-1, &event, 1, 0);
    printf("epoll_wait: %d %s\n", got, strerror(errno));
}

static bool cleaned;

static void clean(void *block)
{
    free(block);
    cleaned = true;
}

static void *waits(void *unused)
{
    void *block = malloc(33);

    (void)unused;
    pthread_cleanup_push(clean, block);
    poll(NULL, 0, -1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancelled(void)
{
    pthread_t thread;
    void *result;

    must(pthread_create(&thread, NULL, waits, NULL) == 0);
    usleep(20000);
    must(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
    printf("cancelled: %s, cleaned up: %s\n", result == PTHREAD_CANCELED ? "yes" : "no",
           cleaned ? "yes" : "no");
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    setvbuf(stdout, NULL, _IONBF, 0); /* no buffer is allocated in a loop */
    must(pipe(ends) == 0);
    queue = epoll_create1(0);
    must(queue >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event) == 0);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        loop(ways[i].name, ways[i].wait);
    interrupted();
    cancelled();
    expect("loop", "allocations=%d bytes=%d frees=%d", 9 * TURNS, 9 * TURNS * 10, 9 * TURNS);
    expect("waits", "allocations=1 bytes=33 frees=1");
    return 0;
}
