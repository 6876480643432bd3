/* SPDX-License-Identifier: MIT */
/*
 * statusline.h: one line at the bottom of the terminal that stays there while a program prints
 * above it: the other rows become the scrolling region, so that not a byte of the program's own
 * output is touched. Called by cmd_run.
 */
#ifndef CLI_STATUSLINE_H
#define CLI_STATUSLINE_H

#include <stdbool.h>

struct statusline {
    int descriptor; /* of the terminal; -1: there is none, and nothing is ever drawn */
    bool shown;
    unsigned rows;
};

/* Draws on standard error if that is a terminal that can do it. */
struct statusline statusline_new(void);

/* Draws the text, cut to the terminal's width, without control characters. */
void statusline_show(struct statusline *line, const char *text);

/* Removes the line and gives the row back. Can be shown again afterwards. */
void statusline_hide(struct statusline *line);

#endif
