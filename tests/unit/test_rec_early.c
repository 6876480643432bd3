/* SPDX-License-Identifier: MIT */
#include "preload/early.h"

#include "tests/unit/rec_helper.h"

#include <pthread.h>
#include <string.h>

#define ARENA  ((size_t)8 << 20)
#define BLOCKS 200u

static void *get(size_t size, size_t alignment)
{
    void *block = ar_early_alloc(size, alignment);

    assert_non_null(block);
    assert_true(ar_early_owns(block));
    assert_true(ar_early_usable_size(block) >= size);
    assert_int_equal((uintptr_t)block % (alignment < 16 ? 16 : alignment), 0);
    return block;
}

static bool is_zero(const void *block, size_t size)
{
    const unsigned char *bytes = block;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Each size and alignment, all at once: none lies over another. */
static void test_apart(void **state)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 100, 4096, 5000};
    unsigned char *blocks[BLOCKS];
    size_t lengths[BLOCKS];
    unsigned count = 0;

    (void)state;
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            blocks[count] = get(sizes[i], alignment);
            lengths[count] = ar_early_usable_size(blocks[count]);
            assert_true(is_zero(blocks[count], sizes[i]));
            memset(blocks[count], (int)count, lengths[count]);
            count++;
        }
    for (unsigned i = 0; i < count; i++) {
        for (size_t k = 0; k < lengths[i]; k++)
            assert_int_equal(blocks[i][k], i & 0xff);
        ar_early_free(blocks[i]);
    }
}

static void test_reuse(void **state)
{
    unsigned char *first = get(100, 16);
    void *second;

    (void)state;
    memset(first, 0xff, 100);
    ar_early_free(first);
    second = get(120, 16); /* of the same class of sizes */
    assert_ptr_equal(second, first);
    assert_true(is_zero(second, 120));
    assert_ptr_not_equal(get(120, 16), first);
}

/* A loop that gives back what it takes never uses the arena up. */
static void test_reuse_without_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4 * ARENA / 4096; i++)
        ar_early_free(get(4000, 16));
    for (unsigned i = 0; i < 2000; i++) {
        void *block = ar_early_realloc(NULL, 10);

        for (size_t size = 20; size < 20000; size *= 3) {
            block = ar_early_realloc(block, size);
            assert_non_null(block);
        }
        ar_early_free(block);
    }
}

static void test_growth(void **state)
{
    unsigned char *block = ar_early_realloc(NULL, 30);
    unsigned char *grown;

    (void)state;
    assert_non_null(block);
    for (unsigned i = 0; i < 30; i++)
        block[i] = (unsigned char)i;
    assert_ptr_equal(ar_early_realloc(block, 32), block);
    assert_ptr_equal(ar_early_realloc(block, 1), block);
    grown = ar_early_realloc(block, 3000);
    assert_ptr_not_equal(grown, block);
    for (unsigned i = 0; i < 30; i++)
        assert_int_equal(grown[i], i);
    assert_true(ar_early_usable_size(grown) >= 3000);
    assert_ptr_equal(get(30, 16), block);
    ar_early_free(grown);
}

static void test_owns(void **state)
{
    int local;
    char *block = get(64, 16);

    (void)state;
    assert_false(ar_early_owns(NULL));
    assert_false(ar_early_owns(&local));
    assert_false(ar_early_owns((void *)UINTPTR_MAX));
    assert_true(ar_early_owns(block + 63));
    ar_early_free(block);
}

/* It ends with NULL, and what was given back serves again. */
static void test_used_up(void **state)
{
    void *last = NULL;
    unsigned count = 0;

    (void)state;
    assert_null(ar_early_alloc(ARENA + 1, 16));
    assert_null(ar_early_alloc(SIZE_MAX, 16));
    assert_null(ar_early_alloc(16, (size_t)1 << 40));
    for (;;) {
        void *block = ar_early_alloc(65536, 16);

        if (block == NULL)
            break;
        last = block;
        assert_true(++count <= ARENA / 65536);
    }
    assert_true(count > ARENA / 65536 / 4);
    assert_null(ar_early_realloc(NULL, 65536));
    ar_early_free(last);
    assert_ptr_equal(ar_early_alloc(65536, 16), last);
}

static unsigned clashes;

static void *take_and_give(void *mark)
{
    for (unsigned i = 0; i < 20000; i++) {
        size_t size = 1 + i % 200;
        unsigned char *block = ar_early_alloc(size, 16);

        if (block == NULL)
            continue;
        memset(block, (int)(uintptr_t)mark, size);
        for (size_t k = 0; k < size; k++)
            if (block[k] != (unsigned char)(uintptr_t)mark)
                __atomic_fetch_add(&clashes, 1, __ATOMIC_RELAXED);
        ar_early_free(block);
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[2];

    (void)state;
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, (void *)(i + 1)), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(clashes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads), cmocka_unit_test(test_apart),
        cmocka_unit_test(test_reuse),   cmocka_unit_test(test_reuse_without_end),
        cmocka_unit_test(test_growth),  cmocka_unit_test(test_owns),
        cmocka_unit_test(test_used_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
