/* SPDX-License-Identifier: MIT */
#include "preload/phases.h"

#include "tests/unit/rec_helper.h"

#define POLLS UINT64_C(100000)
#define FIRST UINT64_C(5) /* a thread's windows need not begin with 1 */

static const uint64_t *boundary_of(const struct dump_clock *clock)
{
    return clock->boundary;
}

static struct dump_clock new_clock(void)
{
    struct dump_clock clock = {.window = FIRST, .first_window = FIRST, .schedule = 2};

    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++)
        clock.boundary[i] = FIRST;
    return clock;
}

static uint64_t polls_of(const struct dump_clock *clock)
{
    return clock->window - FIRST;
}

/* Of the polls so far, those that count as warm-up. */
static uint64_t warmup_of(const struct dump_clock *clock)
{
    return clock->boundary[DUMP_AT_STEADY] - FIRST;
}

static void check_order(const struct dump_clock *clock)
{
    const uint64_t *boundary = boundary_of(clock);

    assert_int_equal(clock->first_window, FIRST);
    assert_int_equal(boundary[DUMP_AT_FIRST_POLL], FIRST);
    assert_true(boundary[DUMP_AT_STEADY] >= FIRST);
    assert_true(boundary[DUMP_AT_CUT] >= boundary[DUMP_AT_STEADY]);
    assert_true(boundary[DUMP_AT_LAST_CUT] >= boundary[DUMP_AT_CUT]);
    assert_true(clock->window >= boundary[DUMP_AT_LAST_CUT]);
    assert_int_equal(clock->schedule % 2, 0);
}

/* One step and what must hold of it: boundaries only move on, each change is announced, and what
 * is to be rotated is told just when the later part begins anew with the open window. */
static enum ar_phases_move step(struct ar_phases *phases, struct dump_clock *clock, uint64_t ns)
{
    struct dump_clock before = *clock;
    uint64_t later = phases->later_window != 0 ? phases->later_window : FIRST;
    enum ar_phases_move move = ar_phases_window_ended(phases, clock, ns);
    bool moved = false;

    assert_int_equal(clock->window, before.window + 1);
    check_order(clock);
    for (unsigned i = 0; i < DUMP_BOUNDARIES; i++) {
        assert_true(clock->boundary[i] >= before.boundary[i]);
        moved = moved || clock->boundary[i] != before.boundary[i];
    }
    assert_int_equal(clock->schedule, before.schedule + (moved ? 2 : 0));
    if (move == AR_PHASES_STAY) {
        assert_int_equal(clock->boundary[DUMP_AT_STEADY], before.boundary[DUMP_AT_STEADY]);
        if (moved)
            assert_int_equal(clock->boundary[DUMP_AT_CUT], before.boundary[DUMP_AT_LAST_CUT]);
    } else {
        assert_int_equal(clock->boundary[DUMP_AT_LAST_CUT], clock->window);
        if (before.warm == 0)
            assert_int_equal(phases->later_window, clock->window);
        else
            later = phases->warm_window;
        assert_int_equal(clock->boundary[DUMP_AT_STEADY],
                         move == AR_PHASES_ROTATE ? later : before.boundary[DUMP_AT_STEADY]);
    }
    /* What the steady phase begins with next is marked all the while. */
    if (clock->warm < 2) {
        later = clock->warm == 1 ? phases->warm_window : phases->later_window;
        assert_true(later == clock->boundary[DUMP_AT_CUT] ||
                    later == clock->boundary[DUMP_AT_LAST_CUT]);
    }
    assert_true(clock->warm == before.warm || clock->warm == before.warm + 1);
    return move;
}

static void run(uint64_t polls, uint64_t ns_each, void check(const struct dump_clock *))
{
    struct ar_phases phases = {0};
    struct dump_clock clock = new_clock();

    for (uint64_t i = 1; i <= polls; i++) {
        step(&phases, &clock, i * ns_each);
        check(&clock);
    }
}

static void nothing_more(const struct dump_clock *clock)
{
    (void)clock;
}

static const uint64_t paces[] = {0,        1,        50,        9999,      10000,      100000,
                                 1000000,  4000000,  6944444,   15384615,  16666666,   16666667,
                                 16949152, 33333333, 100000000, 999999999, 1000000000, 60000000000};

static void test_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++)
        run(POLLS, paces[i], nothing_more);
}

static void at_most_half(const struct dump_clock *clock)
{
    assert_true(warmup_of(clock) <= polls_of(clock) / 2);
}

/* Whenever the run ends. */
static void test_at_most_half_is_warmup(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++)
        run(i < 6 ? POLLS : 2000, paces[i], at_most_half);
    /* Every number of polls in the first second. */
    for (uint64_t polls = 1; polls <= 1100; polls++)
        run(3 * polls + 200, AR_WARMUP_NS / polls, at_most_half);
}

/* While the time is not over, the steady phase is the last quarter to half of the polls... */
static void quarter_to_half(const struct dump_clock *clock)
{
    uint64_t polls = polls_of(clock);
    uint64_t power = 1;

    while (power * 2 <= polls)
        power *= 2;
    assert_int_equal(clock->warm, 0);
    assert_true(clock->boundary[DUMP_AT_CUT] == FIRST + power ||
                clock->boundary[DUMP_AT_LAST_CUT] == FIRST + power);
    assert_int_equal(clock->boundary[DUMP_AT_STEADY], FIRST + (power > 1 ? power / 2 : 0));
}

static void test_no_time_passes(void **state)
{
    (void)state;
    run(POLLS, 0, quarter_to_half);
}

/* ... and then the warm-up has its end at that window, once as many polls again have passed. */
static void test_end_of_warmup(void **state)
{
    (void)state;
    for (uint64_t first_second = 1; first_second < 3000; first_second += 7) {
        struct ar_phases phases = {0};
        struct dump_clock clock = new_clock();
        uint64_t end = first_second > AR_WARMUP_POLLS ? first_second : AR_WARMUP_POLLS;

        for (uint64_t i = 1; i <= 4 * end; i++) {
            step(&phases, &clock, i >= first_second ? AR_WARMUP_NS : AR_WARMUP_NS - 1);
            assert_int_equal(clock.warm, i < end ? 0 : i < 2 * end ? 1 : 2);
            if (i >= 2 * end)
                assert_int_equal(clock.boundary[DUMP_AT_STEADY], FIRST + end);
        }
    }
}

/* From then on the cuts halve what there is: the older one is never in the last third of it. */
static void test_halves(void **state)
{
    struct ar_phases phases = {0};
    struct dump_clock clock = new_clock();

    (void)state;
    for (uint64_t i = 1; i <= POLLS; i++) {
        step(&phases, &clock, i * 1000000);
        if (clock.warm == 2) {
            uint64_t all = clock.window - clock.boundary[DUMP_AT_STEADY];
            uint64_t to_last = clock.boundary[DUMP_AT_LAST_CUT] - clock.boundary[DUMP_AT_STEADY];
            uint64_t to_cut = clock.boundary[DUMP_AT_CUT] - clock.boundary[DUMP_AT_STEADY];

            assert_true(2 * to_last >= all);
            assert_true(2 * to_cut >= to_last);
            assert_true(clock.window - clock.boundary[DUMP_AT_LAST_CUT] < to_last);
        }
    }
    assert_int_equal(clock.warm, 2);
    assert_int_equal(clock.boundary[DUMP_AT_STEADY], FIRST + 1000);
}

/* Whenever the run ends, one of the cuts leaves a quarter of the steady polls on either side. */
static void quarter_on_either_side(const struct dump_clock *clock)
{
    uint64_t steady = clock->boundary[DUMP_AT_STEADY];
    uint64_t all = clock->window - steady;
    bool found = all < 4;

    for (unsigned i = DUMP_AT_CUT; i <= DUMP_AT_LAST_CUT; i++) {
        uint64_t before = clock->boundary[i] - steady;
        found = found || (4 * before >= all && 4 * (all - before) >= all);
    }
    assert_true(found);
}

static void test_two_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++)
        run(i < 6 ? POLLS : 2000, paces[i], quarter_on_either_side);
    for (uint64_t polls = 1; polls <= 1100; polls++)
        run(5 * polls + 200, AR_WARMUP_NS / polls, quarter_on_either_side);
}

/* Rotating three slots as series.c does leaves just the steady polls in the upper two. */
static void test_slots_hold_the_steady_polls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++) {
        struct ar_phases phases = {0};
        struct dump_clock clock = new_clock();
        uint64_t slot[DUMP_SLOTS] = {0};

        for (uint64_t poll = 1; poll <= 5000; poll++) {
            enum ar_phases_move move;

            slot[DUMP_SLOT_LATER]++;
            move = step(&phases, &clock, poll * paces[i]);
            if (move == AR_PHASES_ROTATE) {
                slot[DUMP_SLOT_WARMUP] += slot[DUMP_SLOT_EARLIER];
                slot[DUMP_SLOT_EARLIER] = 0;
            }
            if (move != AR_PHASES_STAY) {
                slot[DUMP_SLOT_EARLIER] += slot[DUMP_SLOT_LATER];
                slot[DUMP_SLOT_LATER] = 0;
            }
            assert_int_equal(slot[DUMP_SLOT_WARMUP], warmup_of(&clock));
            assert_int_equal(slot[DUMP_SLOT_EARLIER] + slot[DUMP_SLOT_LATER],
                             polls_of(&clock) - warmup_of(&clock));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_at_most_half_is_warmup),
        cmocka_unit_test(test_no_time_passes),
        cmocka_unit_test(test_end_of_warmup),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_two_parts),
        cmocka_unit_test(test_slots_hold_the_steady_polls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
