/* SPDX-License-Identifier: MIT */
/* What timeout_run promises, with each way: results, limits, nesting, interruption, nothing left.
 */
#include "examples/timeouts/timeout.h"
#include "tests/unit/timeouts_helper.h"

#include <pthread.h>

struct job {
    const struct way *way;
    int64_t wait;     /* what the body waits; < 0: it is done at once */
    int64_t told;     /* when it went on */
    size_t pending;   /* seen from inside */
    unsigned entered; /* how often it ran */
};

static bool work(void *argument)
{
    struct job *job = argument;
    bool finished;

    job->entered++;
    job->pending = job->way->pending();
    finished = job->wait < 0 || timeout_wait(job->wait);
    job->told = clock_now();
    return finished;
}

static void try_limits(const struct way *way)
{
    struct job job = {.way = way, .wait = -1};

    assert_int_equal(timeout_run(way, 0, work, &job), TIMEOUT_TIMED_OUT);
    assert_int_equal(job.entered, 0);
    assert_int_equal(timeout_run(way, -1, work, &job), TIMEOUT_DONE);
    assert_int_equal(timeout_run(way, INT64_MIN, work, &job), TIMEOUT_DONE);
    assert_int_equal(timeout_run(way, INT64_MAX, work, &job), TIMEOUT_DONE);
    assert_int_equal(job.entered, 3);
    assert_int_equal(job.pending, 0);
    assert_int_equal(timeout_run(way, INT64_MAX / 2, work, &job), TIMEOUT_DONE);
    assert_int_equal(job.pending, 1);
    job.wait = 3 * CLOCK_MILLISECOND;
    assert_int_equal(timeout_run(way, INT64_MAX / 2, work, &job), TIMEOUT_DONE);
    assert_int_equal(timeout_run(way, -1, work, &job), TIMEOUT_DONE);
    assert_int_equal(job.entered, 6);
}

static void test_limits(void **state)
{
    (void)state;
    for_each_way(try_limits);
}

static void try_never_early(const struct way *way)
{
    for (int64_t limit = 1; limit < 20 * CLOCK_MILLISECOND; limit = limit * 7 / 2 + 1) {
        struct job job = {.way = way, .wait = 3600 * CLOCK_SECOND};
        int64_t begin = clock_now();

        assert_int_equal(timeout_run(way, limit, work, &job), TIMEOUT_TIMED_OUT);
        assert_true(job.told >= begin + limit);
        assert_int_equal(way->pending(), 0);
    }
}

static void test_never_early(void **state)
{
    (void)state;
    for_each_way(try_never_early);
}

static void try_done_in_time(const struct way *way)
{
    for (int i = 0; i < 50; i++) {
        struct job job = {.way = way, .wait = i % 2 == 0 ? 100 * CLOCK_MICROSECOND : -1};

        assert_int_equal(timeout_run(way, 3600 * CLOCK_SECOND, work, &job), TIMEOUT_DONE);
        assert_int_equal(job.pending, 1);
        assert_int_equal(way->pending(), 0);
    }
}

static void test_done_in_time(void **state)
{
    (void)state;
    for_each_way(try_done_in_time);
}

/* Scopes from the outermost on, of which the first with the shortest limit must time out. */
struct nest {
    const struct way *way;
    const int64_t *limits;
    enum timeout_result *results;
    unsigned left;
};

static bool run_nest(void *argument)
{
    struct nest *nest = argument;
    struct nest inner = {nest->way, nest->limits + 1, nest->results + 1, nest->left - 1};

    if (nest->left == 0)
        return timeout_wait(3600 * CLOCK_SECOND);
    *nest->results = timeout_run(nest->way, *nest->limits, run_nest, &inner);
    return *nest->results == TIMEOUT_DONE;
}

static void try_nesting(const struct way *way)
{
    static const int64_t shorter = 3 * CLOCK_MILLISECOND, longer = 3600 * CLOCK_SECOND;

    for (unsigned which = 0; which < 4; which++) {
        int64_t limits[4];
        enum timeout_result results[4];
        struct nest nest = {way, limits, results, 4};

        for (unsigned i = 0; i < 4; i++) {
            limits[i] = i == which ? shorter : longer + i;
            results[i] = TIMEOUT_REFUSED;
        }
        assert_false(run_nest(&nest));
        /* The inner ones are interrupted; the outer ones' bodies stop since theirs did. */
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(results[i], i == which ? TIMEOUT_TIMED_OUT : TIMEOUT_INTERRUPTED);
        assert_int_equal(way->pending(), 0);
    }
}

static void test_nesting(void **state)
{
    (void)state;
    for_each_way(try_nesting);
}

/* The inner limit passes, and the outer body goes on as if nothing had been. */
static bool outlive_inner(void *argument)
{
    const struct way *way = argument;
    struct job job = {.way = way, .wait = 3600 * CLOCK_SECOND};

    for (int i = 0; i < 3; i++) {
        assert_int_equal(timeout_run(way, CLOCK_MILLISECOND, work, &job), TIMEOUT_TIMED_OUT);
        assert_false(timeout_told());
    }
    return timeout_wait(CLOCK_MILLISECOND);
}

static void try_inner_alone(const struct way *way)
{
    assert_int_equal(timeout_run(way, 3600 * CLOCK_SECOND, outlive_inner, (void *)(uintptr_t)way),
                     TIMEOUT_DONE);
}

static void test_inner_alone(void **state)
{
    (void)state;
    for_each_way(try_inner_alone);
}

static void *interrupt(void *argument)
{
    struct timespec pause = clock_timespec(CLOCK_MILLISECOND);

    nanosleep(&pause, NULL);
    timeout_interrupt(argument);
    return NULL;
}

static void try_interrupt(const struct way *way)
{
    for (int i = 0; i < 10; i++) {
        int64_t limits[2] = {3600 * CLOCK_SECOND, 7200 * CLOCK_SECOND};
        enum timeout_result results[2];
        struct nest nest = {way, limits, results, 2};
        struct job job = {.way = way, .wait = -1};
        pthread_t other;

        assert_int_equal(pthread_create(&other, NULL, interrupt, timeout_self()), 0);
        assert_false(run_nest(&nest));
        assert_int_equal(way->pending(), 0);
        assert_int_equal(results[0], TIMEOUT_INTERRUPTED);
        assert_int_equal(results[1], TIMEOUT_INTERRUPTED);
        pthread_join(other, NULL);
        /* It was taken by the outermost: the next is not interrupted. */
        job.wait = CLOCK_MICROSECOND;
        assert_int_equal(timeout_run(way, 3600 * CLOCK_SECOND, work, &job), TIMEOUT_DONE);
    }
}

static void test_interrupt(void **state)
{
    (void)state;
    for_each_way(try_interrupt);
}

#define ROUNDS 100

/* Limits that pass and limits that do not, by turns. */
static void *run_rounds(void *argument)
{
    const struct way *way = argument;
    uintptr_t wrong = 0;

    for (int i = 0; i < ROUNDS; i++) {
        struct job will = {.way = way, .wait = 3600 * CLOCK_SECOND};
        struct job wont = {.way = way, .wait = -1};
        int64_t begin = clock_now(), limit = 1 + i % 50 * CLOCK_MICROSECOND;

        wrong += timeout_run(way, limit, work, &will) != TIMEOUT_TIMED_OUT;
        wrong += will.told < begin + limit;
        wrong += timeout_run(way, 3600 * CLOCK_SECOND, work, &wont) != TIMEOUT_DONE;
    }
    return (void *)wrong;
}

/* Any number of threads use those that have threads of their own. */
static void try_threads(const struct way *way)
{
    pthread_t others[3];

    for (unsigned i = 0; way->wait == NULL && i < 3; i++)
        assert_int_equal(pthread_create(&others[i], NULL, run_rounds, (void *)(uintptr_t)way), 0);
    assert_null(run_rounds((void *)(uintptr_t)way));
    for (unsigned i = 0; way->wait == NULL && i < 3; i++) {
        void *wrong;

        pthread_join(others[i], &wrong);
        assert_null(wrong);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for_each_way(try_threads);
}

/* Threads that nobody joins, and the kernel's end of those that somebody does, take a moment. */
static void wait_for_threads(int wanted)
{
    int64_t until = clock_now() + 20 * CLOCK_SECOND;
    struct timespec pause = clock_timespec(CLOCK_MILLISECOND);

    while (threads() != wanted && clock_now() < until)
        nanosleep(&pause, NULL);
    assert_int_equal(threads(), wanted);
}

/* After each stop there are as many threads as before the first start, and as many descriptors as
 * after the first stop: SDL keeps what it opens once. */
static void test_nothing_is_left(void **state)
{
    int before = threads();

    (void)state;
    for (const struct way *const *way = way_all(); *way != NULL; way++) {
        int open = 0;

        print_message("# %s\n", (*way)->name);
        for (int round = 0; round < 3; round++) {
            assert_int_equal((*way)->start(), 0);
            try_never_early(*way);
            try_done_in_time(*way);
            try_interrupt(*way);
            assert_int_equal((*way)->pending(), 0);
            (*way)->stop();
            if (round == 0)
                open = descriptors();
        }
        wait_for_threads(before);
        assert_int_equal(descriptors(), open);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_never_early),
        cmocka_unit_test(test_done_in_time), cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_inner_alone),  cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_nothing_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
