/* SPDX-License-Identifier: MIT */
/*
 * cases.h: the four cases of the comparison and the ladder, as one operation each. What an
 * operation came to is compared with what it must come to; how late a body was told is kept. Called
 * by the bench program.
 */
#ifndef EXAMPLES_TIMEOUTS_CASES_H
#define EXAMPLES_TIMEOUTS_CASES_H

#include "examples/timeouts/way.h"

#include <stdint.h>

#define CASES_LATENESS 4096 /* samples kept, the first ones */

/* What happened in the operations so far. */
struct cases_seen {
    uint64_t operations;
    uint64_t wrong; /* operations that did not come to what they should */
    uint64_t early; /* bodies told before the limit had passed */
    uint32_t late_count;
    int64_t late[CASES_LATENESS]; /* nanoseconds from the deadline until the body went on */
};

struct cases_case {
    const char *name;
    const char *about;
    size_t pending; /* alarms armed around it */
    void (*operation)(const struct way *way, struct cases_seen *seen);
};

/* The list, ended by a case without a name. */
const struct cases_case *cases_all(void);

/* NULL if there is none of that name. */
const struct cases_case *cases_find(const char *name);

/* Around operations: the interrupting thread of externalException, and the alarms of a ladder, an
 * hour and more away, in no order, at most way->most. begin returns 0 or -errno; it does nothing
 * for cases that need nothing. */
int cases_begin(const struct cases_case *one, const struct way *way);
void cases_end(const struct cases_case *one, const struct way *way);

#endif
