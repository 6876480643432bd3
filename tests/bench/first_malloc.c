/* SPDX-License-Identifier: MIT */
/*
 * first_malloc THREADS: what the first malloc of a new thread costs, in nanoseconds (result ns).
 * The threads stay until the end, so that nothing of one is used again for the next; each is
 * started when the one before it has been measured.
 */
#include "tests/bench/bench.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t measured;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* held by main until the end */

static void *run_thread(void *argument)
{
    double *ns = argument;
    uint64_t begin = bench_now_ns();
    void *block = malloc(64);

    BENCH_USE(block);
    *ns = (double)(bench_now_ns() - begin);
    free(block);
    sem_post(&measured);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return NULL;
}

int main(int argc, char **argv)
{
    size_t count = bench_number(argc, argv, 1, "THREADS");
    double *samples = bench_samples(count + 1);
    pthread_t *threads = calloc(count + 1, sizeof *threads);

    bench_poll();
    if (count == 0 || threads == NULL || sem_init(&measured, 0, 0) != 0)
        return 1;
    pthread_mutex_lock(&gate);
    for (size_t i = 0; i < count; i++) {
        if (pthread_create(&threads[i], NULL, run_thread, &samples[i]) != 0)
            return 1;
        while (sem_wait(&measured) != 0)
            ;
    }
    pthread_mutex_unlock(&gate);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    bench_result_samples("ns", samples, count);
    return 0;
}
