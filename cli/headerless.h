/* SPDX-License-Identifier: MIT */
/*
 * headerless.h: the live file of a program that was killed while it made its dump: nothing has been
 * written to it yet, so it says neither whose it is nor where it belongs. It removes nothing.
 * Called by settle.c alone.
 */
#ifndef CLI_HEADERLESS_H
#define CLI_HEADERLESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Is `name` in the open directory a file without a header, last written at least `age` seconds ago,
 * that no process has open for writing, and that the process `pid`, of which the name speaks, can
 * no longer be about to write: it is gone, or began after the file was written? False too where any
 * of that cannot be told. */
bool headerless_is_left(int directory, const char *name, pid_t pid, time_t age);

#endif
