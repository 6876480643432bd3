/* SPDX-License-Identifier: MIT */
/*
 * target.h: what the programs that tests record have in common. A program prints what must be
 * counted at its functions, one line each,
 *
 *     expect: PID FUNCTION key=value ...
 *
 * and the tests compare that with the sites of process PID in whose stacks FUNCTION stands; the
 * keys are those of `allocreport sites --json`. It prints the same with and without a recorder.
 */
#ifndef TESTS_TARGET_H
#define TESTS_TARGET_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A frame of its own in each stack. */
#define TARGET __attribute__((noinline))

/* Blocks pass through here, so that no compiler takes an allocation away. */
static void *volatile target_sink;

static inline void *target_keep(void *block)
{
    target_sink = block;
    return block; /* another thread may have put its own there */
}

/* Allocates nothing: a function may speak of itself. */
__attribute__((format(printf, 2, 3))) static inline void expect(const char *function,
                                                                const char *format, ...)
{
    char line[512];
    va_list values;
    int length = snprintf(line, sizeof line, "expect: %d %s ", (int)getpid(), function);

    va_start(values, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length, format, values);
    va_end(values);
    line[length++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

/* Says what is wrong and ends the program when `right` is false. */
#define must(right)                                                                                \
    do {                                                                                           \
        if (!(right)) {                                                                            \
            printf("%s:%d: wrong: %s\n", __FILE__, __LINE__, #right);                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
