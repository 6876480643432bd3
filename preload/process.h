/* SPDX-License-Identifier: MIT */
/*
 * process.h: the life of the recorder in one process: its start (at the first allocation that may
 * be recorded, or in the constructor), the making of the dump at the first poll, forks, the end
 * with its one line. Called by the hooks.
 */
#ifndef AR_PROCESS_H
#define AR_PROCESS_H

#include "preload/dump_format.h"

#include <stdbool.h>

/* Is the real allocator known? Starts the recorder if it can start now; until the loader has
 * relocated everything it cannot, and early.h serves. May be called before this library is
 * relocated. */
bool ar_process_ready(void);

/* The program ends in this way: the dump is brought to its end and one line is written. Does
 * nothing in a process that the dump is not of (a vfork's child), or the second time. */
void ar_process_end(enum dump_state state);

/* The program is about to be replaced by another one: the dump says so. True if it does, and then
 * ar_process_exec_failed takes it back when the program was not replaced. Safe in signal handlers
 * and in a vfork's child. */
bool ar_process_exec_begins(void);
void ar_process_exec_failed(void);

/* The program is about to forbid system calls: the dump's file gets room, and no call is made from
 * now on (sys.h). */
void ar_process_freeze(void);

#endif
