/* SPDX-License-Identifier: MIT */
/*
 * runview.h: what `run` looks at and shows while its program runs: the status line or the view of
 * --live, and which processes go without the recorder. Called by cmd_run, and by launch as its
 * tick.
 */
#ifndef CLI_RUNVIEW_H
#define CLI_RUNVIEW_H

#include "cli/runlive.h"
#include "cli/runstatus.h"
#include "cli/unseen.h"

struct runview {
    struct runstatus shown;
    struct unseen unseen;
    struct runlive live;
    unsigned ticks;
};

struct runview_options {
    const struct rundumps *dumps;
    const char *program, *recorder;
    bool quiet; /* no status line */
    bool live;  /* the view instead */
    enum term_colour colour;
};

/* It must not be moved afterwards. */
void runview_start(struct runview *view, const struct runview_options *options);

/* Milliseconds from tick to tick; `data` of the tick is the struct runview. */
unsigned runview_tick_ms(const struct runview *view);
void runview_tick(enum launch_event event, pid_t pid, void *data);

/* When the program has ended: gives the terminal back. `unseen` stays, until runview_end. */
void runview_hide(struct runview *view);
void runview_end(struct runview *view);

#endif
