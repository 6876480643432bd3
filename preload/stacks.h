/* SPDX-License-Identifier: MIT */
/*
 * stacks.h: the FRAME and STACK records of the dump, each distinct one once. Takes the lock itself;
 * it must not be held.
 */
#ifndef AR_STACKS_H
#define AR_STACKS_H

#include "preload/modules.h"

/* At start, or in a new child process. False: no memory. */
bool ar_stacks_start(void);

/* The number (dump_stack.id) of this stack, 1..AR_SITES_MOST; 0: it is new and there is no room for
 * it. One of DUMP_STACK_CALL_SITE may use the room that is kept for such. */
uint32_t ar_stacks_number(const struct ar_place *places, unsigned count, uint32_t flags);

#endif
