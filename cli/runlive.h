/* SPDX-License-Identifier: MIT */
/*
 * runlive.h: the view of `run --live`, while the program runs in the same terminal. What the
 * program prints there would spoil the view: it goes to a file without a name instead and is
 * printed when the program has ended; what it reads from there is empty, since the keys are the
 * view's. Its streams that are no terminal are left alone. Where standard error is no terminal
 * there is no view but a line for each reading. Called by runview.
 */
#ifndef CLI_RUNLIVE_H
#define CLI_RUNLIVE_H

#include "cli/launch.h"
#include "cli/liveview.h"
#include "cli/out_live.h"
#include "cli/rundumps.h"

struct runlive {
    bool on;    /* --live was given, and q was not typed */
    bool draws; /* else lines */
    const struct rundumps *dumps;
    struct liveview view;
    struct out_live_lines lines;
    bool begun;      /* the lines have their head */
    uint64_t ticks;  /* so far */
    int standard[3]; /* for launch.standard; -1: as they are */
};

/* Before the program starts; `wanted` false: nothing is ever shown. Prints why it cannot be, and is
 * off then. It must not be moved afterwards. */
void runlive_start(struct runlive *live, bool wanted, const struct rundumps *dumps,
                   const char *program, enum term_colour colour);

/* A tick of launch, each LIVEVIEW_TICK_MS. */
void runlive_tick(struct runlive *live, enum launch_event event, pid_t pid);

/* Gives the terminal back, and prints what the program has printed. */
void runlive_end(struct runlive *live);

#endif
