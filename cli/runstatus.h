/* SPDX-License-Identifier: MIT */
/*
 * runstatus.h: what the status line says while a program runs: polls, polls per second, bytes per
 * poll, read from the dump that grows. Called by cmd_run, and by launch as its tick.
 */
#ifndef CLI_RUNSTATUS_H
#define CLI_RUNSTATUS_H

#include "cli/launch.h"
#include "cli/rundumps.h"
#include "cli/statusline.h"

#define RUNSTATUS_MS 500u /* between two looks */

struct runstatus {
    struct statusline line;
    const struct rundumps *dumps;
    const char *program;
    uint32_t pid; /* of the dump that was looked at last */
    uint64_t polls, bytes, ns;
};

/* Draws nothing if `draws` is false or standard error is no terminal. */
struct runstatus runstatus_new(const struct rundumps *dumps, const char *program, bool draws);

/* A launch tick; `data` is the struct runstatus. */
void runstatus_tick(enum launch_event event, pid_t pid, void *data);

void runstatus_end(struct runstatus *status);

#endif
