/* SPDX-License-Identifier: MIT */
/*
 * The system's time jumps by hours, forth and back, whenever it is read: no timeout moves. The
 * jumps are made here, where the C library's functions that tell it are replaced; a way that sleeps
 * until a time of that clock would sleep for hours, or not at all.
 */
#include "examples/timeouts/timeout.h"
#include "tests/unit/timeouts_helper.h"

static bool wait_a_while(void *argument)
{
    int64_t *told = argument;
    bool finished = timeout_wait(200 * CLOCK_MILLISECOND);

    *told = clock_now();
    return finished;
}

static bool wait_a_moment(void *argument)
{
    (void)argument;
    return timeout_wait(CLOCK_MILLISECOND);
}

/* SDL 2 sleeps by the system's time: it is only counted how often it misses. */
static void try_jumps(const struct way *way)
{
    int missed = 0;

    for (int i = 0; i < 6; i++) {
        int64_t begin = clock_now(), limit = 5 * CLOCK_MILLISECOND, told = 0;

        missed += timeout_run(way, limit, wait_a_while, &told) != TIMEOUT_TIMED_OUT;
        assert_true(told >= begin + limit);
        assert_int_equal(timeout_run(way, 60 * CLOCK_SECOND, wait_a_moment, NULL), TIMEOUT_DONE);
    }
    print_message("# missed %d of 6\n", missed);
    if (way != &way_sdl)
        assert_int_equal(missed, 0);
}

static void test_jumps(void **state)
{
    struct timespec first, second;

    (void)state;
    clock_gettime(CLOCK_REALTIME, &first);
    clock_gettime(CLOCK_REALTIME, &second);
    assert_true(second.tv_sec - first.tv_sec > 7200 || first.tv_sec - second.tv_sec > 7200);
    for_each_way(try_jumps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jumps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
