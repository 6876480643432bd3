/* SPDX-License-Identifier: MIT */
/*
 * runwords.h: what `run` says of a program and its processes, in words. Called by cmd_run.
 */
#ifndef CLI_RUNWORDS_H
#define CLI_RUNWORDS_H

#include "cli/rundumps.h"

/* As people would type it: relative when it is in the working directory. Points into `path`. */
const char *runwords_path(const char *path);

/* Of several processes that were recorded, sorted, warns which one is reported. */
void runwords_others(const struct rundump *list, size_t count);

/* As a shell says it, a warning; keys of the terminal need no words. `status`: of launch_run.
 * (Programs can also exit with such a code, as shells do for theirs.) */
void runwords_signal(const char *program, int status);

/* How the program failed, for the gate; NULL: it did not. The caller frees. */
char *runwords_failure(int status);

#endif
