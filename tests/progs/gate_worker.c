/* SPDX-License-Identifier: MIT */
/* gate_worker: a worker allocates all the while, the loop never does: 10000 polls. */
#include "tests/progs/target_sdl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool over;
static atomic_uint turns;

TARGET static void worker_makes(void)
{
    free(target_keep(malloc(100)));
}

static void *work(void *unused)
{
    must(pthread_setname_np(pthread_self(), "worker") == 0);
    while (!atomic_load(&over)) {
        worker_makes();
        atomic_fetch_add(&turns, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;

    target_start();
    must(pthread_create(&thread, NULL, work, NULL) == 0);
    for (int i = 0; i < 10000; i++) {
        unsigned before = atomic_load(&turns);
        target_poll(1);
        while (i % 100 == 0 && atomic_load(&turns) == before)
            ; /* it allocates in every part of the run */
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    return 0;
}
