/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/livefind.h"
#include "cli/liveview.h"
#include "cli/out_live.h"
#include "cli/request.h"
#include "cli/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SITES_TEXT 20 /* of a line of JSON, unless asked */

struct live_values {
    struct request_options common;
    uint64_t interval_ms, count, limit;
    int order; /* enum reading_order */
};

static const struct option_spec options[] = {
    REQUEST_JSON(live_values),
    {.name = "interval",
     .letter = 'i',
     .type = OPTION_NUMBER,
     .value = "MS",
     .help = "milliseconds from one reading to the next",
     .least = 100,
     .most = 3600000,
     .initial = 1000,
     .offset = offsetof(struct live_values, interval_ms)},
    {.name = "count",
     .letter = 'c',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "end after N readings",
     .least = 1,
     .most = UINT32_MAX,
     .offset = offsetof(struct live_values, count)},
    {.name = "sort",
     .letter = 's',
     .type = OPTION_CHOICE,
     .value = "KEY",
     .help = "sites with most of this first",
     .choices = reading_orders,
     .offset = offsetof(struct live_values, order)},
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .help = "at most N sites in a line of JSON",
     .most = UINT32_MAX,
     .initial = SITES_TEXT,
     .offset = offsetof(struct live_values, limit)},
    REQUEST_COLOUR(live_values),
    {.name = NULL},
};

/* The dump that the operand means, or the only one there is; *pid is 0 if it was given as a file.
 * The caller frees. NULL with an exit code in *status: printed why not. */
static char *choose(const char *operand, uint32_t *pid, int *status)
{
    uint64_t number;
    size_t count;

    *pid = 0;
    *status = EXIT_INCONCLUSIVE;
    if (operand != NULL && options_number(operand, &number)) {
        char *path = number <= INT32_MAX ? livefind_dump((uint32_t)number) : NULL;
        *pid = (uint32_t)number;
        if (path == NULL)
            error("no process %s is being recorded", operand);
        return path;
    }
    if (operand != NULL)
        return xstrdup(operand);

    struct livefound *list = livefind_all(&count);
    char *path = count == 1 ? xstrdup(list[0].path) : NULL;
    if (count == 1)
        *pid = list[0].pid;
    else if (count == 0)
        error("no program of yours is being recorded; 'allocreport run --live' starts one");
    else
        error("%zu programs are being recorded; say which: allocreport live PID", count);
    for (size_t i = 0; count > 1 && i < count; i++) {
        char *name = text_escape(list[i].program, strlen(list[i].program), false);
        char *place = text_escape(list[i].path, strlen(list[i].path), false);
        printf("%" PRIu32 "  %s  %s\n", list[i].pid, name, place);
        free(place);
        free(name);
    }
    if (count > 1)
        *status = EXIT_USAGE;
    livefind_free(list, count);
    return path;
}

/* Why a dump cannot be followed; passes the status on. */
static int refuse(int status, char *reason)
{
    error("%s", reason);
    free(reason);
    return status;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void pause_ns(uint64_t ns)
{
    struct timespec rest = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}

/* Waits, and no longer than until the program ends. */
static void wait_for_next(const struct follow *follow, uint64_t interval_ns)
{
    const uint64_t step = LIVEVIEW_TICK_MS * 1000000u;
    uint64_t left = follow_pause_ns(follow, interval_ns);

    while (left > 0 && !follow_is_over(follow)) {
        uint64_t now = left < step ? left : step;
        pause_ns(now);
        left -= now;
    }
}

static int print_lines(const struct live_values *values, const char *path, uint32_t pid)
{
    struct follow follow;
    char *reason;
    int status = follow_start(&follow, path, pid, &reason);

    if (status != EXIT_FINE)
        return refuse(status, reason);
    struct out_live_lines lines = {
        .out = stdout,
        .term = term_of(stdout, TERM_NEVER),
        .json = values->common.json,
        .order = (enum reading_order)values->order,
        .limit = values->limit,
        .follow = &follow,
    };
    out_live_begin(&lines);
    for (uint64_t n = 0; values->count == 0 || n < values->count; n++) {
        wait_for_next(&follow, values->interval_ms * 1000000u);
        if (follow_read(&follow))
            out_live_line(&lines);
        if (follow.state == FOLLOW_ENDED || ferror(stdout) != 0)
            break;
    }
    if (follow.state == FOLLOW_ENDED)
        out_live_over(&lines);
    follow_end(&follow);
    return EXIT_FINE;
}

/* --- view ------------------------------------------------------------------------------------- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Signals are taken where the terminal can be given back first. */
static void block_signals(sigset_t *waited, sigset_t *before)
{
    sigemptyset(waited);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaddset(waited, ending[i]);
    sigaddset(waited, SIGTSTP);
    sigaddset(waited, SIGWINCH);
    sigprocmask(SIG_BLOCK, waited, before);
}

/* Stops as any program does, and goes on when it is continued. */
static void stop(struct liveview *view)
{
    liveview_leave(view);
    raise(SIGSTOP);
    liveview_enter(view);
}

/* The signal that ended it, or 0. */
static int watch(struct liveview *view, const sigset_t *waited, uint64_t count)
{
    const struct timespec tick = {0, LIVEVIEW_TICK_MS * 1000000};
    uint64_t readings = 0;
    bool taken;

    while (liveview_tick(view, &taken)) {
        readings += taken;
        if (liveview_is_over(view) || (count > 0 && readings >= count))
            return 0;
        int number = sigtimedwait(waited, NULL, &tick);
        if (number == SIGTSTP)
            stop(view);
        else if (number > 0 && number != SIGWINCH)
            return number;
    }
    return 0;
}

static int show(const struct live_values *values, const char *path, uint32_t pid)
{
    struct liveview view = liveview_new(STDOUT_FILENO, (enum term_colour)values->common.colour, "",
                                        values->interval_ms * 1000000u);
    sigset_t waited, before;
    char *reason;
    int status = liveview_follow(&view, path, pid, &reason);

    if (status != EXIT_FINE)
        return refuse(status, reason);
    view.order = (enum reading_order)values->order;
    block_signals(&waited, &before);
    liveview_enter(&view);
    int number = watch(&view, &waited, values->count);
    liveview_leave(&view);
    liveview_print(&view, stdout);
    fflush(stdout);
    liveview_end(&view);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (number != 0)
        raise(number); /* as if it had never been waited for */
    return EXIT_FINE;
}

static int live_run(const void *data, int count, char **operands)
{
    const struct live_values *values = data;
    uint32_t pid;
    int status;
    char *path = choose(count > 0 ? operands[0] : NULL, &pid, &status);

    if (path == NULL)
        return status;
    status = !values->common.json && term_can_draw(STDOUT_FILENO) ? show(values, path, pid)
                                                                  : print_lines(values, path, pid);
    free(path);
    return status;
}

const struct command command_live = {
    .name = "live",
    .operands = "[PID|DUMP]",
    .summary = "watch what a running program allocates",
    .notes = "Without an argument it is the one program of yours that is being recorded.\n"
             "Keys: q quits, space pauses, s or b, a, l, c sort by another column.",
    .options = options,
    .values_size = sizeof(struct live_values),
    .least = 0,
    .most = 1,
    .run = live_run,
};
