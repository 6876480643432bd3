/* SPDX-License-Identifier: MIT */
#include "preload/index.h"

#include "tests/unit/rec_helper.h"

#define MANY 200000u

static struct ar_index table;

static int make(void **state)
{
    (void)state;
    return ar_index_start(&table) ? 0 : -1;
}

/* How often the entry is found under its hash: more than once where it has been moved. */
static unsigned times_found(uint64_t hash, uint64_t value)
{
    struct ar_index_probe probe = ar_index_probe(hash);
    unsigned times = 0;
    uint64_t found;

    while ((found = ar_index_next(&table, &probe)) != 0)
        times += found == value;
    return times;
}

/* Scattered, and each shared by four. */
static uint64_t hash_of(uint64_t value)
{
    return (value / 4) * UINT64_C(0x9fb21c651e98df25);
}

static void test_empty(void **state)
{
    (void)state;
    assert_int_equal(times_found(0, 1), 0);
    assert_int_equal(times_found(UINT64_MAX, 1), 0);
}

/* All that were added are found at every size and at every step between two sizes, nothing else. */
static void test_grows(void **state)
{
    (void)state;
    uint64_t size = table.size;
    unsigned grown = 0;

    for (uint64_t value = 1; value <= MANY; value++) {
        assert_true(ar_index_add(&table, hash_of(value), value));
        assert_int_equal(times_found(hash_of(value), value), 1);
        assert_int_equal(times_found(hash_of(value), value + 4), 0);
        assert_true(table.used * 2 <= table.size + 1);
        grown += table.size != size;
        size = table.size;
        for (uint64_t one = 1 + value % 97; one <= value; one += 997 + value)
            assert_in_range(times_found(hash_of(one), one), 1, 2);
        if (value % 8192 == 0 || (value < 3000 && value > 2000))
            for (uint64_t one = 1; one <= value; one++)
                assert_in_range(times_found(hash_of(one), one), 1, 2);
    }
    assert_true(grown >= 6);
    assert_null(table.old);
    for (uint64_t one = 1; one <= MANY; one++)
        assert_int_equal(times_found(hash_of(one), one), 1);
}

/* What one addition does is bounded, however large the table is. */
static void test_bounded(void **state)
{
    (void)state;
    for (uint64_t value = 1; value <= MANY; value++) {
        const struct ar_index before = table;

        assert_true(ar_index_add(&table, hash_of(value), value));
        if (before.old != NULL && before.old == table.old) {
            assert_true(table.moved - before.moved <= 8);
            assert_true(before.old_size - table.old_size <= 4096);
        } else if (before.old != NULL) {
            assert_null(table.old);
            assert_true(before.old_size <= 4096);
        }
    }
}

/* Hashes that end alike make one long chain, around the end of the table too. */
static void test_one_chain(void **state)
{
    (void)state;
    for (uint64_t value = 1; value <= 6000; value++)
        assert_true(ar_index_add(&table, (value << 32) | 0xfffff, value));
    for (uint64_t value = 1; value <= 6000; value++)
        assert_in_range(times_found((value << 32) | 0xfffff, value), 1, 2);
    assert_int_equal(times_found(0xfffff, 1), 0);
}

static void test_starts_anew(void **state)
{
    (void)state;
    for (uint64_t value = 1; value <= 2100; value++)
        assert_true(ar_index_add(&table, hash_of(value), value));
    assert_non_null(table.old);
    assert_true(ar_index_start(&table));
    assert_int_equal(table.used, 0);
    assert_int_equal(times_found(hash_of(1), 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_empty, make),
        cmocka_unit_test_setup(test_grows, make),
        cmocka_unit_test_setup(test_bounded, make),
        cmocka_unit_test_setup(test_one_chain, make),
        cmocka_unit_test_setup(test_starts_anew, make),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
