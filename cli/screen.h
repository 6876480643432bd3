/* SPDX-License-Identifier: MIT */
/*
 * screen.h: a whole terminal for as long as a view is shown, and the keys that are typed there:
 * plain control sequences (ECMA-48, and xterm's for the second screen). What stood there before is
 * there again afterwards, as are the terminal's modes. Knows nothing of what it shows. Called by
 * the commands with a view.
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/term.h"

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

struct screen {
    int output; /* the terminal */
    int keys;   /* where keys come from; -1: nowhere */
    bool colour, utf8;
    bool shown;
    struct termios before; /* modes of `keys` */
};

struct screen_line {
    enum term_style style;
    char *text; /* safe to print, without control sequences; cut where the terminal ends */
};

/* Draws on `output`, which term_can_draw; keys come from standard input if that is a terminal. */
struct screen screen_new(int output, enum term_colour colour);

/* Takes the terminal, and gives it back; each does nothing the second time. exit() gives it back
 * too. Control-C and Control-Z stay signals: the caller must give it back before they stop or end
 * the process. */
void screen_enter(struct screen *screen);
void screen_leave(struct screen *screen);

/* Draws the lines from the top, nothing below them, in one write. */
void screen_draw(const struct screen *screen, const struct screen_line *lines, size_t count);

#define SCREEN_NO_KEY  (-1)
#define SCREEN_HUNG_UP (-2) /* the terminal is gone */
/* The next key that was typed, as a byte; keys that send several bytes are left out. Does not
 * wait. */
int screen_key(const struct screen *screen);

#endif
