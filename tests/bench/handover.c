/* SPDX-License-Identifier: MIT */
/*
 * handover DEPTH BLOCKS BATCH: one thread allocates blocks of 64 bytes from a stack of DEPTH
 * frames, another frees them, each on a core of its own. A ring of 1,024 places lies between them,
 * and each tells the other how far it is after BATCH blocks (a divisor of 1,000 up to 500): with 1
 * they work on the same lines of memory, with 500 they are a frame of a game apart. Result ns:
 * nanoseconds a block, over chunks of 1,000, at the pace of the slower of the two. Result switches:
 * voluntary context switches for each 1,000 blocks, by locks or by the ring's sched_yield.
 */
#include "tests/bench/bench.h"
#include "tests/bench/path.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#define CHUNK  1000u
#define SIZE   64u
#define PLACES 1024u
#define SPINS  2000u

static void *ring[PLACES];
static _Alignas(64) atomic_size_t written;
static _Alignas(64) atomic_size_t taken;

struct work {
    size_t blocks;
    size_t batch;
    double *samples;
};

/* Spins, since both cores are at work; gives way when the other thread seems to have none. */
static void wait_for(const atomic_size_t *counter, size_t least)
{
    unsigned spins = 0;

    while (atomic_load_explicit(counter, memory_order_acquire) < least)
        if (++spins % SPINS == 0)
            sched_yield();
}

static void produce(void *argument)
{
    struct work *work = argument;
    uint64_t begin = bench_now_ns();

    for (size_t i = 0; i < work->blocks; i++) {
        void *block = malloc(SIZE);

        if (i % work->batch == 0 && i + work->batch > PLACES)
            wait_for(&taken, i + work->batch - PLACES);
        ring[i % PLACES] = block;
        if ((i + 1) % work->batch == 0)
            atomic_store_explicit(&written, i + 1, memory_order_release);
        if ((i + 1) % CHUNK == 0) {
            uint64_t now = bench_now_ns();

            work->samples[i / CHUNK] = (double)(now - begin) / CHUNK;
            begin = now;
        }
    }
}

static void consume(void *argument)
{
    struct work *work = argument;

    for (size_t i = 0; i < work->blocks; i++) {
        if (i % work->batch == 0)
            wait_for(&written, i + work->batch);
        free(ring[i % PLACES]);
        if ((i + 1) % work->batch == 0)
            atomic_store_explicit(&taken, i + 1, memory_order_release);
    }
}

/* The calling thread stays on the `which`-th of the cores that the process may use, if there is. */
static void stay_on_core(unsigned which)
{
    cpu_set_t all;
    cpu_set_t one;

    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &all) || which-- > 0)
            continue;
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

static void *run_consumer(void *argument)
{
    stay_on_core(1);
    path_call(16, 0, consume, argument);
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned depth = (unsigned)bench_number(argc, argv, 1, "DEPTH");
    size_t chunks = bench_number(argc, argv, 2, "BLOCKS") / CHUNK;
    size_t batch = bench_number(argc, argv, 3, "BATCH");
    struct work work = {chunks * CHUNK, batch, bench_samples(chunks + 1)};
    struct rusage usage;
    pthread_t consumer;

    bench_poll();
    if (chunks == 0 || batch == 0 || batch > PLACES / 2 || CHUNK % batch != 0 ||
        pthread_create(&consumer, NULL, run_consumer, &work) != 0)
        return 1;
    stay_on_core(0);
    path_call(depth, 0, produce, &work);
    pthread_join(consumer, NULL);
    getrusage(RUSAGE_SELF, &usage);
    bench_result_samples("ns", work.samples, chunks);
    bench_result("switches", (double)usage.ru_nvcsw / (double)chunks);
    return 0;
}
