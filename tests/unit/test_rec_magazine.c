/* SPDX-License-Identifier: MIT */
#include "preload/magazine.h"
#include "preload/real.h"

#include "tests/unit/rec_helper.h"

#include <malloc.h>
#include <string.h>

REC_HOOK_SECTION

#define LIMIT ((uint64_t)16 << 20)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GLIBC 0 /* its malloc is not beneath */
#else
#define GLIBC 1
#endif

static unsigned mallocs;
static unsigned frees;
static unsigned fails_after; /* this many more; 0: never */
static bool odd;             /* blocks at odd multiples of 8 */

static void *counted_malloc(size_t size)
{
    if (fails_after == 1)
        return NULL;
    fails_after -= fails_after > 1;
    mallocs++;
    return odd ? (char *)malloc(size + 8) + 8 : malloc(size);
}

static void counted_free(void *block)
{
    frees++;
    free(odd ? (char *)block - 8 : block);
}

static int start(void **state)
{
    (void)state;
    ar_real.malloc = counted_malloc;
    ar_real.free = counted_free;
    mallocs = frees = fails_after = 0;
    odd = false;
    return 0;
}

/* What must hold at any time between two calls. */
static void check(const struct ar_magazine *magazine)
{
    uint64_t blocks = 0;
    uint64_t held = 0;
    uint64_t planned = 0;

    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++) {
        const struct ar_magazine_class *each = &magazine->classes[kind];
        uint64_t bytes = ar_magazine_class_bytes(kind);

        assert_true(each->count <= each->room);
        blocks += each->count;
        held += each->count * bytes;
        planned += each->target * bytes;
        for (uint32_t i = 0; i < each->count; i++) {
            assert_int_equal((uintptr_t)each->blocks[i] % 16, 0);
            assert_true(malloc_usable_size(each->blocks[i]) >= bytes);
        }
    }
    assert_int_equal(blocks, magazine->held_blocks);
    assert_int_equal(held, magazine->held_bytes);
    assert_int_equal(planned, magazine->planned_bytes);
    assert_true(planned <= magazine->limit_bytes);
    assert_false(magazine->busy);
}

static struct ar_magazine *filled(uint64_t limit)
{
    struct ar_magazine *magazine = ar_magazine_new(limit);

    assert_non_null(magazine);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(mallocs, magazine->held_blocks);
    assert_int_equal(magazine->refilled, mallocs);
    assert_int_equal(magazine->refills, 1);
    mallocs = 0;
    return magazine;
}

static void emptied(struct ar_magazine *magazine)
{
    ar_magazine_empty(magazine);
    assert_int_equal(magazine->held_blocks, 0);
    assert_int_equal(magazine->held_bytes, 0);
    assert_int_equal(magazine->waiting_bytes, 0);
}

static void test_classes(void **state)
{
    size_t before = 0;

    (void)state;
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++) {
        size_t bytes = ar_magazine_class_bytes(kind);

        assert_true(bytes > before);
        assert_int_equal(bytes % 16, 8); /* as glibc's, so that nothing is wasted in it */
        assert_int_equal(ar_magazine_class_of(bytes), kind);
        assert_int_equal(ar_magazine_class_of(before + 1), kind);
        before = bytes;
    }
    assert_int_equal(before, AR_MAGAZINE_LARGEST);
    assert_int_equal(ar_magazine_class_of(0), 0);
    assert_int_equal(ar_magazine_class_of(AR_MAGAZINE_LARGEST + 1), AR_MAGAZINE_CLASSES);
    assert_int_equal(ar_magazine_class_of(SIZE_MAX), AR_MAGAZINE_CLASSES);
    /* Small sizes get what glibc would have given them. */
    for (size_t size = 1; GLIBC && size <= 1032; size++) {
        void *block = malloc(size);

        assert_int_equal(ar_magazine_class_bytes(ar_magazine_class_of(size)),
                         malloc_usable_size(block));
        free(block);
    }
}

static void test_serves(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    void *blocks[AR_MAGAZINE_CLASSES];

    (void)state;
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++) {
        size_t size = ar_magazine_class_bytes(kind);

        blocks[kind] = ar_magazine_take(magazine, size);
        assert_non_null(blocks[kind]);
        memset(blocks[kind], 0x5a, size);
        check(magazine);
    }
    assert_int_equal(mallocs + frees, 0);
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++)
        assert_true(ar_magazine_put(magazine, blocks[kind], malloc_usable_size(blocks[kind])));
    check(magazine);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(mallocs + frees, 0);
    assert_int_equal(magazine->missing_bytes, 0);
    emptied(magazine);
}

/* A kind that was empty is filled to 5/4 of what was asked of it, and is not empty again. */
static void test_learns(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    static void *blocks[2000];
    unsigned kind = ar_magazine_class_of(200);
    unsigned first = magazine->classes[kind].target;

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        unsigned missed = 0;

        for (unsigned i = 0; i < 2000; i++) {
            blocks[i] = ar_magazine_take(magazine, 200);
            missed += blocks[i] == NULL;
            if (blocks[i] == NULL)
                blocks[i] = malloc(200);
        }
        assert_int_equal(missed, round == 0 ? 2000 - first : 0);
        assert_int_equal(magazine->missing, 2000 - first);
        assert_int_equal(magazine->missing_bytes, 200);
        for (unsigned i = 0; i < 2000; i++)
            assert_true(ar_magazine_put(magazine, blocks[i], malloc_usable_size(blocks[i])));
        assert_int_equal(frees, 0);
        ar_magazine_settle(magazine);
        check(magazine);
        assert_int_equal(magazine->classes[kind].target, 2501);
        frees = 0; /* those that had no place waited for this */
    }
    emptied(magazine);
}

/* Blocks that do not come back are replaced, one for one. */
static void test_replaces(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    void *kept[5];

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        kept[i] = ar_magazine_take(magazine, 1000);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(mallocs, 5);
    assert_int_equal(magazine->refills, 2);
    for (unsigned i = 0; i < 5; i++)
        free(kept[i]);
    emptied(magazine);
}

/* Blocks that come from elsewhere pile up no further than a little above the target. */
static void test_gives_back(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    unsigned kind = ar_magazine_class_of(2000);
    uint32_t target = magazine->classes[kind].target;

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        void *block = malloc(2000);

        assert_true(ar_magazine_put(magazine, block, malloc_usable_size(block)));
    }
    assert_int_equal(frees, 0);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(frees, 1000);
    assert_int_equal(magazine->given_back, 1000);
    assert_int_equal(magazine->classes[kind].count, target);
    emptied(magazine);
}

static void test_bounded(void **state)
{
    struct ar_magazine *magazine = filled((uint64_t)1 << 20);
    static void *blocks[1000];

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        blocks[i] = ar_magazine_take(magazine, 60000);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_true(magazine->held_bytes <= 1 << 20);
    assert_true(magazine->classes[ar_magazine_class_of(60000)].target > 2);
    for (unsigned i = 0; i < 1000; i++)
        free(blocks[i]);
    emptied(magazine);
}

/* What has no kind waits for the settle, up to a bound. */
static void test_large(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    void *large = malloc(1 << 20);

    (void)state;
    assert_null(ar_magazine_take(magazine, AR_MAGAZINE_LARGEST + 1));
    assert_int_equal(magazine->missing_bytes, 0);
    assert_true(ar_magazine_put(magazine, large, malloc_usable_size(large)));
    assert_int_equal(frees, 0);
    assert_true(ar_magazine_holds(magazine, large, malloc_usable_size(large)));
    ar_magazine_settle(magazine);
    assert_int_equal(frees, 1);
    large = malloc(AR_MAGAZINE_WAITING_MOST + 1);
    assert_false(ar_magazine_put(magazine, large, malloc_usable_size(large)));
    free(large);
    check(magazine);
    emptied(magazine);
}

static void test_holds(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    void *block = ar_magazine_take(magazine, 50);
    size_t usable = malloc_usable_size(block);

    (void)state;
    assert_false(ar_magazine_holds(magazine, block, usable));
    assert_true(ar_magazine_put(magazine, block, usable));
    assert_true(ar_magazine_holds(magazine, block, usable));
    emptied(magazine);
}

/* A signal handler in the middle of an operation. */
static void test_busy(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    void *block = malloc(100);

    (void)state;
    magazine->busy = true;
    assert_null(ar_magazine_take(magazine, 100));
    assert_false(ar_magazine_put(magazine, block, malloc_usable_size(block)));
    ar_magazine_settle(magazine);
    ar_magazine_empty(magazine);
    assert_int_equal(mallocs + frees, 0);
    magazine->busy = false;
    check(magazine);
    free(block);
    emptied(magazine);
}

static void test_no_memory(void **state)
{
    struct ar_magazine *magazine = ar_magazine_new(LIMIT);

    (void)state;
    fails_after = 101;
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(magazine->held_blocks, 100);
    fails_after = 0;
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++)
        free(ar_magazine_take(magazine, ar_magazine_class_bytes(kind)));
    ar_magazine_settle(magazine);
    check(magazine);
    assert_true(magazine->held_blocks > 3000);
    emptied(magazine);
}

/* An allocator that does not align its blocks to 16: none of them stands ready. */
static void test_not_aligned(void **state)
{
    struct ar_magazine *magazine = ar_magazine_new(LIMIT);
    void *block;

    (void)state;
    odd = true;
    ar_magazine_settle(magazine);
    assert_int_equal(magazine->held_blocks, 0);
    assert_int_equal(frees, mallocs);
    block = counted_malloc(100);
    assert_true(ar_magazine_put(magazine, block, 100));
    assert_int_equal(magazine->held_blocks, 0);
    ar_magazine_settle(magazine);
    assert_int_equal(frees, mallocs);
}

static void test_emptied_and_filled(void **state)
{
    struct ar_magazine *magazine = filled(LIMIT);
    uint64_t blocks = magazine->held_blocks;

    (void)state;
    emptied(magazine);
    assert_int_equal(frees, blocks);
    assert_int_equal(magazine->given_back, blocks);
    assert_true(magazine->touched);
    ar_magazine_settle(magazine);
    check(magazine);
    assert_int_equal(magazine->held_blocks, blocks);
    emptied(magazine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_classes, start),
        cmocka_unit_test_setup(test_serves, start),
        cmocka_unit_test_setup(test_learns, start),
        cmocka_unit_test_setup(test_replaces, start),
        cmocka_unit_test_setup(test_gives_back, start),
        cmocka_unit_test_setup(test_bounded, start),
        cmocka_unit_test_setup(test_large, start),
        cmocka_unit_test_setup(test_holds, start),
        cmocka_unit_test_setup(test_busy, start),
        cmocka_unit_test_setup(test_no_memory, start),
        cmocka_unit_test_setup(test_not_aligned, start),
        cmocka_unit_test_setup(test_emptied_and_filled, start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
