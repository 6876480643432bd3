/* SPDX-License-Identifier: MIT */
/*
 * foreign.h: around code that is not the recorder's and works for it: the loader, libc's look-ups,
 * SDL's getters. What it allocates is not the program's (ar_thread_foreign), but what a signal
 * handler allocates would be: so the thread's signals are blocked meanwhile, but those that faults
 * and forbidden system calls bring. For rare look-ups, never in an allocation hook's usual way; no
 * lock may be held. Before the program's own code runs, process.c sets the mark alone.
 */
#ifndef AR_FOREIGN_H
#define AR_FOREIGN_H

#include "preload/lock.h"

struct ar_foreign {
    struct ar_held held;
    bool before; /* it is inside of another */
};

struct ar_foreign ar_foreign_begin(void);
void ar_foreign_end(struct ar_foreign foreign);

#endif
