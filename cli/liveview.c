/* SPDX-License-Identifier: MIT */
#include "cli/liveview.h"

#include "cli/errors.h"
#include "cli/out_live.h"

#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct liveview liveview_new(int output, enum term_colour colour, const char *program,
                             uint64_t interval_ns)
{
    return (struct liveview){
        .screen = screen_new(output, colour),
        .program = program,
        .interval_ns = interval_ns,
    };
}

void liveview_enter(struct liveview *view)
{
    screen_enter(&view->screen);
    view->changed = true;
}

void liveview_leave(struct liveview *view)
{
    screen_leave(&view->screen);
}

int liveview_follow(struct liveview *view, const char *path, uint32_t pid, char **reason)
{
    if (view->follows)
        follow_end(&view->follow);
    int status = follow_start(&view->follow, path, pid, reason);

    view->follows = status == EXIT_FINE;
    view->next_ns = now_ns() + view->interval_ns;
    view->changed = true;
    return status;
}

bool liveview_is_over(const struct liveview *view)
{
    return view->follows && view->follow.state == FOLLOW_ENDED;
}

static struct out_live content(const struct liveview *view, bool keys)
{
    return (struct out_live){
        .follow = view->follows ? &view->follow : NULL,
        .program = view->program,
        .order = view->order,
        .paused = view->paused,
        .keys = keys,
        .utf8 = view->screen.utf8,
        .rows = view->rows,
        .columns = view->columns,
    };
}

static void draw(struct liveview *view)
{
    unsigned rows, columns;
    size_t count;

    if (!view->screen.shown || !term_size(view->screen.output, &rows, &columns) ||
        (!view->changed && rows == view->rows && columns == view->columns))
        return;
    view->rows = rows;
    view->columns = columns;
    view->changed = false;
    struct out_live shown = content(view, view->screen.keys >= 0);
    struct screen_line *lines = out_live_screen(&shown, &count);
    screen_draw(&view->screen, lines, count);
    out_live_free(lines, count);
}

static void read_again(struct liveview *view)
{
    if (follow_read(&view->follow))
        view->changed = true;
    view->next_ns = now_ns() + follow_pause_ns(&view->follow, view->interval_ns);
}

/* False: to quit. */
static bool do_key(struct liveview *view, int key)
{
    static const char orders[READING_ORDERS] = {
        [READING_BY_BYTES] = 'b',
        [READING_BY_ALLOCATIONS] = 'a',
        [READING_BY_LIVE] = 'l',
        [READING_BY_CHANGE] = 'c',
    };

    if (key == 'q' || key == 'Q' || key == SCREEN_HUNG_UP)
        return false;
    if (key == ' ' || key == 'p')
        view->paused = !view->paused;
    if (key == 's')
        view->order = (view->order + 1) % READING_ORDERS;
    for (unsigned i = 0; i < READING_ORDERS; i++)
        if (key == orders[i])
            view->order = (enum reading_order)i;
    view->changed = true;
    return true;
}

bool liveview_tick(struct liveview *view, bool *taken)
{
    bool due = view->follows && !view->paused && view->follow.state != FOLLOW_ENDED &&
               (now_ns() >= view->next_ns || follow_is_over(&view->follow));

    for (int key; (key = screen_key(&view->screen)) != SCREEN_NO_KEY;)
        if (!do_key(view, key))
            return false;
    if (due)
        read_again(view);
    if (taken != NULL)
        *taken = due;
    draw(view);
    return true;
}

void liveview_print(const struct liveview *view, FILE *out)
{
    const struct term term = {.colour = view->screen.colour};
    struct out_live shown = content(view, false);
    size_t count;
    struct screen_line *lines = out_live_screen(&shown, &count);

    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s%s\n", term_on(&term, lines[i].style), lines[i].text,
                term_off(&term, lines[i].style));
    out_live_free(lines, count);
}

void liveview_end(struct liveview *view)
{
    screen_leave(&view->screen);
    if (view->follows)
        follow_end(&view->follow);
    view->follows = false;
}
