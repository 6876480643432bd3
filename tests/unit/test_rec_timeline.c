/* SPDX-License-Identifier: MIT */
#include "preload/timeline.h"

#include "preload/mapfile.h"
#include "tests/unit/rec_helper.h"

#include <string.h>

#define START UINT64_C(1000000)
#define WIDTH UINT64_C(20000000)
#define SPAN  (WIDTH * DUMP_TIMELINE_BUCKETS)

static struct ar_timeline timeline;

static int make(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    memset(&timeline, 0, sizeof timeline);
    ar_timeline_make(&timeline, 1);
    timeline.start_ns = START;
    return timeline.buckets != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    ar_mapfile_abandon();
    return 0;
}

static void poll_at(uint64_t ns, uint64_t number)
{
    struct ar_window window = {
        .number = number,
        .begin_ns = ns - 7,
        .end_ns = ns,
        .in_poll = {.allocations = 1, .bytes = number},
        .between = {.allocations = 2, .bytes = 1000},
    };

    ar_header()->live_bytes = number * 10;
    ar_timeline_add(&timeline, &window, true);
}

static const struct dump_bucket *bucket(unsigned index)
{
    return &timeline.buckets[index];
}

static uint64_t all_polls(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS; i++)
        sum += timeline.buckets[i].polls;
    return sum;
}

/* The chunk says as many buckets as have been opened. */
static void check_chunk(uint64_t buckets)
{
    assert_int_equal(timeline.chunk->count, buckets);
    assert_int_equal(timeline.chunk->filled, buckets * sizeof(struct dump_bucket));
    assert_true(timeline.chunk->filled <= timeline.chunk->size - sizeof *timeline.chunk);
    for (uint64_t i = buckets; i < DUMP_TIMELINE_BUCKETS; i++)
        assert_int_equal(timeline.buckets[i].polls, 0);
}

static void test_one_bucket(void **state)
{
    (void)state;
    poll_at(START, 5);
    poll_at(START + WIDTH - 1, 9);
    poll_at(START + 100, 6);
    ar_timeline_drain(&timeline);
    ar_timeline_frames(&timeline, 3);
    assert_int_equal(bucket(0)->polls, 3);
    assert_int_equal(bucket(0)->in_poll_allocations, 3);
    assert_int_equal(bucket(0)->in_poll_bytes, 20);
    assert_int_equal(bucket(0)->between_allocations, 6);
    assert_int_equal(bucket(0)->between_bytes, 3000);
    assert_int_equal(bucket(0)->poll_ns, 21);
    assert_int_equal(bucket(0)->most_bytes, 1009);
    assert_int_equal(bucket(0)->most_window, 9);
    assert_int_equal(bucket(0)->live_bytes, 60);
    assert_int_equal(bucket(0)->drains, 1);
    assert_int_equal(bucket(0)->frames, 3);
    check_chunk(1);
    assert_int_equal(ar_header()->timeline_width_ns, WIDTH);
}

static void test_bounds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS; i++) {
        poll_at(START + i * WIDTH, 2 * i);
        poll_at(START + (i + 1) * WIDTH - 1, 2 * i + 1);
        check_chunk(i + 1);
    }
    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS; i++)
        assert_int_equal(bucket(i)->polls, 2);
    assert_int_equal(timeline.width_ns, WIDTH);
}

/* All used: neighbours are added in pairs, and the next poll opens the bucket behind them. */
static void test_merging(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS; i++) {
        poll_at(START + i * WIDTH, i);
        ar_timeline_drain(&timeline);
    }
    poll_at(START + SPAN, 5000);
    assert_int_equal(timeline.width_ns, 2 * WIDTH);
    assert_int_equal(ar_header()->timeline_width_ns, 2 * WIDTH);
    check_chunk(DUMP_TIMELINE_BUCKETS / 2 + 1);
    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS / 2; i++) {
        assert_int_equal(bucket(i)->polls, 2);
        assert_int_equal(bucket(i)->drains, 2);
        assert_int_equal(bucket(i)->in_poll_bytes, 4 * i + 1);
        assert_int_equal(bucket(i)->between_bytes, 2000);
        assert_int_equal(bucket(i)->poll_ns, 14);
        assert_int_equal(bucket(i)->most_bytes, 1000 + 2 * i + 1);
        assert_int_equal(bucket(i)->most_window, 2 * i + 1);
        assert_int_equal(bucket(i)->live_bytes, 10 * (2 * i + 1));
    }
    assert_int_equal(bucket(DUMP_TIMELINE_BUCKETS / 2)->most_window, 5000);
}

/* An empty one beside a used one takes nothing of it away. */
static void test_merging_with_empty(void **state)
{
    (void)state;
    poll_at(START, 7);
    poll_at(START + 3 * WIDTH, 8);
    poll_at(START + SPAN, 9);
    assert_int_equal(bucket(0)->most_window, 7);
    assert_int_equal(bucket(0)->live_bytes, 70);
    assert_int_equal(bucket(1)->most_window, 8);
    assert_int_equal(bucket(1)->live_bytes, 80);
    assert_int_equal(all_polls(), 3);
}

static void test_clock_jumps_forward(void **state)
{
    (void)state;
    poll_at(START + 5, 1);
    poll_at(START + 900 * SPAN, 2);
    poll_at(START + 900 * SPAN + 1, 3);
    assert_int_equal(timeline.width_ns, WIDTH * 1024);
    assert_int_equal(bucket(0)->polls, 1);
    assert_int_equal(bucket(900 * DUMP_TIMELINE_BUCKETS / 1024)->polls, 2);
    check_chunk(900 * DUMP_TIMELINE_BUCKETS / 1024 + 1);
    assert_int_equal(all_polls(), 3);
}

/* To the end of what 64 bits of nanoseconds can say. */
static void test_clock_at_its_end(void **state)
{
    (void)state;
    poll_at(START, 1);
    poll_at(UINT64_MAX / 2, 2);
    poll_at(UINT64_MAX, 3);
    assert_int_equal(all_polls(), 3);
    assert_true(timeline.open < DUMP_TIMELINE_BUCKETS);
}

static void test_clock_jumps_back(void **state)
{
    (void)state;
    poll_at(START + 10 * WIDTH, 1);
    poll_at(START + 2 * WIDTH, 2);
    assert_int_equal(bucket(10)->polls, 2);
    assert_int_equal(bucket(2)->polls, 0);
    poll_at(START / 2, 3); /* before the first bucket */
    assert_int_equal(bucket(10)->polls, 3);
    poll_at(START + 11 * WIDTH, 4);
    assert_int_equal(bucket(11)->polls, 1);
    check_chunk(12);
}

static void test_years(void **state)
{
    uint64_t polls = 0;

    (void)state;
    for (uint64_t ns = START; ns < UINT64_C(3) * 365 * 86400 * 1000000000; ns += ns / 7 + 1) {
        poll_at(ns, ++polls);
        ar_timeline_frames(&timeline, 1);
        assert_int_equal(all_polls(), polls);
    }
    assert_true(polls > 100);
}

static void test_no_room(void **state)
{
    struct ar_timeline none = {0};
    struct ar_window window = {.end_ns = START};

    (void)state;
    ar_timeline_add(&none, &window, true);
    ar_timeline_drain(&none);
    ar_timeline_frames(&none, 2);
    assert_int_equal(ar_header()->timeline_width_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_bucket, make, leave),
        cmocka_unit_test_setup_teardown(test_bounds, make, leave),
        cmocka_unit_test_setup_teardown(test_merging, make, leave),
        cmocka_unit_test_setup_teardown(test_merging_with_empty, make, leave),
        cmocka_unit_test_setup_teardown(test_clock_jumps_forward, make, leave),
        cmocka_unit_test_setup_teardown(test_clock_at_its_end, make, leave),
        cmocka_unit_test_setup_teardown(test_clock_jumps_back, make, leave),
        cmocka_unit_test_setup_teardown(test_years, make, leave),
        cmocka_unit_test_setup_teardown(test_no_room, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
