/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/cases.h"

#include "examples/timeouts/clock.h"
#include "examples/timeouts/park.h"
#include "examples/timeouts/timeout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WILL_LIMIT      CLOCK_MICROSECOND
#define WILL_BODY       CLOCK_SECOND
#define WONT_LIMIT      CLOCK_SECOND
#define EXTERNAL_AFTER  (10 * CLOCK_MILLISECOND)
#define EXTERNAL_LIMIT  CLOCK_SECOND
#define NESTED_OUTER    (100 * CLOCK_MILLISECOND)
#define NESTED_INNER    (2 * CLOCK_SECOND)
#define NESTED_BODY     CLOCK_SECOND
#define JUMPS_LIMIT     (5 * CLOCK_MILLISECOND)
#define JUMPS_BODY      (100 * CLOCK_MILLISECOND)
#define LADDER_DEADLINE (3600 * CLOCK_SECOND)

static void count(struct cases_seen *seen, bool right)
{
    seen->operations++;
    seen->wrong += !right;
}

/* A body that waits was told at `told` that the limit set at `begin` has passed. */
static void count_lateness(struct cases_seen *seen, int64_t begin, int64_t limit, int64_t told)
{
    int64_t late = told - (begin + limit);

    if (late < 0)
        seen->early++;
    if (seen->late_count < CASES_LATENESS)
        seen->late[seen->late_count++] = late;
}

/* Waits longer than any limit of these cases; *argument becomes the time when it was told. */
static bool wait_long(void *argument)
{
    int64_t *told = argument;
    bool finished = timeout_wait(WILL_BODY);

    *told = clock_now();
    return finished;
}

static void will_time_out(const struct way *way, struct cases_seen *seen)
{
    int64_t begin = clock_now(), told = 0;

    count(seen, timeout_run(way, WILL_LIMIT, wait_long, &told) == TIMEOUT_TIMED_OUT);
    count_lateness(seen, begin, WILL_LIMIT, told);
}

static bool wait_a_while(void *argument)
{
    int64_t *told = argument;
    bool finished = timeout_wait(JUMPS_BODY);

    *told = clock_now();
    return finished;
}

static void clock_jumps(const struct way *way, struct cases_seen *seen)
{
    int64_t begin = clock_now(), told = 0;
    bool right = timeout_run(way, JUMPS_LIMIT, wait_a_while, &told) == TIMEOUT_TIMED_OUT;

    count(seen, right);
    if (right)
        count_lateness(seen, begin, JUMPS_LIMIT, told);
}

static bool finish_at_once(void *argument)
{
    (void)argument;
    return true;
}

static void wont_time_out(const struct way *way, struct cases_seen *seen)
{
    count(seen, timeout_run(way, WONT_LIMIT, finish_at_once, NULL) == TIMEOUT_DONE);
}

/* Another thread, which is there all the time, so that it costs nothing in an operation. It
 * interrupts EXTERNAL_AFTER after `orders` went up. */
static struct {
    pthread_t thread;
    struct timeout_thread *target;
    atomic_uint orders;
    atomic_bool quit;
} interrupter;

static void *interrupt(void *argument)
{
    unsigned done = 0;

    (void)argument;
    for (;;) {
        atomic_uint never = 0;
        int64_t until;

        while (atomic_load(&interrupter.orders) == done)
            park_wait(&interrupter.orders, done, CLOCK_NEVER);
        done++;
        if (atomic_load(&interrupter.quit))
            return NULL;
        until = clock_now() + EXTERNAL_AFTER;
        while (clock_now() < until)
            park_wait(&never, 0, until);
        timeout_interrupt(interrupter.target);
    }
}

static void order_interrupt(void)
{
    atomic_fetch_add(&interrupter.orders, 1);
    park_wake(&interrupter.orders);
}

static bool wait_for_interrupt(void *argument)
{
    order_interrupt();
    return wait_long(argument);
}

static void external_exception(const struct way *way, struct cases_seen *seen)
{
    int64_t told;

    count(seen, timeout_run(way, EXTERNAL_LIMIT, wait_for_interrupt, &told) == TIMEOUT_INTERRUPTED);
}

struct nested {
    const struct way *way;
    enum timeout_result inner;
    int64_t told;
};

static bool run_inner(void *argument)
{
    struct nested *nested = argument;

    nested->inner = timeout_run(nested->way, NESTED_INNER, wait_long, &nested->told);
    return nested->inner == TIMEOUT_DONE;
}

static void nested_timeouts(const struct way *way, struct cases_seen *seen)
{
    struct nested nested = {.way = way};
    int64_t begin = clock_now();
    bool right = timeout_run(way, NESTED_OUTER, run_inner, &nested) == TIMEOUT_TIMED_OUT;

    count(seen, right && nested.inner == TIMEOUT_INTERRUPTED);
    count_lateness(seen, begin, NESTED_OUTER, nested.told);
}

const struct cases_case *cases_all(void)
{
    static const struct cases_case all[] = {
        {"willTimeout", "1 us limit on a 1 s wait", 0, will_time_out},
        {"wontTimeout", "1 s limit on a body that is done at once", 0, wont_time_out},
        {"externalException", "another thread interrupts a 1 s wait after 10 ms", 0,
         external_exception},
        {"nestedTimeouts", "100 ms around 2 s around a 1 s wait", 0, nested_timeouts},
        {"ladder1", "wontTimeout while 1 other timeout is pending", 1, wont_time_out},
        {"ladder10", "... 10 others", 10, wont_time_out},
        {"ladder1000", "... 1,000 others", 1000, wont_time_out},
        {"ladder100000", "... 100,000 others", 100000, wont_time_out},
        {"clockJumps", "5 ms limit on a 100 ms wait, to be run with jumping_clock.so", 0,
         clock_jumps},
        {0},
    };

    return all;
}

const struct cases_case *cases_find(const char *name)
{
    for (const struct cases_case *one = cases_all(); one->name != NULL; one++)
        if (strcmp(one->name, name) == 0)
            return one;
    return NULL;
}

static struct alarm *ladder;

static void fire_nothing(struct alarm *alarm)
{
    (void)alarm;
}

static void lower(const struct way *way, size_t armed)
{
    while (armed-- > 0)
        way->cancel(&ladder[armed]);
    free(ladder);
    ladder = NULL;
}

/* Deadlines in no order: a multiplicative hash of their number, as seconds. */
static int raise(const struct way *way, size_t pending)
{
    int64_t first = clock_now() + LADDER_DEADLINE;

    ladder = calloc(pending, sizeof *ladder);
    if (ladder == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < pending; i++) {
        int failure;

        ladder[i].deadline = first + (int64_t)((uint32_t)i * 2654435761u % 3600u) * CLOCK_SECOND;
        ladder[i].fire = fire_nothing;
        failure = way->arm(&ladder[i]);
        if (failure != 0) {
            lower(way, i);
            return failure;
        }
    }
    return 0;
}

int cases_begin(const struct cases_case *one, const struct way *way)
{
    if (one->operation == external_exception) {
        atomic_store(&interrupter.orders, 0);
        atomic_store(&interrupter.quit, false);
        interrupter.target = timeout_self();
        return -pthread_create(&interrupter.thread, NULL, interrupt, NULL);
    }
    return one->pending > 0 ? raise(way, one->pending) : 0;
}

void cases_end(const struct cases_case *one, const struct way *way)
{
    if (one->operation == external_exception) {
        atomic_store(&interrupter.quit, true);
        order_interrupt();
        pthread_join(interrupter.thread, NULL);
    }
    if (one->pending > 0)
        lower(way, one->pending);
}
