/* SPDX-License-Identifier: MIT */
/*
 * liveview.h: the view of a running program on a terminal: when it is read, what keys do, when it
 * is drawn. It waits for nothing itself: `live` calls it from a loop of its own, `run --live` from
 * the ticks of launch.
 */
#ifndef CLI_LIVEVIEW_H
#define CLI_LIVEVIEW_H

#include "cli/follow.h"
#include "cli/screen.h"

#define LIVEVIEW_TICK_MS 100u /* how often it wants to be called: keys wait no longer */

struct liveview {
    struct screen screen;
    struct follow follow; /* if `follows` */
    bool follows;
    const char *program; /* its name, while there is no dump */
    uint64_t interval_ns;
    uint64_t next_ns; /* of the next reading */
    enum reading_order order;
    bool paused;
    bool changed;           /* since it was drawn */
    unsigned rows, columns; /* when it was drawn */
};

/* Takes the terminal `output` (term_can_draw), until liveview_end. `program` must outlive it. */
struct liveview liveview_new(int output, enum term_colour colour, const char *program,
                             uint64_t interval_ns);
void liveview_enter(struct liveview *view);

/* Follows a dump from now on: as follow_start, also in what it returns. */
int liveview_follow(struct liveview *view, const char *path, uint32_t pid, char **reason);

/* Keys, a reading if it is time for one, drawing if something changed. False: q was typed, or the
 * terminal is gone. *taken (may be NULL): whether there was a reading. */
bool liveview_tick(struct liveview *view, bool *taken);

/* Gives the terminal back, as when the process is about to stop, and takes it again. */
void liveview_leave(struct liveview *view);

/* Has the program ended, and been read for the last time? */
bool liveview_is_over(const struct liveview *view);

/* The last view, as plain lines that stay. */
void liveview_print(const struct liveview *view, FILE *out);

/* Gives the terminal back for good. */
void liveview_end(struct liveview *view);

#endif
