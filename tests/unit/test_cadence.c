/* SPDX-License-Identifier: MIT */
#include "cli/cadence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A site in a run of 1,000 polls, 500 of them steady, that allocates once a poll in `polls`. */
static struct cadence_facts facts_of(uint64_t polls, uint64_t polls_steady)
{
    return (struct cadence_facts){
        .allocations = polls,
        .after_startup = polls,
        .steady_allocations = polls_steady,
        .polls = polls,
        .polls_steady = polls_steady,
        .steady_polls = 500,
        .gap_least = 1,
        .gap_most = 400,
    };
}

static void expect(const struct cadence_facts *facts, enum cadence_kind kind, const char *words)
{
    struct cadence cadence = cadence_of(facts);
    assert_string_equal(cadence.words, words);
    assert_int_equal(cadence.kind, kind);
}

static void test_startup(void **state)
{
    struct cadence_facts facts = facts_of(0, 0);
    (void)state;
    facts.allocations = 12;
    expect(&facts, CADENCE_STARTUP, "startup");
}

static void test_warmup(void **state)
{
    struct cadence_facts facts = facts_of(7, 0);
    (void)state;
    expect(&facts, CADENCE_WARMUP, "warm-up");
}

static void test_shutdown(void **state)
{
    struct cadence_facts facts = facts_of(1, 1);
    (void)state;
    facts.steady_allocations = 0;
    facts.shutdown_allocations = 1;
    expect(&facts, CADENCE_SHUTDOWN, "shutdown");
    facts.after_startup = 2;
    expect(&facts, CADENCE_ONCE, "once");
}

static void test_once(void **state)
{
    struct cadence_facts steady = facts_of(1, 1);
    struct cadence_facts warm = facts_of(1, 0);
    (void)state;
    expect(&steady, CADENCE_ONCE, "once");
    expect(&warm, CADENCE_ONCE, "once");
}

/* Exactly half of the steady polls is every poll; one less is not. */
static void test_every_poll(void **state)
{
    struct cadence_facts half = facts_of(500, 250);
    struct cadence_facts less = facts_of(500, 249);
    struct cadence_facts odd = facts_of(3, 2);
    (void)state;
    expect(&half, CADENCE_EVERY_POLL, "every poll");
    expect(&less, CADENCE_PERIODIC, "periodic 2");
    odd.steady_polls = 5;
    expect(&odd, CADENCE_PERIODIC, "periodic 3");
    odd.steady_polls = 3;
    expect(&odd, CADENCE_EVERY_POLL, "every poll");
}

/* At least three gaps, two thirds of which grow. */
static void test_growth(void **state)
{
    struct cadence_facts doubling = facts_of(10, 1);
    (void)state;
    doubling.gaps_growing = 6;
    expect(&doubling, CADENCE_GROWTH, "growth");
    doubling.gaps_growing = 5;
    expect(&doubling, CADENCE_BURST, "burst");
    struct cadence_facts few = facts_of(3, 2);
    few.gaps_growing = 2;
    expect(&few, CADENCE_BURST, "burst");
    few.polls = 4;
    expect(&few, CADENCE_GROWTH, "growth");
}

/* By even gaps, or by 1 % of the polls. */
static void test_periodic(void **state)
{
    struct cadence_facts even = facts_of(8, 4);
    (void)state;
    even.gap_least = 100;
    even.gap_most = 151;
    expect(&even, CADENCE_PERIODIC, "periodic 125");
    even.gap_most = 152;
    expect(&even, CADENCE_BURST, "burst");
    struct cadence_facts often = facts_of(8, 5);
    expect(&often, CADENCE_PERIODIC, "periodic 100");
    struct cadence_facts rarer = facts_of(8, 4);
    expect(&rarer, CADENCE_BURST, "burst");
}

static void test_period_is_rounded(void **state)
{
    struct cadence_facts facts = facts_of(300, 200);
    (void)state;
    expect(&facts, CADENCE_PERIODIC, "periodic 3");
    facts.polls_steady = 201;
    expect(&facts, CADENCE_PERIODIC, "periodic 2");
    assert_int_equal(cadence_of(&facts).period, 2);
}

static void test_per_frame(void **state)
{
    struct cadence_facts facts = facts_of(200, 100);
    (void)state;
    assert_true(cadence_of(&facts).per_frame == 0);
    facts.steady_frames = 50;
    assert_true(cadence_of(&facts).per_frame == 2);
}

/* Whatever the numbers, there is a word. */
static void test_hostile(void **state)
{
    static const uint64_t values[] = {0, 1, 2, 3, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
    size_t count = sizeof values / sizeof values[0];
    (void)state;
    for (size_t i = 0; i < count * count * count; i++) {
        uint64_t a = values[i % count];
        uint64_t b = values[i / count % count];
        uint64_t c = values[i / count / count];
        struct cadence_facts facts = {.allocations = a,
                                      .after_startup = b,
                                      .steady_allocations = c,
                                      .shutdown_allocations = a,
                                      .polls = b,
                                      .polls_steady = c,
                                      .steady_polls = a,
                                      .gap_least = b,
                                      .gap_most = c,
                                      .gaps_growing = a,
                                      .steady_frames = b};
        struct cadence cadence = cadence_of(&facts);
        assert_true(strncmp(cadence.words, cadence_name(cadence.kind),
                            strlen(cadence_name(cadence.kind))) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_startup),    cmocka_unit_test(test_warmup),
        cmocka_unit_test(test_shutdown),   cmocka_unit_test(test_once),
        cmocka_unit_test(test_every_poll), cmocka_unit_test(test_growth),
        cmocka_unit_test(test_periodic),   cmocka_unit_test(test_period_is_rounded),
        cmocka_unit_test(test_per_frame),  cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
