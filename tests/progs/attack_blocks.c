/* SPDX-License-Identifier: MIT */
/*
 * attack_blocks: blocks of all kinds, made by one function each, all released at the end: tiny ones
 * that an allocator packs, each alignment, some of gigabytes, some grown in place and moved, and
 * addresses that go back and forth between two threads as fast as they can.
 */
#include "tests/progs/attack.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

#define TINY     20000u
#define PASSED   200000u
#define PLACES   64u
#define GIGABYTE ((size_t)1 << 30)

static void *blocks[TINY];

static unsigned shuffled(unsigned i, unsigned count)
{
    return (unsigned)((i * 7919ul) % count);
}

ATTACK_FRAME static void tiny_makes(void)
{
    unsigned long bytes = 0;

    for (unsigned i = 0; i < TINY; i++) {
        blocks[i] = attack_keep(malloc(i % 10));
        must(blocks[i] != NULL);
        bytes += i % 10;
    }
    for (unsigned i = 0; i < TINY; i++)
        free(blocks[shuffled(i, TINY)]);
    expect("tiny_makes", "allocations=%u bytes=%lu frees=%u live_bytes=0 live_blocks=0", TINY,
           bytes, TINY);
}

ATTACK_FRAME static void aligned_makes(void)
{
    unsigned long count = 0;
    unsigned long bytes = 0;

    for (unsigned shift = 3; shift <= 22; shift++) {
        for (size_t size = 1; size < 5000; size = size * 3 + 1) {
            void *block = memalign((size_t)1 << shift, size);

            must(block != NULL && (uintptr_t)block % ((size_t)1 << shift) == 0);
            blocks[count++] = block;
            bytes += size;
        }
    }
    for (unsigned i = 0; i < count; i++)
        free(blocks[i]);
    expect("aligned_makes", "allocations=%lu bytes=%lu frees=%lu live_bytes=0 live_blocks=0", count,
           bytes, count);
}

ATTACK_FRAME static void huge_makes(void)
{
    unsigned long count = 0;
    unsigned long bytes = 0;

    for (size_t size = GIGABYTE / 8; size <= 8 * GIGABYTE; size *= 2) {
        for (unsigned more = 0; more < 2; more++) {
            void *block = attack_keep(malloc(size + more));

            if (block == NULL) /* where the kernel promises no more than it has */
                continue;
            free(block);
            count++;
            bytes += size + more;
        }
    }
    must(count > 0);
    expect("huge_makes", "allocations=%lu bytes=%lu frees=%lu live_bytes=0 live_blocks=0", count,
           bytes, count);
}

ATTACK_FRAME static void grown_makes(void)
{
    unsigned long count = 0;
    unsigned long bytes = 0;

    for (unsigned i = 0; i < 200; i++) {
        void *block = NULL;

        for (size_t size = 1; size < 3000000; size += size / (1 + i % 5) + 1) {
            block = realloc(block, size);
            must(block != NULL);
            count++;
            bytes += size;
        }
        block = realloc(block, 10);
        must(block != NULL);
        free(block);
        count++;
        bytes += 10;
    }
    expect("grown_makes", "allocations=%lu bytes=%lu frees=%lu live_bytes=0 live_blocks=0", count,
           bytes, count);
}

static void *places[PLACES];

/* Each takes out what the other has put in, and releases it: the allocator gives out the same
 * addresses again, on either thread, at once. */
ATTACK_FRAME static void *passed_makes(void *number)
{
    for (unsigned i = 0; i < PASSED; i++) {
        unsigned place = (i * (unsigned)(3 + 2 * (uintptr_t)number)) % PLACES;
        size_t size = 1 + i % 40;

        free(__atomic_exchange_n(&places[place], malloc(size), __ATOMIC_ACQ_REL));
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    tiny_makes();
    aligned_makes();
    huge_makes();
    grown_makes();
    for (uintptr_t i = 0; i < 2; i++)
        must(pthread_create(&threads[i], NULL, passed_makes, (void *)i) == 0);
    for (unsigned i = 0; i < 2; i++)
        must(pthread_join(threads[i], NULL) == 0);
    for (unsigned i = 0; i < PLACES; i++)
        free(places[i]);
    expect("passed_makes", "allocations=%u frees=%u live_bytes=0 live_blocks=0", 2 * PASSED,
           2 * PASSED);
    return 0;
}
