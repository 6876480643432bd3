/* SPDX-License-Identifier: MIT */
/*
 * sites.h: turns the caller's stack into a number: a site, or the stack of a poll. The same stack
 * has the same number on every thread and at every address of its modules. The tables are bounded:
 * when they are full, an allocation is booked to its call site, the innermost frames alone, and
 * counted as such.
 *
 * Called with the thread's guard set (thread.h) and no lock held.
 */
#ifndef AR_SITES_H
#define AR_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* At start, or in a new child process, after the region has been made. False: no memory. */
bool ar_sites_start(void);

/* The number of the stack that ends in the caller of the recorder's hook, whose return address
 * `caller` serves where there is no unwinder yet. `flags` are DUMP_STACK_IN_POLL or
 * DUMP_STACK_POLL. 0: there was no room for it. */
uint32_t ar_sites_current(uintptr_t caller, uint32_t flags);

#endif
