/* SPDX-License-Identifier: MIT */
/*
 * threads: four threads allocate, each 1000 blocks of 32 bytes; they free half of them themselves
 * and the main thread, which polls, frees the other half.
 */
#include "tests/progs/target_sdl.h"

#include <pthread.h>

#define THREADS 4
#define BLOCKS  1000

static void *blocks[THREADS][BLOCKS];

TARGET static void *thread_makes(void *mine)
{
    void **block = mine;

    for (int i = 0; i < BLOCKS; i++)
        block[i] = malloc(32);
    for (int i = 0; i < BLOCKS; i += 2) {
        free(block[i]);
        block[i] = NULL;
    }
    return NULL;
}

TARGET static void main_makes(void)
{
    for (int i = 0; i < 10; i++) {
        free(target_keep(malloc(1000)));
        target_poll(10);
    }
}

int main(void)
{
    pthread_t threads[THREADS];

    target_start();
    target_poll(5);
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, thread_makes, blocks[i]) == 0);
    main_makes();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < BLOCKS; k++)
            free(blocks[i][k]);
    target_poll(5);
    SDL_Quit();
    expect("thread_makes", "allocations=4000 bytes=128000 frees=4000 live_bytes=0 live_blocks=0");
    expect("main_makes", "allocations=10 bytes=10000 frees=10");
    return 0;
}
