/* SPDX-License-Identifier: MIT */
#include "preload/clock.c" /* to put another clock beneath it */

#include "tests/unit/rec_core_helper.h"

REC_HOOK_SECTION

#define SECOND UINT64_C(1000000000)
#define HOUR   (3600 * SECOND)
#define WEEK   (168 * HOUR)

static uint64_t fake_ns;

static int fake_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){(time_t)(fake_ns / SECOND), (long)(fake_ns % SECOND)};
    return 0;
}

/* From a time on that nobody has seen yet. */
static void fake_clock(bool ticks)
{
    uint64_t now = ar_clock_ns();

    libc_clock_gettime = fake_gettime;
    ticks_usable = ticks;
    fake_ns = now + HOUR;
}

static void test_follows(void **state)
{
    (void)state;
    fake_clock(false);
    for (unsigned i = 0; i < 1000; i++) {
        struct ar_stopwatch watch = {0};

        fake_ns += i * SECOND;
        assert_int_equal(ar_clock_ns(), fake_ns);
        assert_int_equal(ar_stopwatch_ns(&watch), fake_ns);
    }
}

/* It stands still until the clock has come back to where it was. */
static void stands_still(bool ticks)
{
    struct ar_stopwatch watch = {0};
    uint64_t before = 0;
    uint64_t most;

    fake_clock(ticks);
    most = fake_ns + HOUR;
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t ns = ar_stopwatch_ns(&watch);

        assert_true(ns >= before);
        assert_true(ar_clock_ns() >= before);
        before = ns;
        fake_ns = i % 3 == 0 ? most - HOUR + i : i % 3 == 1 ? most : most - i * SECOND;
    }
    /* Beside what the ticks may add between two looks. */
    assert_true(before >= most && before <= most + AR_STOPWATCH_NS);
    fake_ns = most + HOUR;
    assert_int_equal(ar_clock_ns(), fake_ns);
}

static void test_backwards(void **state)
{
    (void)state;
    stands_still(false);
    stands_still(true);
}

static const struct dump_loop *only_loop(void)
{
    const struct dump_loop *loop = NULL;

    for (uint64_t at = DUMP_HEADER_SIZE; at < ar_header()->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);

        if (chunk->type == DUMP_LOOP && chunk->count > 0) {
            assert_null(loop);
            assert_int_equal(chunk->count, 1);
            loop = (const void *)(chunk + 1);
        }
        at += chunk->size;
    }
    assert_non_null(loop);
    return loop;
}

/* The longest time from one poll to the next. */
static uint64_t longest_interval(void)
{
    uint64_t most = 0;

    for (uint64_t at = DUMP_HEADER_SIZE; at < ar_header()->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);

        for (uint64_t i = 0; chunk->type == DUMP_HISTOGRAM && i < chunk->count; i++) {
            const struct dump_histogram *each =
                (const void *)((const char *)(chunk + 1) + i * chunk->record_size);

            if (each->series == DUMP_SERIES_INTERVAL_NS && each->most > most)
                most = each->most;
        }
        at += chunk->size;
    }
    return most;
}

/* A poll every three seconds, a millisecond long each; the clock jumps every few hours. */
static void test_week(void **state)
{
    const unsigned polls = WEEK / (3 * SECOND);
    uint64_t used = 0;
    struct totals totals;
    const struct dump_loop *loop;

    (void)state;
    fake_clock(false);
    for (unsigned i = 0; i < polls; i++) {
        if (i % 5000 == 4999)
            fake_ns = i % 10000 < 5000 ? fake_ns + HOUR : fake_ns - 2 * HOUR;
        fake_ns += 3 * SECOND - 1000000;
        alloc(64, 100);
        assert_true(begin_poll());
        release(64);
        fake_ns += 1000000;
        end_poll(false);
        if (i == polls / 2)
            used = ar_header()->used;
    }
    totals = add_up();
    assert_int_equal(totals.polls, polls);
    check_amount(&totals.threads, polls, 100 * (uint64_t)polls, 0, polls, 100 * (uint64_t)polls);
    check_amount(&totals.sites, polls, 100 * (uint64_t)polls, 0, polls, 100 * (uint64_t)polls);
    no_losses();
    assert_int_equal(ar_header()->used, used); /* it has long stopped to grow */
    loop = only_loop();
    assert_true(loop->poll_ns <= (uint64_t)polls * 1000000);
    assert_true(loop->poll_ns + loop->between_ns == loop->last_ns - loop->first_ns);
    assert_int_equal(ar_header()->last_ns, loop->last_ns);
    assert_true(loop->last_ns < 3 * WEEK);
    assert_in_range(longest_interval(), HOUR, HOUR + 4 * SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test_setup(test_week, renew),
    };

    return cmocka_run_group_tests(tests, start, end);
}
