/* SPDX-License-Identifier: MIT */
/*
 * term.h: what the place that text goes to can show: columns, colour, characters. Looked at once,
 * handed to the text outputs. Knows nothing of what is printed.
 */
#ifndef CLI_TERM_H
#define CLI_TERM_H

#include <stdbool.h>
#include <stdio.h>

enum term_colour { TERM_AUTO = 0, TERM_ALWAYS = 1, TERM_NEVER = 2 };

struct term {
    FILE *out;
    unsigned columns; /* 80 where it is no terminal */
    bool colour;
    bool utf8; /* the locale's characters; ASCII only if not */
};

enum term_style { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_GOOD, TERM_BAD, TERM_HEAD };

/* Colour in TERM_AUTO: only on a terminal, not with NO_COLOR, not with TERM=dumb or none. */
struct term term_of(FILE *out, enum term_colour colour);

/* The sequences that switch a style on and off again; "" without colour. */
const char *term_on(const struct term *term, enum term_style style);
const char *term_off(const struct term *term, enum term_style style);

/* Whether status lines may be drawn on it: a terminal that can move the cursor, in foreground. */
bool term_can_draw(int descriptor);

/* Rows and columns of a terminal; false if it is none. */
bool term_size(int descriptor, unsigned *rows, unsigned *columns);

#endif
