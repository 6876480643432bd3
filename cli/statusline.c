/* SPDX-License-Identifier: MIT */
#include "cli/statusline.h"

#include "cli/errors.h"
#include "cli/term.h"
#include "cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_LEAST 4

/* Save and restore the cursor (DECSC, DECRC), set the scrolling region (DECSTBM), which moves the
 * cursor and so stands between the two. */
#define SAVE       "\0337"
#define RESTORE    "\0338"
#define CLEAR_LINE "\033[2K"

struct statusline statusline_new(void)
{
    bool draws = term_can_draw(STDERR_FILENO);

    return (struct statusline){.descriptor = draws ? STDERR_FILENO : -1};
}

/* One write, so that the program's output cannot come in between. */
static void put(const struct statusline *line, char *text)
{
    (void)!write(line->descriptor, text, strlen(text));
    free(text);
}

/* Takes the last row out of the scrolling region. The line feed makes room for it if the cursor
 * stands there. */
static void reserve(struct statusline *line, unsigned rows)
{
    put(line, xasprintf("\n" SAVE "\033[1;%ur" RESTORE "\033[1A", rows - 1));
    line->rows = rows;
    line->shown = true;
}

void statusline_show(struct statusline *line, const char *text)
{
    unsigned rows, columns;

    if (line->descriptor < 0 || !term_can_draw(line->descriptor) ||
        !term_size(line->descriptor, &rows, &columns) || rows < ROWS_LEAST)
        return;
    if (line->shown && rows != line->rows)
        statusline_hide(line);
    if (!line->shown)
        reserve(line, rows);

    char *safe = text_escape(text, strlen(text), false);
    char *fitted = text_fit(safe, columns - 1, false);
    put(line, xasprintf(SAVE "\033[%u;1H" CLEAR_LINE "\033[7m%s\033[0m" RESTORE, rows, fitted));
    free(fitted);
    free(safe);
}

void statusline_hide(struct statusline *line)
{
    if (!line->shown)
        return;
    put(line, xasprintf(SAVE "\033[%u;1H" CLEAR_LINE "\033[r" RESTORE, line->rows));
    line->shown = false;
}
