/* SPDX-License-Identifier: MIT */
/*
 * waits.c: waits for events, by its first argument:
 *   idle MS       waits in vain for so long; prints how often it went to sleep
 *   latency N     a thread pushes N events, 12 to 20 ms apart; prints the median of what passed
 * from push to return, in ns, and how often it went to sleep same          prints what each wait
 * returned, event for event, and whether one was too early; by another thread: pushed, put into the
 * queue, in bursts, filtered, a user's watch signal        SIGINT comes while it waits for ever:
 * prints the event that it is told by again         SDL is shut down and set up again, then as same
 *   window MS     as idle, with a window
 *   joystick MS   as idle, with a virtual joystick; its button comes by pumping alone
 */
#include <SDL.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define LATENCIES_MOST 1000

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static long sleeps(void)
{
    struct rusage used;

    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
}

static void push(Sint32 code)
{
    SDL_Event event;

    memset(&event, 0, sizeof event);
    event.type = SDL_USEREVENT;
    event.user.code = code;
    SDL_PushEvent(&event);
}

static void put(Sint32 code)
{
    SDL_Event event;

    memset(&event, 0, sizeof event);
    event.type = SDL_USEREVENT + 1;
    event.user.code = code;
    SDL_PeepEvents(&event, 1, SDL_ADDEVENT, 0, 0);
}

static void idle(int milliseconds)
{
    SDL_Event event;
    long before;

    SDL_WaitEventTimeout(&event, 200);
    before = sleeps();
    while (SDL_WaitEventTimeout(&event, milliseconds))
        continue;
    printf("%ld\n", sleeps() - before);
}

static uint64_t pushed_ns;

static void *push_apart(void *data)
{
    unsigned state = 1;

    for (int i = 0; i < *(int *)data; i++) {
        state = state * 1103515245u + 12345u;
        usleep(12000 + state / 65536 % 8000);
        __atomic_store_n(&pushed_ns, now_ns(), __ATOMIC_SEQ_CST);
        push(i);
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

static void latency(int count)
{
    uint64_t took[LATENCIES_MOST];
    pthread_t thread;
    SDL_Event event;
    long before;

    count = count < LATENCIES_MOST ? count : LATENCIES_MOST;
    SDL_WaitEventTimeout(&event, 200);
    before = sleeps();
    pthread_create(&thread, NULL, push_apart, &count);
    for (int i = 0; i < count; i++) {
        do
            SDL_WaitEvent(&event);
        while (event.type != SDL_USEREVENT);
        took[i] = now_ns() - __atomic_load_n(&pushed_ns, __ATOMIC_SEQ_CST);
    }
    printf("%ld", sleeps() - before);
    pthread_join(thread, NULL);
    qsort(took, (size_t)count, sizeof took[0], compare);
    printf(" %llu\n", (unsigned long long)took[count / 2]);
}

static void say(const char *what, int result, const SDL_Event *event)
{
    printf("%s %d", what, result);
    if (result)
        printf(" %x %d", (unsigned)event->type,
               event->type >= SDL_USEREVENT ? (int)event->user.code : 0);
    putchar('\n');
}

static void *push_all(void *data)
{
    (void)data;
    usleep(150000);
    push(1);
    usleep(30000);
    put(2);
    usleep(30000);
    for (int i = 0; i < 100; i++)
        push(100 + i);
    push(-1); /* filtered */
    usleep(30000);
    push(3);
    return NULL;
}

static int filter(void *data, SDL_Event *event)
{
    (void)data;
    return event->type != SDL_USEREVENT || event->user.code >= 0;
}

static int told;

static int tell(void *data, SDL_Event *event)
{
    (void)data;
    told += event->type == SDL_USEREVENT;
    return 1;
}

static int early;

/* SDL itself counts in whole milliseconds, and may be early. */
static void waits_in_vain(int milliseconds)
{
    SDL_Event event;
    uint64_t begin = now_ns();
    int result = SDL_WaitEventTimeout(&event, milliseconds);

    printf("in vain %d: %d\n", milliseconds, result);
    early += now_ns() - begin < (uint64_t)milliseconds * 1000000;
}

static void same(void)
{
    SDL_Event event;
    pthread_t thread;

    waits_in_vain(120);
    told = 0;
    SDL_SetEventFilter(filter, NULL);
    SDL_AddEventWatch(tell, NULL);
    push(10);
    push(11);
    push(12);
    say("wait", SDL_WaitEvent(NULL), &(SDL_Event){.type = 0});
    say("wait", SDL_WaitEvent(&event), &event);
    say("poll", SDL_PollEvent(&event), &event);
    say("timeout", SDL_WaitEventTimeout(&event, 1000), &event);
    say("poll", SDL_PollEvent(&event), &event);
    pthread_create(&thread, NULL, push_all, NULL);
    for (int i = 0; i < 103; i++)
        say("wait", i % 2 ? SDL_WaitEvent(&event) : SDL_WaitEventTimeout(&event, 5000), &event);
    pthread_join(thread, NULL);
    for (int i = 1; i < 40; i += 7)
        waits_in_vain(i);
    say("timeout", SDL_WaitEventTimeout(&event, 0), &event);
    printf("told %d\nearly %d\n", told, early);
    SDL_DelEventWatch(tell, NULL);
    SDL_SetEventFilter(NULL, NULL);
}

static void *interrupt_later(void *data)
{
    usleep(200000);
    pthread_kill(*(pthread_t *)data, SIGINT);
    return NULL;
}

static void wait_for_signal(void)
{
    pthread_t self = pthread_self();
    pthread_t thread;
    SDL_Event event;

    SDL_WaitEventTimeout(&event, 120);
    pthread_create(&thread, NULL, interrupt_later, &self);
    say("wait", SDL_WaitEvent(&event), &event);
    pthread_join(thread, NULL);
}

#if SDL_VERSION_ATLEAST(2, 0, 14)
static SDL_Joystick *stick;

static void *press_later(void *data)
{
    (void)data;
    usleep(300000);
    SDL_JoystickSetVirtualButton(stick, 0, 1);
    return NULL;
}

static void wait_for_button(int milliseconds)
{
    pthread_t thread;
    SDL_Event event;

    SDL_InitSubSystem(SDL_INIT_JOYSTICK);
    stick = SDL_JoystickOpen(SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, 2, 4, 0));
    idle(milliseconds);
    pthread_create(&thread, NULL, press_later, NULL);
    say("wait", SDL_WaitEventTimeout(&event, 2000), &event);
    pthread_join(thread, NULL);
}
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    SDL_Event event;

    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return 1;
    while (SDL_PollEvent(&event))
        continue;
    if (strcmp(what, "window") == 0)
        SDL_CreateWindow("waits", 0, 0, 64, 64, 0);
    if (strcmp(what, "idle") == 0 || strcmp(what, "window") == 0)
        idle(number);
    else if (strcmp(what, "latency") == 0)
        latency(number);
    else if (strcmp(what, "signal") == 0)
        wait_for_signal();
    else if (strcmp(what, "joystick") == 0)
        wait_for_button(number);
    else
        same();
    if (strcmp(what, "again") == 0) {
        SDL_Quit();
        SDL_Init(SDL_INIT_VIDEO);
        same();
    }
    SDL_Quit();
    return 0;
}
