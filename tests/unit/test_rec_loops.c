/* SPDX-License-Identifier: MIT */
#include "preload/loops.h"

#include "tests/unit/rec_core_helper.h"

REC_HOOK_SECTION

/* Return addresses of calls; they lie in no module. */
#define CALLER ((uintptr_t)0x7000)

static struct ar_loops loops;
static struct dump_loop *last;

static int make(void **state)
{
    struct ar_held held;

    if (renew(state) != 0)
        return -1;
    memset(&loops, 0, sizeof loops);
    last = NULL;
    held = ar_lock();
    ar_loops_make(&loops, 1);
    ar_unlock(held);
    return loops.records != NULL ? 0 : -1;
}

static struct dump_loop *poll_by(uint32_t stack, uintptr_t caller)
{
    static const struct ar_poll_event event = {.kind = DUMP_POLL_EVENT};
    static const struct ar_window window = {.number = 1, .in_poll = {1, 10, 0, 0, 0}};
    struct ar_loops_poll poll = {stack, caller, 1, 1000};

    last = ar_loops_find(&loops, last, &poll);
    assert_non_null(last);
    ar_loops_count(&loops, last, &window, 0, &event);
    return last;
}

static uint64_t polls_of_all(void)
{
    uint64_t polls = 0;

    for (uint32_t i = 0; i < loops.count; i++) {
        assert_int_equal(loops.records[i].stack, loops.stacks[i]);
        assert_int_equal(loops.records[i].in_poll.bytes,
                         10 * loops.records[i].polls[DUMP_POLL_EVENT]);
        polls += loops.records[i].polls[DUMP_POLL_EVENT];
    }
    return polls;
}

/* The core numbers stacks from 1 on: these are none of its. */
static uint32_t nth_stack(uint32_t n)
{
    return 1000000 + n;
}

static uint32_t nth_first(uint32_t n)
{
    return 500000 + n;
}

static void fill_first(void)
{
    for (uint32_t i = 0; i < AR_LOOPS_FIRST; i++)
        assert_int_equal(poll_by(nth_first(i), CALLER)->stack, nth_first(i));
    assert_int_equal(loops.count, AR_LOOPS_FIRST);
}

static void test_first(void **state)
{
    (void)state;
    fill_first();
    for (uint32_t i = 0; i < AR_LOOPS_FIRST; i++)
        assert_int_equal(poll_by(nth_first(i), CALLER)->stack, nth_first(i));
    assert_int_equal(loops.count, AR_LOOPS_FIRST);
    assert_int_equal(polls_of_all(), 2 * AR_LOOPS_FIRST);
}

static void test_rare_stacks_share_a_loop(void **state)
{
    struct dump_loop *shared;

    (void)state;
    fill_first();
    shared = poll_by(nth_stack(0), CALLER);
    for (uint32_t i = 0; i < 10000; i++)
        assert_ptr_equal(poll_by(nth_stack(i), CALLER), shared);
    assert_int_equal(loops.count, AR_LOOPS_FIRST + 1);
    assert_ptr_not_equal(poll_by(nth_stack(0), CALLER + 64), shared);
    assert_int_equal(loops.count, AR_LOOPS_FIRST + 2);
    assert_int_equal(polls_of_all(), AR_LOOPS_FIRST + 10002);
    no_losses();
}

static void test_frequent_stacks_get_one(void **state)
{
    uint32_t n = 0;

    (void)state;
    fill_first();
    for (uint32_t i = 0; i < AR_LOOPS_OFTEN + 2; i++) {
        for (unsigned k = 1; k < AR_LOOPS_IS_OFTEN; k++, n++)
            assert_int_not_equal(poll_by(nth_stack(i), CALLER)->stack, nth_stack(i));
        for (unsigned k = 0; k < 1000; k++, n++)
            assert_int_equal(poll_by(nth_stack(i), CALLER)->stack == nth_stack(i),
                             i < AR_LOOPS_OFTEN);
    }
    assert_int_equal(loops.count, AR_LOOPS_FIRST + AR_LOOPS_OFTEN + 1);
    assert_int_equal(polls_of_all(), AR_LOOPS_FIRST + n);
    no_losses();
}

/* Between ever new stacks, too. */
static void test_frequent_among_rare(void **state)
{
    const uint32_t hot = nth_stack(5000000);
    unsigned own = 0;

    (void)state;
    fill_first();
    for (uint32_t i = 0; i < 20000; i++) {
        poll_by(nth_stack(i), CALLER);
        own += poll_by(hot, CALLER)->stack == hot;
    }
    assert_true(own > 19000);
    assert_int_equal(polls_of_all(), AR_LOOPS_FIRST + 40000);
    no_losses();
}

static void test_rest(void **state)
{
    struct dump_loop *rest;

    (void)state;
    fill_first();
    for (uint32_t i = 0; i < AR_LOOPS_CALLS; i++)
        poll_by(nth_stack(i), CALLER + 64 * i);
    rest = poll_by(nth_stack(100), CALLER - 64);
    assert_int_equal(loops.count, AR_LOOPS_FIRST + AR_LOOPS_CALLS + 1);
    for (uint32_t i = 0; i < 1000; i++)
        assert_ptr_equal(poll_by(nth_stack(1000 + i), CALLER - 128 - 64 * i), rest);
    /* A stack that found no room is known by its call all the same. */
    assert_ptr_equal(poll_by(0, CALLER), &loops.records[AR_LOOPS_FIRST]);
    for (uint32_t i = 0; i < 1000; i++)
        assert_ptr_equal(poll_by(0, 0), rest);
    assert_int_equal(polls_of_all(), AR_LOOPS_FIRST + AR_LOOPS_CALLS + 1 + 1000 + 1 + 1000);
    no_losses();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_first, make),
        cmocka_unit_test_setup(test_rare_stacks_share_a_loop, make),
        cmocka_unit_test_setup(test_frequent_stacks_get_one, make),
        cmocka_unit_test_setup(test_frequent_among_rare, make),
        cmocka_unit_test_setup(test_rest, make),
    };

    return cmocka_run_group_tests(tests, start, end);
}
