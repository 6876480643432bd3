/* SPDX-License-Identifier: MIT */
/*
 * bound.h: whose malloc the program and its libraries reach: the recorder's, or one that hides it.
 * Called by blind.c, never inside an allocation hook.
 */
#ifndef AR_BOUND_H
#define AR_BOUND_H

#include <stdint.h>

/* In the constructor: looks whether a malloc stands before this library's. It may wait for the
 * loader. */
void ar_bound_start(void);

/*
 * DUMP_FACT_OWN_MALLOC, _MALLOC_FIRST and _DEEPBIND, as far as they hold: of each loaded object it
 * reads which function its calls of malloc are bound to. Waits for the loader's lock. Before
 * ar_bound_start it tells nothing.
 */
uint32_t ar_bound_look(void);

/* Path of the first object that was found to reach another malloc, or "". */
const char *ar_bound_bypass(void);

#endif
