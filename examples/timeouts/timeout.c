/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/timeout.h"

#include "examples/timeouts/clock.h"
#include "examples/timeouts/park.h"

#include <errno.h>

/* `changes` goes up whenever the thread may be told to stop: what its waits sleep on. */
struct timeout_thread {
    atomic_uint changes;
    atomic_bool interrupted;
    _Atomic(const struct way *) way; /* how it waits; NULL before its first scope */
    struct scope *innermost;         /* the thread's own */
};

/* One timeout_run, in that function's frame. */
struct scope {
    struct alarm alarm;
    atomic_bool fired;
    struct timeout_thread *thread;
    struct scope *outer;
};

static _Thread_local struct timeout_thread self;

static void tell(struct timeout_thread *thread)
{
    const struct way *way = atomic_load(&thread->way);

    atomic_fetch_add(&thread->changes, 1);
    if (way != NULL && way->wake != NULL)
        way->wake(&thread->changes);
    else
        park_wake(&thread->changes);
}

static void fire(struct alarm *alarm)
{
    struct scope *scope = (struct scope *)((char *)alarm - offsetof(struct scope, alarm));

    atomic_store(&scope->fired, true);
    tell(scope->thread);
}

struct timeout_thread *timeout_self(void)
{
    return &self;
}

void timeout_interrupt(struct timeout_thread *thread)
{
    atomic_store(&thread->interrupted, true);
    tell(thread);
}

bool timeout_told(void)
{
    if (atomic_load_explicit(&self.interrupted, memory_order_acquire))
        return true;
    for (const struct scope *scope = self.innermost; scope != NULL; scope = scope->outer)
        if (atomic_load_explicit(&scope->fired, memory_order_acquire))
            return true;
    return false;
}

bool timeout_wait(int64_t nanoseconds)
{
    const struct way *way = atomic_load(&self.way);
    int64_t until = clock_after(clock_now(), nanoseconds > 0 ? nanoseconds : 0);

    for (;;) {
        unsigned seen = atomic_load(&self.changes);

        if (timeout_told())
            return false;
        if (clock_now() >= until)
            return true;
        if (way != NULL && way->wait != NULL)
            way->wait(&self.changes, seen, until);
        else
            park_wait(&self.changes, seen, until);
    }
}

/* What became of a scope whose alarm is cancelled. */
static enum timeout_result result_of(struct scope *scope, bool finished)
{
    if (finished)
        return TIMEOUT_DONE;
    if (atomic_load(&scope->fired))
        return TIMEOUT_TIMED_OUT;
    if (scope->outer == NULL)
        atomic_store(&self.interrupted, false);
    return TIMEOUT_INTERRUPTED;
}

enum timeout_result timeout_run(const struct way *way, int64_t limit, bool (*body)(void *argument),
                                void *argument)
{
    struct scope scope;
    int64_t deadline = limit < 0 ? CLOCK_NEVER : clock_after(clock_now(), limit);
    bool finished;

    if (limit == 0)
        return TIMEOUT_TIMED_OUT;
    scope.alarm.deadline = deadline;
    scope.alarm.fire = fire;
    atomic_init(&scope.fired, false);
    scope.thread = &self;
    scope.outer = self.innermost;
    if (atomic_load_explicit(&self.way, memory_order_relaxed) != way)
        atomic_store(&self.way, way);
    if (deadline != CLOCK_NEVER) {
        int failure = way->arm(&scope.alarm);

        if (failure != 0) {
            errno = -failure;
            return TIMEOUT_REFUSED;
        }
    }
    self.innermost = &scope;
    finished = body(argument);
    self.innermost = scope.outer;
    if (deadline != CLOCK_NEVER)
        way->cancel(&scope.alarm);
    return result_of(&scope, finished);
}
