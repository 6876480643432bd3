/* SPDX-License-Identifier: MIT */
#include "cli/term.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_LEAST 60u
#define COLUMNS_MOST  160u /* wider lines are hard to follow */

static bool is_dumb(void)
{
    const char *name = getenv("TERM");

    return name == NULL || *name == '\0' || strcmp(name, "dumb") == 0;
}

bool term_size(int descriptor, unsigned *rows, unsigned *columns)
{
    struct winsize size;

    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

static bool wants_colour(int descriptor, enum term_colour colour)
{
    const char *no_colour = getenv("NO_COLOR");

    if (colour != TERM_AUTO)
        return colour == TERM_ALWAYS;
    if (no_colour != NULL && *no_colour != '\0')
        return false;
    return isatty(descriptor) && !is_dumb();
}

struct term term_of(FILE *out, enum term_colour colour)
{
    struct term term = {.out = out, .columns = 80};
    int descriptor = fileno(out);
    unsigned rows, columns;

    if (isatty(descriptor) && term_size(descriptor, &rows, &columns))
        term.columns = columns < COLUMNS_LEAST  ? COLUMNS_LEAST
                       : columns > COLUMNS_MOST ? COLUMNS_MOST
                                                : columns;
    term.colour = wants_colour(descriptor, colour);
    term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return term;
}

const char *term_on(const struct term *term, enum term_style style)
{
    if (!term->colour)
        return "";
    switch (style) {
    case TERM_PLAIN:
        return "";
    case TERM_BOLD:
        return "\033[1m";
    case TERM_DIM:
        return "\033[2m";
    case TERM_GOOD:
        return "\033[1;32m";
    case TERM_BAD:
        return "\033[1;31m";
    case TERM_HEAD:
        return "\033[4m";
    }
    return "";
}

const char *term_off(const struct term *term, enum term_style style)
{
    return term->colour && style != TERM_PLAIN ? "\033[0m" : "";
}

bool term_can_draw(int descriptor)
{
    return isatty(descriptor) && !is_dumb() && tcgetpgrp(descriptor) == getpgrp();
}
