/* SPDX-License-Identifier: MIT */
/*
 * timeout.h: run a body with a limit of time. Nothing here knows how deadlines are kept: that is
 * the implementation's, of way.h. Nothing here allocates.
 *
 * C has no exceptions that one thread could throw into another, so a body is told: its timeout_wait
 * returns false, and it returns. Each scope knows its own limit: a body inside two scopes whose
 * outer one runs out is told; the inner timeout_run returns interrupted, the outer one timed out.
 */
#ifndef EXAMPLES_TIMEOUTS_TIMEOUT_H
#define EXAMPLES_TIMEOUTS_TIMEOUT_H

#include "examples/timeouts/way.h"

#include <stdbool.h>
#include <stdint.h>

enum timeout_result {
    TIMEOUT_DONE,        /* the body finished */
    TIMEOUT_TIMED_OUT,   /* it did not, and its own limit has passed */
    TIMEOUT_INTERRUPTED, /* it did not: an outer limit passed, or another thread interrupted it */
    TIMEOUT_REFUSED      /* the alarm could not be armed, errno says why; the body did not run */
};

/*
 * Runs body(argument), which returns whether it finished, with a limit in nanoseconds:
 *   > 0  the body is told when it has passed, and not before;
 *   0    the limit has passed already: timed out, and the body does not run;
 *   < 0  no limit; so is one beyond the end of the clock, in 2262 at the earliest.
 * When it returns, nothing of it is armed or under way, whatever the body did. A body that finished
 * in the last moment is done, even if its limit passed meanwhile. Scopes of one thread nest; all
 * use the same way.
 */
enum timeout_result timeout_run(const struct way *way, int64_t limit, bool (*body)(void *argument),
                                void *argument);

/* Inside a body: waits. True when that time has passed; false as soon as the body is told to stop.
 */
bool timeout_wait(int64_t nanoseconds);

/* Inside a body that does not wait: whether it is told to stop. */
bool timeout_told(void);

/* The calling thread, for others to interrupt. Valid as long as the thread lives. */
struct timeout_thread *timeout_self(void);

/*
 * Interrupts what that thread runs, from any thread: all scopes that it is in are told. If it is in
 * none, the next is. It holds until an outermost timeout_run has returned TIMEOUT_INTERRUPTED.
 */
void timeout_interrupt(struct timeout_thread *thread);

#endif
