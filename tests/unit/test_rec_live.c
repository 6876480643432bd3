/* SPDX-License-Identifier: MIT */
#include "preload/live.h"

#include "tests/unit/rec_helper.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>

#define LEAF        ((uintptr_t)64 << 20)
#define SOME_LEAF   ((uintptr_t)0x7f1200000000)
#define OTHER_LEAF  ((uintptr_t)0x550000000000)
#define RACE_ROUNDS 200000u
#define RACE_PLACES 32u

/* The table never looks into a block: any address will do. */
static const void *at(uintptr_t address)
{
    return (const void *)address;
}

static void put(uintptr_t address, uint64_t size, uint32_t site, uint64_t tick)
{
    struct ar_live_block block = {.size = size, .tick = tick, .site = site};

    assert_true(ar_live_put(at(address), &block));
}

static void take(uintptr_t address, uint64_t size, uint32_t site, uint64_t tick)
{
    struct ar_live_block block;

    assert_true(ar_live_take(at(address), &block));
    assert_int_equal(block.size, size);
    assert_int_equal(block.site, site);
    assert_int_equal(block.tick, tick);
}

static void absent(uintptr_t address)
{
    struct ar_live_block block;

    assert_false(ar_live_take(at(address), &block));
}

static int start(void **state)
{
    (void)state;
    return ar_live_start() ? 0 : -1;
}

static int reset(void **state)
{
    (void)state;
    ar_live_reset();
    return 0;
}

static void test_unknown(void **state)
{
    (void)state;
    absent(SOME_LEAF);
    absent(0);
    put(SOME_LEAF + 32, 16, 1, 0);
    absent(SOME_LEAF);
    absent(SOME_LEAF + 16);
    absent(SOME_LEAF + 24);
    absent(SOME_LEAF + 40);
    absent(SOME_LEAF + 48);
    take(SOME_LEAF + 32, 16, 1, 0);
    absent(SOME_LEAF + 32);
}

/* Each size at its own place, and the least and greatest of what is kept beside it. */
static void test_sizes(void **state)
{
    static const uint64_t sizes[] = {0,
                                     1,
                                     7,
                                     8,
                                     15,
                                     16,
                                     17,
                                     24,
                                     31,
                                     32,
                                     33,
                                     4096,
                                     UINT32_MAX,
                                     (uint64_t)UINT32_MAX + 1,
                                     UINT64_C(5) << 32,
                                     (UINT64_C(1) << 47) + 3,
                                     (UINT64_C(1) << 62) - 1};
    static const uint32_t sites[] = {0, 1, AR_SITES_MOST - 1, AR_SITES_MOST};
    static const uint64_t ticks[] = {0, 1, AR_TICK_MASK - 1, AR_TICK_MASK};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < 16; k++) {
            put(SOME_LEAF + 64, sizes[i], sites[k / 4], ticks[k % 4]);
            take(SOME_LEAF + 64, sizes[i], sites[k / 4], ticks[k % 4]);
            absent(SOME_LEAF + 64);
        }
}

static void test_tick_wraps(void **state)
{
    struct ar_live_block block = {.size = 8, .tick = AR_TICK_MASK + 6, .site = 3};

    (void)state;
    assert_true(ar_live_put(at(SOME_LEAF), &block));
    take(SOME_LEAF, 8, 3, 5);
    block.size = 80;
    assert_true(ar_live_put(at(SOME_LEAF), &block));
    take(SOME_LEAF, 80, 3, 5);
}

/* A block that was never taken out, and whose address came back. */
static void test_put_over(void **state)
{
    (void)state;
    put(SOME_LEAF, 100, 1, 1);
    put(SOME_LEAF, 10, 2, 2);
    take(SOME_LEAF, 10, 2, 2);
    absent(SOME_LEAF);
    absent(SOME_LEAF + 16);
    put(SOME_LEAF, 10, 3, 3);
    put(SOME_LEAF, 1000, 4, 4);
    take(SOME_LEAF, 1000, 4, 4);
    absent(SOME_LEAF);
    absent(SOME_LEAF + 16);
}

/* What a large block leaves in its second word is nobody's block. */
static void test_left_behind(void **state)
{
    (void)state;
    for (uint64_t tick = 0; tick < 3; tick++) {
        put(SOME_LEAF, 1000, AR_SITES_MOST, AR_TICK_MASK - tick);
        take(SOME_LEAF, 1000, AR_SITES_MOST, AR_TICK_MASK - tick);
        absent(SOME_LEAF + 16);
    }
}

/* Neighbours of 8 bytes, as jemalloc packs them: all stand beside each other. */
static void test_packed(void **state)
{
    (void)state;
    for (uintptr_t i = 0; i < 4096; i++)
        put(SOME_LEAF + 8 * i, i % 9, (uint32_t)i, i);
    for (uintptr_t i = 0; i < 4096; i += 2)
        take(SOME_LEAF + 8 * i, i % 9, (uint32_t)i, i);
    for (uintptr_t i = 0; i < 4096; i++)
        if (i % 2 == 0)
            absent(SOME_LEAF + 8 * i);
        else
            take(SOME_LEAF + 8 * i, i % 9, (uint32_t)i, i);
}

/* Blocks at odd multiples of 8 that are larger than a word of the table: 24, 40 ... bytes apart. */
static void test_odd_eights(void **state)
{
    (void)state;
    for (uintptr_t i = 0; i < 1000; i++)
        put(SOME_LEAF + 24 * i, 24, (uint32_t)i, i);
    for (uintptr_t i = 0; i < 1000; i++)
        take(SOME_LEAF + 24 * i, 24, (uint32_t)i, i);
    for (uintptr_t i = 0; i < 3000; i++)
        absent(SOME_LEAF + 8 * i);
}

static void test_alignments(void **state)
{
    (void)state;
    for (unsigned shift = 3; shift < 47; shift++) {
        uintptr_t address = (uintptr_t)1 << shift;

        put(address, shift, shift, shift);
        put(address + 8, shift + 40u, shift + 1, shift);
        take(address, shift, shift, shift);
        take(address + 8, shift + 40u, shift + 1, shift);
    }
}

/* What the table does not cover is said. */
static void test_not_covered(void **state)
{
    struct ar_live_block block = {.size = 8, .site = 1};

    (void)state;
    for (uintptr_t offset = 1; offset < 8; offset++) {
        assert_false(ar_live_put(at(SOME_LEAF + offset), &block));
        absent(SOME_LEAF + offset);
    }
    assert_false(ar_live_put(at((uintptr_t)1 << 48), &block));
    assert_false(ar_live_put(at(UINTPTR_MAX - 7), &block));
    absent((uintptr_t)1 << 48);
    put(((uintptr_t)1 << 48) - 8, 8, 1, 0);
    take(((uintptr_t)1 << 48) - 8, 8, 1, 0);
}

/* The last places of a leaf: the second word is behind its end; and the first of the next. */
static void test_leaf_border(void **state)
{
    (void)state;
    for (uintptr_t leaf = OTHER_LEAF; leaf < OTHER_LEAF + 3 * LEAF; leaf += LEAF) {
        uintptr_t end = leaf + LEAF;

        put(end - 16, 100000, 1, 11);
        put(end - 8, 200000, 2, 12);
        put(end, 17, 3, 13);
        put(end + 8, 18, 4, 14);
        take(end - 16, 100000, 1, 11);
        take(end - 8, 200000, 2, 12);
        take(end, 17, 3, 13);
        take(end + 8, 18, 4, 14);
        put(end - 16, 16, 5, 15);
        put(end - 8, 16, 6, 16);
        take(end - 16, 16, 5, 15);
        take(end - 8, 16, 6, 16);
    }
    /* The links between leaves are behind those words: forgetting finds all of them. */
    put(OTHER_LEAF + LEAF - 16, 100, 7, 1);
    put(SOME_LEAF + LEAF - 16, 100, 8, 1);
    ar_live_reset();
    absent(OTHER_LEAF + LEAF - 16);
    absent(SOME_LEAF + LEAF - 16);
    put(OTHER_LEAF + LEAF - 16, 100, 9, 2);
    take(OTHER_LEAF + LEAF - 16, 100, 9, 2);
}

/* Pages of address space that the process has. */
static long pages_used(void)
{
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY);

    assert_true(file >= 0 && read(file, text, sizeof text - 1) > 0);
    close(file);
    return strtol(text, NULL, 10);
}

static void test_reset(void **state)
{
    long before = pages_used();

    (void)state;
    for (uintptr_t i = 0; i < 100; i++)
        put(SOME_LEAF + i * LEAF, i, 1, 1);
    ar_live_reset();
    assert_int_equal(pages_used(), before);
    for (uintptr_t i = 0; i < 100; i++)
        absent(SOME_LEAF + i * LEAF);
}

/* Two threads hand addresses to each other, as an allocator does: who takes one out of the pool
 * owns it, puts it, takes it out of the table, and gives it back. Their leaves are new to both, and
 * blocks of 40 bytes stand 56 apart, hence in both tables. */
struct race {
    uintptr_t places[RACE_PLACES]; /* 0: owned by one of them */
    uint64_t bytes_put[2];
    uint64_t bytes_taken[2];
    unsigned wrong;
};

static struct race race;

static void *race_on(void *number)
{
    uintptr_t self = (uintptr_t)number;
    uintptr_t mine = 0;
    uint64_t mine_size = 0;
    uint32_t mine_site = 0;

    for (unsigned i = 0; i < RACE_ROUNDS; i++) {
        unsigned place = (i * (unsigned)(7 + 4 * self)) % RACE_PLACES;
        struct ar_live_block block;

        if (mine != 0) {
            if (!ar_live_take(at(mine), &block) || block.size != mine_size ||
                block.site != mine_site)
                __atomic_fetch_add(&race.wrong, 1, __ATOMIC_RELAXED);
            race.bytes_taken[self] += block.size;
        }
        /* The exchange is the allocator's: it orders one owner's stores before the next one's. */
        mine = __atomic_exchange_n(&race.places[place], mine, __ATOMIC_ACQ_REL);
        if (mine == 0)
            continue;
        mine_size = i % 40;
        mine_site = (uint32_t)(2 * i + self) & AR_SITES_MOST;
        block = (struct ar_live_block){.size = mine_size, .tick = i, .site = mine_site};
        if (!ar_live_put(at(mine), &block))
            __atomic_fetch_add(&race.wrong, 1, __ATOMIC_RELAXED);
        race.bytes_put[self] += mine_size;
    }
    if (mine != 0) {
        struct ar_live_block block;

        if (!ar_live_take(at(mine), &block))
            __atomic_fetch_add(&race.wrong, 1, __ATOMIC_RELAXED);
        race.bytes_taken[self] += block.size;
    }
    return NULL;
}

static void test_race(void **state)
{
    pthread_t threads[2];

    (void)state;
    memset(&race, 0, sizeof race);
    for (unsigned i = 0; i < RACE_PLACES; i++)
        race.places[i] = 0x600000000000 + (i % 4) * LEAF + 56 * (i / 4);
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race_on, (void *)i), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(race.wrong, 0);
    assert_true(race.bytes_put[0] > 0 && race.bytes_put[1] > 0);
    assert_int_equal(race.bytes_put[0] + race.bytes_put[1],
                     race.bytes_taken[0] + race.bytes_taken[1]);
}

/* Both come to a part of the heap that has no table yet at the same moment. */
#define NEW_LEAVES 400u
static unsigned arrived;

static void *use_new_leaves(void *number)
{
    uintptr_t self = (uintptr_t)number;

    for (unsigned i = 0; i < NEW_LEAVES; i++) {
        uintptr_t address = SOME_LEAF + i * LEAF + 64 * self;
        struct ar_live_block block = {.size = i % 60, .site = i};

        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < 2 * (i + 1))
            continue;
        if (!ar_live_put(at(address), &block))
            __atomic_fetch_add(&race.wrong, 1, __ATOMIC_RELAXED);
    }
    for (unsigned i = 0; i < NEW_LEAVES; i++) {
        struct ar_live_block block;

        if (!ar_live_take(at(SOME_LEAF + i * LEAF + 64 * self), &block) || block.site != i)
            __atomic_fetch_add(&race.wrong, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void test_new_leaves(void **state)
{
    pthread_t threads[2];

    (void)state;
    memset(&race, 0, sizeof race);
    arrived = 0;
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_new_leaves, (void *)i), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(race.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_unknown, reset),
        cmocka_unit_test_teardown(test_sizes, reset),
        cmocka_unit_test_teardown(test_tick_wraps, reset),
        cmocka_unit_test_teardown(test_put_over, reset),
        cmocka_unit_test_teardown(test_left_behind, reset),
        cmocka_unit_test_teardown(test_packed, reset),
        cmocka_unit_test_teardown(test_odd_eights, reset),
        cmocka_unit_test_teardown(test_alignments, reset),
        cmocka_unit_test_teardown(test_not_covered, reset),
        cmocka_unit_test_teardown(test_leaf_border, reset),
        cmocka_unit_test_teardown(test_reset, reset),
        cmocka_unit_test_teardown(test_race, reset),
        cmocka_unit_test_teardown(test_new_leaves, reset),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
