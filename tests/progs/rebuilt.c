/* SPDX-License-Identifier: MIT */
/*
 * rebuilt: 2000 polls; one function allocates before each, one before each fiftieth, one once.
 * Built again with other macros it is another build of the same program: MOVED    its code lies
 * elsewhere, with other functions between EXTRA=N  the first one asks for N bytes more ADDED    one
 * more function allocates, before each hundredth poll WORKER   a thread that never polls allocates
 * too CALLER   the first one is called through one more function POLLS=N  polls
 */
#include "tests/progs/target_sdl.h"

#include <pthread.h>
#include <stdatomic.h>

#ifndef EXTRA
#define EXTRA 0
#endif
#ifndef POLLS
#define POLLS 2000
#endif

#ifdef MOVED
/* Called from main, so that they are kept. */
#define FILL(name)                                                                                 \
    TARGET static int name(int x)                                                                  \
    {                                                                                              \
        for (int i = 0; i < x; i++)                                                                \
            x ^= i * 40503 + x % 7;                                                                \
        return x;                                                                                  \
    }                                                                                              \
    _Static_assert(1, "a name")

FILL(fill_first);
FILL(fill_second);
FILL(fill_third);

TARGET static void once_makes(void)
{
    free(target_keep(malloc(100000)));
}

TARGET static void fiftieth_makes(void)
{
    free(target_keep(malloc(64)));
}
#endif

TARGET static void every_makes(void)
{
    free(target_keep(malloc(16 + EXTRA)));
}

#ifndef MOVED
TARGET static void fiftieth_makes(void)
{
    free(target_keep(malloc(64)));
}

TARGET static void once_makes(void)
{
    free(target_keep(malloc(100000)));
}
#endif

#ifdef CALLER
TARGET static void calls(void)
{
    every_makes();
    target_keep(NULL);
}
#define every_makes calls
#endif

#ifdef ADDED
TARGET static void added_makes(void)
{
    free(target_keep(malloc(1)));
}
#endif

#ifdef WORKER
static atomic_int worker_stops;

TARGET static void worker_makes(void)
{
    free(target_keep(malloc(32)));
}

static void *work(void *data)
{
    while (!atomic_load(&worker_stops)) {
        worker_makes();
        usleep(100);
    }
    return data;
}
#endif

static void turn(int i)
{
    every_makes();
    if (i % 50 == 0)
        fiftieth_makes();
    if (i == POLLS - POLLS / 4)
        once_makes();
#ifdef ADDED
    if (i % 100 == 0)
        added_makes();
#endif
#ifdef WORKER
    if (i % 10 == 0)
        usleep(100);
#endif
    target_poll(1);
}

int main(void)
{
    target_start();
#ifdef MOVED
    must(fill_first(3) + fill_second(4) + fill_third(5) != 12345);
#endif
#ifdef WORKER
    pthread_t worker;
    must(pthread_create(&worker, NULL, work, NULL) == 0);
#endif
    for (int i = 0; i < POLLS; i++)
        turn(i);
#ifdef WORKER
    usleep(20000);
    atomic_store(&worker_stops, 1);
    pthread_join(worker, NULL);
#endif
    SDL_Quit();
    return 0;
}
