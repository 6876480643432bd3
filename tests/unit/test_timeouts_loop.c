/* SPDX-License-Identifier: MIT */
/* The wait for SDL events that knows deadlines, as a program's own loop uses it. */
#include "examples/timeouts/loop.h"

#include "tests/unit/timeouts_helper.h"

static int fired;

static void count_fire(struct alarm *alarm)
{
    assert_true(clock_now() >= alarm->deadline);
    fired++;
}

static int start(void **state)
{
    (void)state;
    return way_loop.start();
}

static int stop(void **state)
{
    (void)state;
    way_loop.stop();
    return 0;
}

static void test_no_event(void **state)
{
    SDL_Event event;

    (void)state;
    for (int64_t wait = -CLOCK_SECOND; wait < 20 * CLOCK_MILLISECOND;
         wait += 503 * CLOCK_MILLISECOND) {
        int64_t deadline = clock_now() + wait;

        assert_false(loop_wait_event(&event, deadline));
        assert_true(clock_now() >= deadline);
    }
}

static void test_event(void **state)
{
    SDL_Event event = {.type = SDL_USEREVENT};

    (void)state;
    event.user.code = 7;
    SDL_PushEvent(&event);
    event.user.code = 8;
    SDL_PushEvent(&event);
    event.user.code = 0;
    /* Also when the deadline has passed: an event that is there is not left. */
    assert_true(loop_wait_event(&event, clock_now() - 1));
    assert_int_equal(event.user.code, 7);
    assert_true(loop_wait_event(&event, CLOCK_NEVER));
    assert_int_equal(event.user.code, 8);
    assert_false(loop_wait_event(&event, clock_now()));
}

static void test_alarms(void **state)
{
    int64_t begin = clock_now();
    struct alarm alarms[3];
    SDL_Event event;

    (void)state;
    fired = 0;
    for (int i = 0; i < 3; i++) {
        alarms[i].deadline = begin + (3 - i) * 2 * CLOCK_MILLISECOND;
        alarms[i].fire = count_fire;
        loop_add(&alarms[i]);
    }
    loop_remove(&alarms[1]);
    assert_int_equal(loop_pending(), 2);
    assert_int_equal(fired, 0);
    assert_false(loop_wait_event(&event, begin + 20 * CLOCK_MILLISECOND));
    assert_true(clock_now() >= begin + 20 * CLOCK_MILLISECOND);
    assert_int_equal(fired, 2);
    assert_int_equal(loop_pending(), 0);
    loop_remove(&alarms[0]);
    loop_remove(&alarms[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_event, start, stop),
        cmocka_unit_test_setup_teardown(test_event, start, stop),
        cmocka_unit_test_setup_teardown(test_alarms, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
