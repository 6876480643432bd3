/* SPDX-License-Identifier: MIT */
/*
 * pairs DEPTH PAIRS THREADS: what one malloc and free of 64 bytes cost, from a stack of DEPTH
 * frames, in nanoseconds (result ns). The block is given back at once, so that the allocator
 * beneath is at its fastest and what a tool adds is seen whole.
 *
 * THREADS 0: on the main thread, with a poll after each 1,000 pairs, as in the loop of a busy game.
 * THREADS n: n threads at once, each PAIRS pairs, without polls; the result is the mean of the
 * threads' medians.
 */
#include "tests/bench/bench.h"
#include "tests/bench/path.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define CHUNK       1000u
#define SIZE        64u
#define THREADS_MAX 64u

struct work {
    unsigned depth;
    bool polls;
    size_t chunks;
    double *samples;
    pthread_barrier_t *together;
    pthread_t thread;
};

static void measure(void *argument)
{
    struct work *work = argument;

    for (size_t chunk = 0; chunk < work->chunks; chunk++) {
        uint64_t begin = bench_now_ns();

        for (unsigned i = 0; i < CHUNK; i++) {
            void *block = malloc(SIZE);

            BENCH_USE(block);
            free(block);
        }
        if (work->polls)
            bench_poll();
        work->samples[chunk] = (double)(bench_now_ns() - begin) / CHUNK;
    }
}

static void *run_thread(void *argument)
{
    struct work *work = argument;

    pthread_barrier_wait(work->together);
    path_call(work->depth, 0, measure, work);
    return NULL;
}

/* The samples of all threads lie one behind the other: their median is that of all chunks. */
static void run_threads(const struct work *each, unsigned count)
{
    static struct work works[THREADS_MAX];
    pthread_barrier_t together;

    pthread_barrier_init(&together, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        works[i] = *each;
        works[i].samples += i * each->chunks;
        works[i].together = &together;
        if (pthread_create(&works[i].thread, NULL, run_thread, &works[i]) != 0)
            exit(1);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(works[i].thread, NULL);
}

int main(int argc, char **argv)
{
    unsigned depth = (unsigned)bench_number(argc, argv, 1, "DEPTH");
    size_t chunks = bench_number(argc, argv, 2, "PAIRS") / CHUNK;
    unsigned threads = (unsigned)bench_number(argc, argv, 3, "THREADS");
    size_t count = chunks * (threads > 0 ? threads : 1);
    struct work work = {.depth = depth, .polls = threads == 0, .chunks = chunks};

    bench_poll();
    if (count == 0 || threads > THREADS_MAX)
        return 0;
    work.samples = bench_samples(count);
    if (threads == 0)
        path_call(depth, 0, measure, &work);
    else
        run_threads(&work, threads);
    bench_result_samples("ns", work.samples, count);
    return 0;
}
