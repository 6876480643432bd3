/* SPDX-License-Identifier: MIT */
#include "tests/unit/rec_core_helper.h"

REC_HOOK_SECTION

static void test_counts(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 10);
    alloc(0x20000, 20);
    release(0x10000);
    reallocate(0x20000, 0x30000, 200);
    reallocate(0, 0x40000, 5);
    fail_to_reallocate(0x30000);
    reallocate(0x40000, 0, 0);
    totals = add_up();
    check_amount(&totals.threads, 4, 235, 1, 3, 35);
    assert_memory_equal(&totals.sites, &totals.threads, sizeof totals.sites);
    no_losses();
    release(0x30000);
    totals = add_up();
    check_amount(&totals.threads, 4, 235, 1, 4, 235);
    assert_int_equal(totals.thread_records, 1);
}

static void test_unknown(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 10);
    release(0x50000);
    reallocate(0x60000, 0x70000, 7);
    totals = add_up();
    check_amount(&totals.threads, 2, 17, 1, 0, 0);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_UNKNOWN], 2);
}

static void test_polls(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 1000);
    for (unsigned i = 0; i < 50; i++) {
        assert_true(begin_poll());
        alloc(0x20000, 3);
        end_poll(i % 2 == 0);
        release(0x20000);
        alloc(0x30000, 40);
        release(0x30000);
    }
    totals = add_up();
    assert_int_equal(totals.polls, 50);
    check_amount(&totals.threads, 101, 3150, 0, 100, 2150);
    check_amount(&totals.in_poll, 50, 150, 0, 0, 0);
    check_amount(&totals.loops_in_poll, 50, 150, 0, 0, 0);
    /* What follows the last poll belongs to no loop. */
    check_amount(&totals.loops_between, 49, 1960, 0, 98, 2107);
    assert_int_equal(ar_header()->primary_thread, 1);
    no_losses();
}

static unsigned inner_polls;

static HOOK void poll_inside(void)
{
    struct ar_poll_event event = {.kind = DUMP_PUMP};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &event);

    inner_polls += outermost;
    alloc(0x50000, 5);
    if (outermost)
        ar_record_poll_end(AR_HOOK(), &event);
    else
        ar_record_inner_end();
}

static HOOK void poll_around(void)
{
    struct ar_poll_event event = {.kind = DUMP_POLL_EVENT};
    struct ar_hook hook = AR_HOOK();

    assert_true(ar_record_poll_begin(hook, &event));
    poll_inside();
    poll_inside();
    ar_record_poll_end(hook, &event);
}

/* A poll inside a poll is none. */
static void test_nested_poll(void **state)
{
    struct totals totals;

    (void)state;
    inner_polls = 0;
    poll_around();
    poll_around();
    totals = add_up();
    assert_int_equal(inner_polls, 0);
    assert_int_equal(totals.polls, 2);
    check_amount(&totals.in_poll, 4, 20, 0, 0, 0);
}

/* One that was left by a jump is over, once a poll begins that is not inside of it. */
static void test_left_poll(void **state)
{
    (void)state;
    assert_true(begin_poll());
    assert_true(begin_poll());
    end_poll(false);
    assert_int_equal(add_up().polls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_counts, renew),
        cmocka_unit_test_setup(test_unknown, renew),
        cmocka_unit_test_setup(test_polls, renew),
        cmocka_unit_test_setup(test_nested_poll, renew),
        cmocka_unit_test_setup(test_left_poll, renew),
    };

    return cmocka_run_group_tests(tests, start, end);
}
