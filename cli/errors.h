/* SPDX-License-Identifier: MIT */
/*
 * errors.h: messages to people, and the exit codes that scripts rely on.
 *
 * The leaf that knows the subject prints once, in lower case and without a full stop, and returns
 * -1; its callers pass that on. Only main turns it into an exit code. Nothing else writes to
 * standard error.
 */
#ifndef CLI_ERRORS_H
#define CLI_ERRORS_H

#include <stddef.h>

enum exit_code {
    EXIT_FINE = 0,
    EXIT_EXCEEDED = 1,     /* a budget is exceeded, or a difference was found */
    EXIT_USAGE = 2,        /* a wrong option, argument or budget file */
    EXIT_UNREADABLE = 3,   /* a dump that cannot be read */
    EXIT_INCONCLUSIVE = 4, /* it cannot be told; never a pass */
    EXIT_BETTER = 5,       /* only improvements, where --strict asks for none */
    EXIT_PROGRAM = 6       /* the program that was run failed itself */
};

/* Prints "allocreport: MESSAGE" and returns -1. Control characters in it are shown escaped. */
int error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "allocreport: warning: MESSAGE". */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As malloc, calloc, realloc and strdup; out of memory ends the program with one line. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *block, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2), malloc));

#endif
