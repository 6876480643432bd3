/* SPDX-License-Identifier: MIT */
/*
 * attack_killed: allocates, polls and makes threads until it is killed. What it does it counts
 * itself, in a shared mapping of the file COUNTS, before each operation and after it: pairs of
 * 64-bit integers, begun and done. usage: attack_killed COUNTS [SEED]
 *
 *   0 polls   1 threads made   then for each maker: allocations, their bytes, releases
 */
#include "tests/progs/attack.h"
#include "tests/progs/target_sdl.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define MAKERS    4u /* the main thread is the first */
#define SIZE_MOST 512u
#define DEPTH     40u

enum { POLLS, THREADS, FIRST_MAKER };
enum { ALLOCATIONS, BYTES, RELEASES, KINDS };

struct pair {
    volatile uint64_t begun;
    volatile uint64_t done;
};

static struct pair *counts;
static unsigned long seed;

static struct pair *count_of(unsigned maker, unsigned kind)
{
    return &counts[FIRST_MAKER + KINDS * maker + kind];
}

static void begin(struct pair *count, uint64_t amount)
{
    count->begun += amount;
    __asm__ volatile("" : : : "memory");
}

static void end(struct pair *count, uint64_t amount)
{
    __asm__ volatile("" : : : "memory");
    count->done += amount;
}

/* The same frames for all makers but the outermost of them. */
ATTACK_FRAME static void *make_block(unsigned left, unsigned maker, unsigned size, void *old)
{
    void *block;

    if (left > 0) {
        block = make_block(left - 1, maker, size, old);
        attack_escape(block);
        return block;
    }
    begin(count_of(maker, ALLOCATIONS), 1);
    begin(count_of(maker, BYTES), size);
    begin(count_of(maker, RELEASES), old != NULL);
    block = old != NULL ? realloc(old, size) : malloc(size);
    end(count_of(maker, RELEASES), old != NULL);
    end(count_of(maker, BYTES), size);
    end(count_of(maker, ALLOCATIONS), 1);
    must(block != NULL);
    memset(block, 1, size);
    return block;
}

static void release(unsigned maker, void *block)
{
    begin(count_of(maker, RELEASES), block != NULL);
    free(block);
    end(count_of(maker, RELEASES), block != NULL);
}

static void make_some(struct attack_random *random, unsigned maker, unsigned count)
{
    void *blocks[8] = {NULL};

    for (unsigned i = 0; i < count; i++) {
        unsigned at = attack_next(random) % 8;
        unsigned size = 1 + attack_next(random) % SIZE_MOST;
        unsigned depth = attack_next(random) % DEPTH;
        bool again = attack_next(random) % 2 == 0;

        if (!again) {
            release(maker, blocks[at]);
            blocks[at] = NULL;
        }
        blocks[at] = make_block(depth, maker, size, blocks[at]);
    }
    for (unsigned i = 0; i < 8; i++)
        release(maker, blocks[i]);
}

#define MAKER(number)                                                                              \
    ATTACK_FRAME static void maker_##number(struct attack_random *random, unsigned count)          \
    {                                                                                              \
        make_some(random, number, count);                                                          \
        attack_escape(random);                                                                     \
    }

MAKER(0)
MAKER(1)
MAKER(2)
MAKER(3)

static void (*const volatile makers[MAKERS])(struct attack_random *, unsigned) = {maker_0, maker_1,
                                                                                  maker_2, maker_3};

static void *run_for_a_while(void *number)
{
    struct attack_random random = attack_seed(seed + (uintptr_t)number + counts[THREADS].begun);

    makers[(uintptr_t)number](&random, 20 + attack_next(&random) % 3000);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MAKERS];
    bool running[MAKERS] = {false};
    struct attack_random random;
    int file = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    must(file >= 0 && ftruncate(file, 4096) == 0);
    counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(counts != MAP_FAILED);
    close(file);
    seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    random = attack_seed(seed);
    target_start();
    for (unsigned long round = 0;; round++) {
        unsigned maker = 1 + attack_next(&random) % (MAKERS - 1);

        makers[0](&random, attack_next(&random) % 6);
        begin(&counts[POLLS], 1);
        target_poll(1);
        end(&counts[POLLS], 1);
        if (round % 64 != 0)
            continue;
        begin(&counts[THREADS], 1);
        if (running[maker])
            must(pthread_join(threads[maker], NULL) == 0);
        must(pthread_create(&threads[maker], NULL, run_for_a_while, (void *)(uintptr_t)maker) == 0);
        running[maker] = true;
        end(&counts[THREADS], 1);
    }
}
