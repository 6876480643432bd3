/* SPDX-License-Identifier: MIT */
/*
 * rec_helper.h: what the tests of the recorder's core have in common. A program that links the
 * core's modules.c has to have the section of allocation hooks, which the library's hooks make:
 * REC_HOOK_SECTION makes it, with one function that is no hook. Start functions are called once in
 * a program, and in the order of process.c.
 */
#ifndef TESTS_REC_HELPER_H
#define TESTS_REC_HELPER_H

#include "preload/mapfile.h"
#include "preload/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define REC_HOOK_SECTION                                                                           \
    AR_ALLOC_HOOK void rec_no_hook(void);                                                          \
    void rec_no_hook(void)                                                                         \
    {                                                                                              \
    }

/* The dump's file, as if no other thread counted. */
static inline bool make_and_enter(const char *template, const char *program)
{
    return ar_mapfile_exists() || (ar_mapfile_make(template, program) && ar_mapfile_enter());
}

/* What `body` writes to standard error, in a child process: the recorder's lines are limited for
 * each process. Valid until the next call. */
static inline const char *rec_stderr_of(void body(const void *), const void *argument)
{
    static char text[16384];
    size_t length = 0;
    int status = -1;
    ssize_t got;
    int ends[2];
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        if (dup2(ends[1], STDERR_FILENO) < 0)
            _exit(9);
        close(ends[0]);
        close(ends[1]);
        body(argument);
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    text[length] = '\0';
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    assert_int_equal(status, 0);
    return text;
}

#endif
