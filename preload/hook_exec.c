/* SPDX-License-Identifier: MIT */
/*
 * hook_exec.c: a program that replaces itself by another: the dump says so, which else could not be
 * told from a kill. All of libc's names, since they do not call each other by name. Between fork
 * and exec only what is safe in a signal handler may be called, and of a vfork's child nothing is
 * told.
 */
#include "preload/process.h"
#include "preload/real.h"
#include "preload/sys.h"

#include <alloca.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The last step of each: it returns only when the program was not replaced. */
#define REPLACE(member, ...)                                                                       \
    do {                                                                                           \
        bool told;                                                                                 \
        int result;                                                                                \
                                                                                                   \
        if (ar_real.member == NULL && (!ar_process_ready() || ar_real.member == NULL)) {           \
            errno = ENOSYS;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        told = ar_process_exec_begins();                                                           \
        result = ar_real.member(__VA_ARGS__);                                                      \
        if (told)                                                                                  \
            ar_process_exec_failed();                                                              \
        return result;                                                                             \
    } while (0)

EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    REPLACE(execve, path, arguments, environment);
}

EXPORT int execv(const char *path, char *const arguments[])
{
    REPLACE(execv, path, arguments);
}

EXPORT int execvp(const char *file, char *const arguments[])
{
    REPLACE(execvp, file, arguments);
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    REPLACE(execvpe, file, arguments, environment);
}

EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
    REPLACE(fexecve, fd, arguments, environment);
}

EXPORT int execveat(int directory, const char *path, char *const arguments[],
                    char *const environment[], int flags)
{
    REPLACE(execveat, directory, path, arguments, environment, flags);
}

static size_t count_list(const char *first, va_list list)
{
    size_t count = 0;

    for (const char *each = first; each != NULL; each = va_arg(list, const char *))
        count++;
    return count;
}

/* `first`, the variable arguments and the NULL behind them as `arguments`, an array of the caller's
 * frame; `last` is the variable argument behind that NULL, if there is one. */
#define TAKE_LIST(first, arguments, last, has_last)                                                \
    do {                                                                                           \
        size_t count;                                                                              \
        va_list list;                                                                              \
                                                                                                   \
        va_start(list, first);                                                                     \
        count = count_list(first, list);                                                           \
        va_end(list);                                                                              \
        arguments = alloca((count + 1) * sizeof *arguments);                                       \
        va_start(list, first);                                                                     \
        arguments[0] = (char *)(uintptr_t)first;                                                   \
        for (size_t i = 1; i <= count; i++)                                                        \
            arguments[i] = va_arg(list, char *);                                                   \
        if (has_last)                                                                              \
            last = va_arg(list, char *const *);                                                    \
        va_end(list);                                                                              \
    } while (0)

EXPORT int execl(const char *path, const char *first, ...)
{
    char *const *unused = NULL;
    char **arguments;

    TAKE_LIST(first, arguments, unused, false);
    (void)unused;
    REPLACE(execv, path, arguments);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
    char *const *unused = NULL;
    char **arguments;

    TAKE_LIST(first, arguments, unused, false);
    (void)unused;
    REPLACE(execvp, file, arguments);
}

EXPORT int execle(const char *path, const char *first, ...)
{
    char *const *environment = NULL;
    char **arguments;

    TAKE_LIST(first, arguments, environment, true);
    REPLACE(execve, path, arguments, environment);
}
