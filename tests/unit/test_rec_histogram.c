/* SPDX-License-Identifier: MIT */
#include "preload/histogram.h"

#include "tests/unit/rec_helper.h"

#include <string.h>

static struct dump_histogram one;
static struct dump_histogram other;

static int clear(void **state)
{
    (void)state;
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    return 0;
}

/* The bucket that counts `value` alone. */
static unsigned bucket_of(uint64_t value)
{
    unsigned found = DUMP_HISTOGRAM_BUCKETS;

    memset(&one, 0, sizeof one);
    ar_histogram_add(&one, value, 1);
    for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++) {
        if (one.bucket[i] == 0)
            continue;
        assert_int_equal(one.bucket[i], 1);
        assert_int_equal(found, DUMP_HISTOGRAM_BUCKETS);
        found = i;
    }
    assert_true(found < DUMP_HISTOGRAM_BUCKETS);
    return found;
}

/* FORMAT.md: bucket i >= 16 begins at (16 + i mod 16) << (i / 16 - 1). */
static uint64_t begin_of(unsigned bucket)
{
    return bucket < 16 ? bucket : (uint64_t)(16 + bucket % 16) << (bucket / 16 - 1);
}

static void test_every_bound(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++) {
        assert_int_equal(bucket_of(begin_of(i)), i);
        assert_int_equal(bucket_of(begin_of(i + 1) - 1), i);
    }
    assert_int_equal(begin_of(DUMP_HISTOGRAM_BUCKETS), UINT64_C(1) << 48);
}

static void test_width(void **state)
{
    (void)state;
    for (unsigned i = 16; i < DUMP_HISTOGRAM_BUCKETS; i++)
        assert_true(16 * (begin_of(i + 1) - begin_of(i)) <= begin_of(i));
}

static void test_beyond(void **state)
{
    (void)state;
    assert_int_equal(bucket_of((UINT64_C(1) << 48) - 1), DUMP_HISTOGRAM_BUCKETS - 1);
    for (unsigned shift = 48; shift < 64; shift++)
        assert_int_equal(bucket_of(UINT64_C(1) << shift), DUMP_HISTOGRAM_BUCKETS - 1);
    assert_int_equal(bucket_of(UINT64_MAX), DUMP_HISTOGRAM_BUCKETS - 1);
    assert_int_equal(one.most, UINT64_MAX);
    assert_int_equal(one.least, UINT64_MAX);
}

static void test_sums(void **state)
{
    (void)state;
    ar_histogram_add(&one, 7, 3);
    assert_int_equal(one.least, 7);
    ar_histogram_add(&one, 1000, 2);
    ar_histogram_add(&one, 0, 1);
    assert_int_equal(one.count, 6);
    assert_int_equal(one.sum, 2021);
    assert_int_equal(one.least, 0);
    assert_int_equal(one.most, 1000);
    assert_int_equal(one.bucket[7], 3);
    assert_int_equal(one.bucket[0], 1);
}

static void check_empty(const struct dump_histogram *histogram)
{
    assert_int_equal(histogram->count, 0);
    assert_int_equal(histogram->sum, 0);
    for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++)
        assert_int_equal(histogram->bucket[i], 0);
}

static void test_move(void **state)
{
    (void)state;
    ar_histogram_add(&one, 5, 2);
    ar_histogram_add(&one, 300, 1);
    ar_histogram_move(&other, &one);
    check_empty(&one);
    assert_int_equal(other.count, 3);
    assert_int_equal(other.sum, 310);
    assert_int_equal(other.least, 5);
    assert_int_equal(other.most, 300);
    /* What was emptied begins anew, and adds to what was there. */
    ar_histogram_add(&one, 40, 1);
    assert_int_equal(one.least, 40);
    assert_int_equal(one.most, 40);
    ar_histogram_move(&other, &one);
    assert_int_equal(other.count, 4);
    assert_int_equal(other.sum, 350);
    assert_int_equal(other.least, 5);
    assert_int_equal(other.most, 300);
    ar_histogram_add(&one, 2, 1);
    ar_histogram_add(&one, 9000, 1);
    ar_histogram_move(&other, &one);
    assert_int_equal(other.least, 2);
    assert_int_equal(other.most, 9000);
}

static void test_move_nothing(void **state)
{
    (void)state;
    ar_histogram_add(&other, 12, 1);
    ar_histogram_move(&other, &one);
    assert_int_equal(other.count, 1);
    assert_int_equal(other.least, 12);
    assert_int_equal(other.most, 12);
    ar_histogram_move(&one, &other);
    ar_histogram_move(&other, &one);
    assert_int_equal(other.least, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_bound, clear),
        cmocka_unit_test_setup(test_width, clear),
        cmocka_unit_test_setup(test_beyond, clear),
        cmocka_unit_test_setup(test_sums, clear),
        cmocka_unit_test_setup(test_move, clear),
        cmocka_unit_test_setup(test_move_nothing, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
