/* SPDX-License-Identifier: MIT */
/*
 * sites.h: turns the calling stack into a number: a site, or the stack of a poll. The same stack
 * has the same number on every thread and at every address of its modules. First the thread's memo
 * is asked; else the stack is walked, and looked up by all its addresses. The tables are bounded:
 * when they are full, an allocation is booked to its call site, the innermost frames alone, and
 * counted as such.
 *
 * Called with the thread's guard set (thread.h) and no lock held.
 */
#ifndef AR_SITES_H
#define AR_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* What sites.c keeps for one thread: its memo, and what is known of its stacks. Zero pages. */
struct ar_stack_state;

/* NULL: no memory; then every stack of the thread is its call site. */
struct ar_stack_state *ar_sites_new_state(void);

/* The thread's counters have moved: pointers to them are forgotten. */
void ar_sites_forget_counters(struct ar_stack_state *state);

/* Another thread takes the state over: what was known of the first one's stack is forgotten. */
void ar_sites_renew_state(struct ar_stack_state *state);

/* At start, or in a new child process, after the region has been made. False: no memory. */
bool ar_sites_start(void);

struct dump_counter;
struct ar_site {
    uint32_t number;
    struct dump_counter *
        *counter; /* where the thread's counter of it is kept, once it was put there;
                     NULL: nowhere. Valid until the next call for this state. */
};

/*
 * The stack that called the hook whose frame address is `frame` and return address is `caller`.
 * `flags` are DUMP_STACK_IN_POLL or DUMP_STACK_POLL.
 *
 * ar_sites_remembered asks the memo alone: number 0 when it is not there. ar_sites_walked is then
 * to be called; it may allocate for the unwinder and change errno. Number 0: there was no room for
 * the stack.
 */
struct ar_site ar_sites_remembered(struct ar_stack_state *state, uintptr_t frame, uintptr_t caller,
                                   uint32_t flags);
struct ar_site ar_sites_walked(struct ar_stack_state *state, uintptr_t frame, uintptr_t caller,
                               uint32_t flags);

/* The number of the call, returning to `caller`, of a poll, whatever stack it was made from; of
 * `caller` 0: of polls of all kinds. It is a stack of one frame, or none. 0: there was no room for
 * it. Does not change errno. */
uint32_t ar_sites_poll_call(uintptr_t caller);

/* The site of a signal handler's allocation that interrupted the recorder: its caller alone, since
 * the thread's state is in use. For a handler: it takes the lock. 0: there was no room. */
uint32_t ar_sites_interrupting(uintptr_t caller, uint32_t flags);

/* The site of allocations whose stack is not taken (ALLOCREPORT_SAMPLE): it has no frames. */
struct ar_site ar_sites_unsampled(uint32_t flags);

#endif
