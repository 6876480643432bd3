/* SPDX-License-Identifier: MIT */
#include "cli/screen.h"

#include "cli/text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ESCAPE '\033'

/* The second screen, no cursor, no wrapping; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

/* The one that exit() has to give back. */
static struct screen *taken;

static void give_back(void)
{
    if (taken != NULL)
        screen_leave(taken);
}

struct screen screen_new(int output, enum term_colour colour)
{
    struct term term = term_of(output == STDERR_FILENO ? stderr : stdout, colour);

    return (struct screen){
        .output = output,
        .keys = isatty(STDIN_FILENO) ? STDIN_FILENO : -1,
        .colour = term.colour,
        .utf8 = term.utf8,
    };
}

static void put(int output, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(output, bytes, size);
        if (done < 0 && errno != EINTR)
            return;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
}

void screen_enter(struct screen *screen)
{
    static bool registered;
    struct termios modes;

    if (screen->shown)
        return;
    if (!registered)
        atexit(give_back);
    registered = true;
    if (screen->keys >= 0 && tcgetattr(screen->keys, &screen->before) == 0) {
        modes = screen->before;
        modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        modes.c_cc[VMIN] = 1;
        modes.c_cc[VTIME] = 0;
        tcsetattr(screen->keys, TCSADRAIN, &modes);
    }
    put(screen->output, ENTER, sizeof ENTER - 1);
    screen->shown = true;
    taken = screen;
}

void screen_leave(struct screen *screen)
{
    if (!screen->shown)
        return;
    put(screen->output, LEAVE, sizeof LEAVE - 1);
    if (screen->keys >= 0)
        tcsetattr(screen->keys, TCSADRAIN, &screen->before);
    screen->shown = false;
    taken = NULL;
}

void screen_draw(const struct screen *screen, const struct screen_line *lines, size_t count)
{
    const struct term term = {.colour = screen->colour};
    unsigned rows, columns;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out;

    if (!screen->shown || !term_size(screen->output, &rows, &columns) ||
        (out = open_memstream(&bytes, &size)) == NULL)
        return;
    for (unsigned row = 0; row < rows; row++) {
        /* Cleared first: behind a full line it would take the last character. */
        fprintf(out, "\033[%u;1H\033[2K", row + 1);
        if (row >= count)
            continue;
        char *fitted = text_cut(lines[row].text, columns);
        fprintf(out, "%s%s%s", term_on(&term, lines[row].style), fitted,
                term_off(&term, lines[row].style));
        free(fitted);
    }
    if (fclose(out) == 0)
        put(screen->output, bytes, size);
    free(bytes);
}

static int next_byte(const struct screen *screen)
{
    struct pollfd ready = {.fd = screen->keys, .events = POLLIN};
    unsigned char byte;

    if (screen->keys < 0 || poll(&ready, 1, 0) <= 0)
        return SCREEN_NO_KEY;
    ssize_t got = read(screen->keys, &byte, 1);
    if (got == 1)
        return byte;
    return got < 0 && (errno == EINTR || errno == EAGAIN) ? SCREEN_NO_KEY : SCREEN_HUNG_UP;
}

int screen_key(const struct screen *screen)
{
    int byte = next_byte(screen);

    while (byte == ESCAPE) {
        /* ESC [ parameters letter, or ESC letter. */
        byte = next_byte(screen);
        if (byte == '[' || byte == 'O')
            do {
                byte = next_byte(screen);
            } while (byte >= 0 && (byte < 0x40 || byte > 0x7e));
        if (byte >= 0 && byte != ESCAPE)
            byte = next_byte(screen);
    }
    return byte;
}
