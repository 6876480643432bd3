/* SPDX-License-Identifier: MIT */
/*
 * launch.h: starts a program under the recorder and stays with it until it ends. The program runs
 * in the caller's process group, so that the terminal and its keys are the program's as they would
 * be without: keys reach it by themselves, signals that others send to this process are passed on,
 * and when the group is stopped this process stops as well.
 *
 * It knows nothing of dumps. Called by cmd_run.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include <stddef.h>
#include <sys/types.h>

#define LAUNCH_NOT_RUNNABLE 126 /* exit codes, as of a shell */
#define LAUNCH_NOT_FOUND    127
#define LAUNCH_SIGNAL       128 /* and the signal's number */

struct launch_variable {
    const char *name;
    const char *value;
};

struct launch {
    char **arguments;                        /* of the program, its name first; NULL ends them */
    const struct launch_variable *variables; /* set in its environment */
    size_t variable_count;
    /* Descriptors that become the program's standard input, output and error; NULL, or -1 for one:
     * it has this process's. */
    const int *standard;

    /* Called each `tick_ms` while it runs, and when it stops, goes on or the terminal's size
     * changes; NULL: never. */
    enum launch_event { LAUNCH_TICK, LAUNCH_STOP, LAUNCH_GO_ON } event; /* for `tick` alone */
    void (*tick)(enum launch_event event, pid_t pid, void *data);
    void *data;
    unsigned tick_ms;
};

/*
 * Runs the program to its end. Returns its exit code, or LAUNCH_SIGNAL + n if a signal ended it.
 * *pid is its pid; 0: it was not started, the reason was printed, and what is returned says why
 * (LAUNCH_NOT_FOUND, LAUNCH_NOT_RUNNABLE).
 */
int launch_run(const struct launch *launch, pid_t *pid);

#endif
