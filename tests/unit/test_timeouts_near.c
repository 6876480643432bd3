/* SPDX-License-Identifier: MIT */
/*
 * Near misses: nothing fires once cancel has returned, nothing fires twice or early, with each way.
 * TIMEOUTS_NEAR_MISSES sets their number, for all ways alike.
 */
#include "examples/timeouts/near.h"
#include "tests/unit/timeouts_helper.h"

#define MILLION 1000000u

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SLOWER 10u
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SLOWER 10u
#endif
#endif
#ifndef SLOWER
#define SLOWER 1u
#endif

/* A million for the event manager, a microsecond or two each; a tenth for its brother; a hundredth
 * for those that make a thread for each, and for those that count milliseconds. */
static uint64_t misses_for(const struct way *way)
{
    const char *wanted = getenv("TIMEOUTS_NEAR_MISSES");

    if (wanted != NULL)
        return strtoull(wanted, NULL, 10);
    if (way == &way_event)
        return MILLION / SLOWER;
    return MILLION / (way == &way_futex ? 10 : 100) / SLOWER;
}

static void try_near_misses(const struct way *way)
{
    struct near_counts counts;
    uint64_t misses = misses_for(way);

    assert_int_equal(near_run(way, misses, &counts), 0);
    print_message("# %llu near misses, of which %llu fired\n", (unsigned long long)counts.misses,
                  (unsigned long long)counts.fired);
    assert_true(counts.misses >= misses);
    assert_int_equal(counts.fired + counts.cancelled, counts.misses);
    assert_int_equal(counts.stale, 0);
    assert_int_equal(counts.early, 0);
    /* They were near: neither the deadline nor the cancel was always first. */
    assert_true(counts.fired > 0);
    assert_true(counts.cancelled > 0);
}

static void test_near_misses(void **state)
{
    (void)state;
    for_each_way(try_near_misses);
}

/* A way that breaks each promise is seen to. */
static struct alarm *kept;

static int broken_arm(struct alarm *alarm)
{
    kept = alarm;
    alarm->fire(alarm);
    return 0;
}

static void broken_cancel(struct alarm *alarm)
{
    alarm->fire(alarm);
}

static void test_a_broken_way_is_found(void **state)
{
    static const struct way broken = {
        .name = "broken", .most = SIZE_MAX, .arm = broken_arm, .cancel = broken_cancel};
    struct near_counts counts;

    (void)state;
    assert_int_equal(near_run(&broken, 6400, &counts), 0);
    assert_int_equal(counts.stale, 6400);
    assert_in_range(counts.early, 6400, 2 * 6400);
    assert_non_null(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_misses),
        cmocka_unit_test(test_a_broken_way_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
