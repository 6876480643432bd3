/* SPDX-License-Identifier: MIT */
#include "preload/worst.h"

#include "preload/mapfile.h"
#include "tests/unit/rec_helper.h"

#include <string.h>

static struct ar_worst worst;

static int make(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    memset(&worst, 0, sizeof worst);
    ar_worst_make(&worst, 1);
    return worst.all != NULL && worst.steady != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    ar_mapfile_abandon();
    return 0;
}

static void add(uint64_t number, uint64_t bytes)
{
    struct ar_window window = {
        .number = number,
        .loop = 3,
        .begin_ns = 1000 * number,
        .end_ns = 1000 * number + 50,
        .interval_ns = 900,
        .in_poll = {.allocations = 1, .bytes = bytes / 3},
        .between = {.allocations = 2, .bytes = bytes - bytes / 3},
    };

    ar_worst_add(&worst, &window, NULL, 0, 0);
}

static const struct dump_worst *find(const struct dump_worst *list, uint64_t window)
{
    const struct dump_worst *found = NULL;

    for (unsigned i = 0; i < DUMP_WORST_POLLS; i++) {
        if (list[i].window != window)
            continue;
        assert_null(found);
        found = &list[i];
    }
    return found;
}

static unsigned used(const struct dump_worst *list)
{
    unsigned count = 0;

    for (unsigned i = 0; i < DUMP_WORST_POLLS; i++)
        count += list[i].window != 0;
    return count;
}

static void test_record(void **state)
{
    const struct dump_worst *record;

    (void)state;
    add(7, 300);
    record = find(worst.all, 7);
    assert_non_null(record);
    assert_int_equal(record->flags, 0);
    assert_int_equal(record->end_ns, 7050);
    assert_int_equal(record->poll_ns, 50);
    assert_int_equal(record->interval_ns, 900);
    assert_int_equal(record->allocations, 3);
    assert_int_equal(record->bytes, 300);
    assert_int_equal(record->in_poll_allocations, 1);
    assert_int_equal(record->in_poll_bytes, 100);
    assert_int_equal(record->loop, 3);
    assert_int_equal(find(worst.steady, 7)->flags, DUMP_WORST_STEADY);
    assert_int_equal(find(worst.steady, 7)->bytes, 300);
    assert_int_equal(used(worst.all), 1);
}

static void test_nothing_allocated(void **state)
{
    (void)state;
    add(1, 0);
    assert_int_equal(used(worst.all), 0);
    assert_int_equal(used(worst.steady), 0);
}

/* Of many, in any order, just the worst are kept. */
static void test_the_worst(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 1000; i++)
        add(i, 1 + i * 389 % 1009);
    assert_int_equal(used(worst.all), DUMP_WORST_POLLS);
    for (uint64_t i = 1; i <= 1000; i++) {
        unsigned worse = 0;

        for (uint64_t k = 1; k <= 1000; k++)
            worse += k * 389 % 1009 > i * 389 % 1009;
        assert_true((find(worst.all, i) != NULL) == (worse < DUMP_WORST_POLLS));
    }
}

/* Of equal ones the earlier stays. */
static void test_equal(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= DUMP_WORST_POLLS + 5; i++)
        add(i, 10);
    for (uint64_t i = 1; i <= DUMP_WORST_POLLS; i++)
        assert_non_null(find(worst.all, i));
}

static struct dump_counter counter_of(uint32_t site, uint64_t bytes)
{
    struct dump_counter counter = {.site = site};

    counter.tally.window_start = (struct dump_amount){.allocations = 100, .bytes = 5000};
    counter.tally.now = (struct dump_amount){.allocations = 101, .bytes = 5000 + bytes};
    return counter;
}

static void test_sites(void **state)
{
    static const uint64_t bytes[12] = {30, 10, 50, 20, 50, 5, 70, 1, 60, 15, 25, 40};
    static const uint64_t sorted[DUMP_WORST_SITES] = {70, 60, 50, 50, 40, 30, 25, 20};
    struct dump_counter counters[12];
    struct dump_counter *touched[12];
    struct ar_window window = {.number = 4, .between = {.allocations = 12, .bytes = 376}};
    const struct dump_worst *record;

    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        counters[i] = counter_of(i + 1, bytes[i]);
        touched[i] = &counters[i];
    }
    ar_worst_add(&worst, &window, touched, 12, 300);
    record = find(worst.all, 4);
    assert_non_null(record);
    assert_int_equal(record->sites, DUMP_WORST_SITES);
    assert_int_equal(record->all_sites, 300);
    for (unsigned i = 0; i < DUMP_WORST_SITES; i++) {
        assert_int_equal(record->site[i].bytes, sorted[i]);
        assert_int_equal(record->site[i].allocations, 1);
        assert_int_equal(bytes[record->site[i].site - 1], sorted[i]);
    }
    assert_int_equal(record->site[2].site + record->site[3].site, 3 + 5);
    /* The place is used again, with fewer. */
    for (uint64_t i = 0; i < DUMP_WORST_POLLS; i++)
        add(10 + i, 1000);
    assert_null(find(worst.all, 4));
    for (uint64_t i = 0; i < DUMP_WORST_POLLS; i++)
        assert_int_equal(find(worst.all, 10 + i)->sites, 0);
}

/* The steady list forgets what was before; the list of all does not. */
static void test_steady(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 20; i++)
        add(i, 1000 - i);
    ar_worst_steady_from(&worst, 10);
    for (uint64_t i = 1; i <= DUMP_WORST_POLLS; i++)
        assert_true((find(worst.steady, i) != NULL) == (i >= 10));
    assert_int_equal(used(worst.all), DUMP_WORST_POLLS);
    /* Its places are free: the least of windows finds one. */
    add(30, 1);
    assert_non_null(find(worst.steady, 30));
    assert_null(find(worst.all, 30));
    ar_worst_steady_from(&worst, 1000);
    assert_int_equal(used(worst.steady), 0);
    assert_int_equal(used(worst.all), DUMP_WORST_POLLS);
}

static void test_no_room(void **state)
{
    struct ar_worst none = {0};
    struct ar_window window = {.number = 1, .between = {.allocations = 1, .bytes = 1}};

    (void)state;
    ar_worst_add(&none, &window, NULL, 0, 0);
    ar_worst_steady_from(&none, 5);
    assert_null(none.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_record, make, leave),
        cmocka_unit_test_setup_teardown(test_nothing_allocated, make, leave),
        cmocka_unit_test_setup_teardown(test_the_worst, make, leave),
        cmocka_unit_test_setup_teardown(test_equal, make, leave),
        cmocka_unit_test_setup_teardown(test_sites, make, leave),
        cmocka_unit_test_setup_teardown(test_steady, make, leave),
        cmocka_unit_test_setup_teardown(test_no_room, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
