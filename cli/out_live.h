/* SPDX-License-Identifier: MIT */
/*
 * out_live.h: what `live` shows of a running program: the lines of a whole screen, or one line, as
 * text or JSON, for each reading. Called by liveview and cmd_live.
 */
#ifndef CLI_OUT_LIVE_H
#define CLI_OUT_LIVE_H

#include "cli/follow.h"
#include "cli/screen.h"

struct out_live {
    const struct follow *follow; /* NULL: the program has no dump yet */
    const char *program;         /* its name, where it has none */
    enum reading_order order;
    bool paused;
    bool keys; /* a line says which there are */
    bool utf8;
    unsigned rows, columns;
};

/* The screen, from the top, at most `rows` lines; the caller frees them by out_live_free. */
struct screen_line *out_live_screen(const struct out_live *view, size_t *count);
void out_live_free(struct screen_line *lines, size_t count);

/* One line for each reading, of what happened since the one before. */
struct out_live_lines {
    FILE *out;
    struct term term;
    bool json;
    enum reading_order order;
    size_t limit;     /* sites of a line; text names the first alone */
    const char *unit; /* that the head which was printed last has; NULL: none was */
    const struct follow *follow;
};
void out_live_begin(struct out_live_lines *lines); /* what runs */
void out_live_line(struct out_live_lines *lines);
void out_live_over(struct out_live_lines *lines); /* that it has ended */

/* What rates of a time are of, frames if there were any, else polls: "frame", "drain", "poll", and
 * how many there were. */
const char *out_live_unit(const struct follow *follow, const struct reading_change *change,
                          uint64_t *units);

#endif
