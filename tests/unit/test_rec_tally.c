/* SPDX-License-Identifier: MIT */
#include "preload/tally.h"

#include "preload/phases.h"
#include "tests/unit/rec_helper.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WINDOWS   3000u
#define CHANGES   200000u
#define MARK_STEP UINT64_C(16)

/* The reader's part: boundary b's mark, as dump_format.h says it is found. */
static struct dump_amount mark_of(const struct dump_tally *tally, const struct dump_clock *clock,
                                  unsigned b)
{
    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
        if (tally->mark[i].window == clock->boundary[b])
            return tally->mark[i].amount;
    if (clock->boundary[b] > tally->window)
        return tally->now;
    return b > 0 ? mark_of(tally, clock, b - 1) : (struct dump_amount){0};
}

static struct dump_clock new_clock(uint64_t first)
{
    struct dump_clock clock = {.window = first, .first_window = first, .schedule = 2};

    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
        clock.boundary[i] = first;
    return clock;
}

static void test_first_in_window(void **state)
{
    struct dump_tally tally = {0};
    struct dump_clock clock = new_clock(1);

    (void)state;
    assert_true(ar_tally_enter(&tally, &clock, 1, 0));
    ar_tally_alloc(&tally, 10);
    assert_false(ar_tally_enter(&tally, &clock, 1, 0));
    ar_tally_alloc(&tally, 20);
    ar_tally_free(&tally, 5);
    assert_int_equal(tally.window_start.allocations, 0);
    assert_true(ar_tally_enter(&tally, &clock, 2, 0));
    ar_tally_alloc(&tally, 40);
    assert_int_equal(tally.window, 2);
    assert_int_equal(tally.window_start.allocations, 2);
    assert_int_equal(tally.window_start.bytes, 30);
    assert_int_equal(tally.window_start.frees, 1);
    assert_int_equal(tally.window_start.freed_bytes, 5);
    assert_int_equal(tally.now.allocations, 3);
    assert_int_equal(tally.now.bytes, 70);
}

/* Startup is window 0, which every tally is in from the first. */
static void test_startup(void **state)
{
    struct dump_tally tally = {0};
    struct dump_clock startup = {0};
    struct dump_clock clock = new_clock(1);

    (void)state;
    assert_false(ar_tally_enter(&tally, &startup, 0, 0));
    ar_tally_alloc(&tally, 100);
    ar_tally_enter(&tally, &clock, 1, 0);
    ar_tally_alloc(&tally, 7);
    assert_int_equal(mark_of(&tally, &clock, DUMP_AT_FIRST_POLL).bytes, 100);
    assert_int_equal(mark_of(&tally, &clock, DUMP_AT_STEADY).bytes, 100);
}

static void test_marks_keep_polls(void **state)
{
    struct dump_tally tally = {0};
    struct dump_clock clock = new_clock(1);

    (void)state;
    ar_tally_enter(&tally, &clock, 1, 0);
    clock.boundary[DUMP_AT_STEADY] = 3;
    clock.boundary[DUMP_AT_CUT] = clock.boundary[DUMP_AT_LAST_CUT] = 4;
    clock.schedule = 4;
    ar_tally_alloc(&tally, 1);
    assert_true(ar_tally_enter(&tally, &clock, 5, 9));
    assert_int_equal(tally.schedule, 4);
    assert_int_equal(tally.mark[DUMP_AT_FIRST_POLL].window, 1);
    assert_int_equal(tally.mark[DUMP_AT_FIRST_POLL].polls, 0);
    for (unsigned b = DUMP_AT_STEADY; b < DUMP_BOUNDARIES; b++) {
        assert_int_equal(tally.mark[b].window, clock.boundary[b]);
        assert_int_equal(tally.mark[b].polls, 9);
        assert_int_equal(tally.mark[b].amount.allocations, 1);
    }
}

/* While boundaries change nothing is done, and the next call does it. */
static void test_odd_schedule(void **state)
{
    struct dump_tally tally = {0};
    struct dump_clock clock = new_clock(1);

    (void)state;
    ar_tally_enter(&tally, &clock, 1, 0);
    ar_tally_alloc(&tally, 3);
    clock.schedule = 3;
    clock.boundary[DUMP_AT_STEADY] = 2;
    assert_false(ar_tally_enter(&tally, &clock, 2, 0));
    assert_int_equal(tally.window, 1);
    assert_int_equal(tally.schedule, 2);
    clock.boundary[DUMP_AT_CUT] = clock.boundary[DUMP_AT_LAST_CUT] = 2;
    clock.schedule = 4;
    assert_true(ar_tally_enter(&tally, &clock, 2, 0));
    assert_int_equal(tally.schedule, 4);
    assert_int_equal(mark_of(&tally, &clock, DUMP_AT_STEADY).bytes, 3);
}

/* A run of many windows in which a tally is touched in some: what the reader computes of it is what
 * was counted before each boundary, whenever the run ends and whatever was touched last. */
static void follow(unsigned touched_in_1024, uint64_t ns_each, unsigned seed)
{
    struct ar_phases phases = {0};
    struct dump_clock clock = new_clock(1);
    struct dump_tally tally = {0};
    uint64_t before[WINDOWS + 3] = {0}; /* bytes counted before each window */
    uint64_t bytes = 0;

    srand(seed);
    for (uint64_t poll = 1; poll <= WINDOWS; poll++) {
        before[clock.window] = bytes;
        if ((unsigned)rand() % 1024 < touched_in_1024)
            for (int i = rand() % 3; i >= 0; i--) {
                uint64_t size = 1 + (uint64_t)rand() % 100;

                ar_tally_enter(&tally, &clock, clock.window, poll);
                ar_tally_alloc(&tally, size);
                bytes += size;
            }
        ar_phases_window_ended(&phases, &clock, poll * ns_each);
        before[clock.window] = bytes;
        for (unsigned b = 0; b < DUMP_BOUNDARIES; b++)
            assert_int_equal(mark_of(&tally, &clock, b).bytes, before[clock.boundary[b]]);
        if (tally.window > 0)
            assert_int_equal(tally.window_start.bytes, before[tally.window]);
    }
    assert_int_equal(tally.now.bytes, bytes);
}

static void test_boundaries(void **state)
{
    static const unsigned shares[] = {1, 20, 300, 1024};
    static const uint64_t paces[] = {0, 1000000, 16666667, 2000000000};

    (void)state;
    for (unsigned seed = 1; seed <= 5; seed++)
        for (size_t i = 0; i < 4; i++)
            for (size_t k = 0; k < 4; k++)
                follow(shares[i], paces[k], seed);
}

/* Another thread's clock is read while its boundaries change: no mark is of two schedules. The
 * writer keeps boundary b at (MARK_STEP * n + b) in its n-th change. */
static struct dump_clock shared_clock;
static bool done;

static void *change_boundaries(void *unused)
{
    for (uint64_t n = 1; n <= CHANGES; n++) {
        uint32_t schedule = shared_clock.schedule;

        __atomic_store_n(&shared_clock.schedule, schedule + 1, __ATOMIC_RELAXED);
        for (unsigned b = 0; b < DUMP_BOUNDARIES; b++)
            __atomic_store_n(&shared_clock.boundary[b], MARK_STEP * n + b, __ATOMIC_RELEASE);
        __atomic_store_n(&shared_clock.schedule, schedule + 2, __ATOMIC_RELEASE);
        __atomic_store_n(&shared_clock.window, MARK_STEP * n + DUMP_BOUNDARIES, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&done, true, __ATOMIC_RELEASE);
    return unused;
}

static void test_changing_boundaries(void **state)
{
    struct dump_tally tally = {0};
    unsigned updates = 0;
    pthread_t writer;

    (void)state;
    shared_clock = (struct dump_clock){0};
    done = false;
    assert_int_equal(pthread_create(&writer, NULL, change_boundaries, NULL), 0);
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE) || updates == 0) {
        uint64_t window = __atomic_load_n(&shared_clock.window, __ATOMIC_ACQUIRE);
        uint32_t before = tally.schedule;

        ar_tally_enter(&tally, &shared_clock, window, 0);
        ar_tally_alloc(&tally, 1);
        if (tally.schedule == before)
            continue;
        updates++;
        assert_int_equal(tally.schedule % 2, 0);
        for (unsigned b = 0; b < DUMP_BOUNDARIES; b++)
            assert_int_equal(tally.mark[b].window, MARK_STEP * (tally.schedule / 2) + b);
    }
    pthread_join(writer, NULL);
    ar_tally_enter(&tally, &shared_clock, shared_clock.window, 0);
    assert_int_equal(tally.schedule, shared_clock.schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_in_window),  cmocka_unit_test(test_startup),
        cmocka_unit_test(test_marks_keep_polls), cmocka_unit_test(test_odd_schedule),
        cmocka_unit_test(test_boundaries),       cmocka_unit_test(test_changing_boundaries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
