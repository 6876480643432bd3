/* SPDX-License-Identifier: MIT */
/*
 * unwind.h: walks the caller's stack by libunwind, which is opened at start in a scope of its own:
 * its names do not reach the program, and the program's open, write or mmap do not reach it. The
 * only file that knows libunwind is unwind.c.
 */
#ifndef AR_UNWIND_H
#define AR_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* At start, where dlopen may be called. False: there is no unwinder; `why` (text) says so. */
bool ar_unwind_start(void);

/* What walks the stacks, or why nothing does. */
const char *ar_unwind_description(void);

/* Return addresses, innermost first, this function's caller among them; at most `most`. 0: no
 * unwinder. It may call dl_iterate_phdr and allocate thread-local storage: no lock may be held. */
unsigned ar_unwind(uintptr_t *addresses, unsigned most);

#endif
