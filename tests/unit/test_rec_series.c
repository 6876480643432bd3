/* SPDX-License-Identifier: MIT */
#include "preload/series.h"

#include "preload/mapfile.h"
#include "tests/unit/rec_helper.h"

static struct ar_series series;

static int make(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    ar_series_make(&series, DUMP_SERIES_FRAME_BYTES, 3, 7, 0);
    return series.histograms != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    ar_mapfile_abandon();
    return 0;
}

static const struct dump_histogram *histogram(enum dump_series which, enum dump_slot slot)
{
    for (unsigned i = 0; i < 3 * DUMP_SLOTS; i++)
        if (series.histograms[i].series == (uint32_t)which &&
            series.histograms[i].slot == (uint32_t)slot)
            return &series.histograms[i];
    return NULL;
}

static void test_made(void **state)
{
    (void)state;
    for (unsigned which = 5; which < 8; which++)
        for (unsigned slot = 0; slot < DUMP_SLOTS; slot++) {
            const struct dump_histogram *one =
                histogram((enum dump_series)which, (enum dump_slot)slot);

            assert_non_null(one);
            assert_int_equal(one->thread, 7);
            assert_int_equal(one->loop, 0);
            assert_int_equal(one->count, 0);
        }
}

static void test_add(void **state)
{
    (void)state;
    ar_series_add(&series, DUMP_SERIES_FRAME_NS, 12);
    ar_series_add(&series, DUMP_SERIES_FRAME_BYTES, 3);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_LATER)->sum, 12);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_BYTES, DUMP_SLOT_LATER)->sum, 3);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_ALLOCATIONS, DUMP_SLOT_LATER)->count, 0);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_EARLIER)->count, 0);
}

/* The shares add up to the total, whatever remains. */
static void test_share(void **state)
{
    const struct dump_histogram *later;

    (void)state;
    for (uint64_t times = 1; times < 20; times++)
        for (uint64_t total = 0; total < 50; total += 7) {
            uint64_t count;
            uint64_t sum;

            later = histogram(DUMP_SERIES_FRAME_BYTES, DUMP_SLOT_LATER);
            count = later->count;
            sum = later->sum;
            ar_series_share(&series, DUMP_SERIES_FRAME_BYTES, total, times);
            assert_int_equal(later->count, count + times);
            assert_int_equal(later->sum, sum + total);
        }
    later = histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_LATER);
    ar_series_share(&series, DUMP_SERIES_FRAME_NS, 100, 0);
    assert_int_equal(later->count, 0);
    ar_series_share(&series, DUMP_SERIES_FRAME_NS, 10, 4);
    assert_int_equal(later->bucket[2], 3);
    assert_int_equal(later->bucket[4], 1);
}

static void test_rotate(void **state)
{
    (void)state;
    ar_series_add(&series, DUMP_SERIES_FRAME_NS, 1);
    ar_series_rotate(&series);
    ar_series_add(&series, DUMP_SERIES_FRAME_NS, 2);
    ar_series_add(&series, DUMP_SERIES_FRAME_BYTES, 50);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_EARLIER)->sum, 1);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_LATER)->sum, 2);
    ar_series_rotate(&series);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_WARMUP)->sum, 1);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_EARLIER)->sum, 2);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_LATER)->count, 0);
    ar_series_rotate(&series);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_WARMUP)->sum, 3);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_WARMUP)->count, 2);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_BYTES, DUMP_SLOT_WARMUP)->sum, 50);
    assert_int_equal(histogram(DUMP_SERIES_FRAME_NS, DUMP_SLOT_EARLIER)->count, 0);
}

static void test_no_room(void **state)
{
    struct ar_series none = {0};

    (void)state;
    ar_series_add(&none, DUMP_SERIES_FRAME_NS, 1);
    ar_series_share(&none, DUMP_SERIES_FRAME_NS, 1, 3);
    ar_series_rotate(&none);
    assert_null(none.histograms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_made, make, leave),
        cmocka_unit_test_setup_teardown(test_add, make, leave),
        cmocka_unit_test_setup_teardown(test_share, make, leave),
        cmocka_unit_test_setup_teardown(test_rotate, make, leave),
        cmocka_unit_test_setup_teardown(test_no_room, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
