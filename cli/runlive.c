/* SPDX-License-Identifier: MIT */
#include "cli/runlive.h"

#include "cli/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL_NS 1000000000u
#define FIND_TICKS  5u /* between two looks for a dump */

/* A file that is gone when it is closed, for both streams, so that their order stays. */
static int open_spool(void)
{
    FILE *file = tmpfile();
    int spool = file != NULL ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;

    if (file != NULL)
        fclose(file);
    if (spool >= 0)
        fcntl(spool, F_SETFL, O_APPEND);
    return spool;
}

/* Takes the program's streams off the terminal. False: printed why not. */
static bool redirect(struct runlive *live)
{
    int spool = open_spool();

    if (spool < 0) {
        error("no view: cannot keep what the program prints: %s", strerror(errno));
        return false;
    }
    if (isatty(STDIN_FILENO))
        live->standard[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (isatty(STDOUT_FILENO))
        live->standard[1] = spool;
    live->standard[2] = spool; /* it is one, or there would be no view */
    return true;
}

void runlive_start(struct runlive *live, bool wanted, const struct rundumps *dumps,
                   const char *program, enum term_colour colour)
{
    *live = (struct runlive){.dumps = dumps, .standard = {-1, -1, -1}};
    if (!wanted)
        return;
    live->draws = term_can_draw(STDERR_FILENO);
    live->on = !live->draws || redirect(live);
    live->draws = live->draws && live->on;
    if (!live->on)
        return;
    live->view = liveview_new(STDERR_FILENO, colour, program, INTERVAL_NS);
    if (live->draws) {
        liveview_enter(&live->view);
        return;
    }
    live->view.screen.keys = -1;
    live->lines = (struct out_live_lines){
        .out = stderr, .term = term_of(stderr, TERM_NEVER), .follow = &live->view.follow};
}

/* The dump of the run that polled most, of those whose programs run. */
static void find(struct runlive *live, pid_t pid)
{
    size_t count;
    struct rundump *list = rundumps_find(live->dumps, pid, &count);
    bool found = false;

    for (size_t i = 0; i < count && !found; i++) {
        char *reason = NULL;
        found = list[i].running &&
                liveview_follow(&live->view, list[i].path, list[i].pid, &reason) == EXIT_FINE;
        free(reason); /* it has just begun, or ended: the next look tells */
    }
    rundumps_free(list, count);
}

static void print_line(struct runlive *live, bool taken)
{
    if (live->view.follows && !live->begun) {
        out_live_begin(&live->lines);
        live->begun = true;
    }
    if (live->view.follows && taken)
        out_live_line(&live->lines);
}

void runlive_tick(struct runlive *live, enum launch_event event, pid_t pid)
{
    bool taken = false;

    if (!live->on)
        return;
    if (event == LAUNCH_STOP)
        liveview_leave(&live->view);
    else if (event == LAUNCH_GO_ON && live->draws)
        liveview_enter(&live->view);
    if (event == LAUNCH_STOP)
        return;
    bool lacks = !live->view.follows || liveview_is_over(&live->view);
    if (live->ticks++ % FIND_TICKS == 0 && lacks)
        find(live, pid);
    if (!liveview_tick(&live->view, &taken)) {
        liveview_leave(&live->view);
        live->on = false;
    } else if (!live->draws) {
        print_line(live, taken);
    }
}

static void print_spool(int spool, FILE *out)
{
    char buffer[65536];
    ssize_t got;
    off_t at = 0;

    while ((got = pread(spool, buffer, sizeof buffer, at)) > 0) {
        fwrite(buffer, 1, (size_t)got, out);
        at += got;
    }
    fflush(out);
}

void runlive_end(struct runlive *live)
{
    liveview_end(&live->view);
    live->on = false;
    if (live->standard[0] >= 0)
        close(live->standard[0]);
    if (live->standard[2] >= 0) {
        print_spool(live->standard[2], live->standard[1] >= 0 ? stdout : stderr);
        close(live->standard[2]);
    }
    live->standard[0] = live->standard[1] = live->standard[2] = -1;
}
