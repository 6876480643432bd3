/* SPDX-License-Identifier: MIT */
/*
 * log.h: the recorder's few lines on standard error. Each is one write(2), so that it does not mix
 * with the program's own; at most AR_LOG_LINES are written in a process's life. Nothing is written
 * when descriptor 2 is no longer what it was at start: the program has made it something else.
 * May be called from any thread, in signal handlers and with locks held.
 */
#ifndef AR_LOG_H
#define AR_LOG_H

#include "preload/text.h"

#define AR_LOG_LINES     16u
#define AR_LOG_LINE_MOST 4608u /* a path and some words; what is longer is cut */

/* Remembers what descriptor 2 is. Call once, at start. */
void ar_log_start(void);

/* Their buffers are large: they must not become part of a hook's frame.
 * "allocreport: SUBJECT: REASON"; reason may be NULL. */
void ar_log(const char *subject, const char *reason) __attribute__((noinline, cold));

/* The same for a failed system call: `result` is -errno, said in words where it is a common one. */
void ar_log_failure(const char *subject, const char *path, long result)
    __attribute__((noinline, cold));

#endif
