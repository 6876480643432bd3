/* SPDX-License-Identifier: MIT */
/*
 * first_malloc THREADS: what the first malloc of a new thread costs, in nanoseconds (result ns).
 * The threads stay until the end, so that nothing of one is used again for the next; each is
 * started when the one before it has been measured.
 */
#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static size_t measured;
static int over;

static void *run_thread(void *argument)
{
    double *ns = argument;
    uint64_t begin = bench_now_ns();
    void *block = malloc(64);

    BENCH_USE(block);
    *ns = (double)(bench_now_ns() - begin);
    free(block);
    pthread_mutex_lock(&lock);
    measured++;
    pthread_cond_broadcast(&changed);
    while (!over)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    size_t count = bench_number(argc, argv, 1, "THREADS");
    double *samples = bench_samples(count + 1);
    pthread_t *threads = calloc(count + 1, sizeof *threads);

    bench_poll();
    if (count == 0 || threads == NULL)
        return 1;
    for (size_t i = 0; i < count; i++) {
        if (pthread_create(&threads[i], NULL, run_thread, &samples[i]) != 0)
            return 1;
        pthread_mutex_lock(&lock);
        while (measured <= i)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    over = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    bench_result_samples("ns", samples, count);
    return 0;
}
