/* SPDX-License-Identifier: MIT */
#include "cli/runstatus.h"

#include "cli/errors.h"
#include "cli/format.h"

#include <stdlib.h>

struct runstatus runstatus_new(const struct rundumps *dumps, const char *program, bool draws)
{
    struct runstatus status = {.line = statusline_new(), .dumps = dumps, .program = program};

    if (!draws)
        status.line.descriptor = -1;
    return status;
}

/* The rates are those since the last look. */
static char *describe(struct runstatus *status, const struct rundump *dump)
{
    bool same = dump->pid == status->pid && dump->polls >= status->polls &&
                dump->bytes >= status->bytes && dump->last_ns > status->ns;
    uint64_t polls = same ? dump->polls - status->polls : dump->polls;
    uint64_t bytes = same ? dump->bytes - status->bytes : dump->bytes;
    uint64_t begin = same ? status->ns : dump->first_poll_ns;
    double seconds = dump->last_ns > begin ? (double)(dump->last_ns - begin) / 1e9 : 0;

    status->pid = dump->pid;
    status->polls = dump->polls;
    status->bytes = dump->bytes;
    status->ns = dump->last_ns;
    return xasprintf(" allocreport: %s polls, %s/s; %s/poll, %s/s; live %s ",
                     format_count(dump->polls).text,
                     format_real(seconds > 0 ? (double)polls / seconds : 0, 0).text,
                     format_bytes_real(polls > 0 ? (double)bytes / (double)polls : 0).text,
                     format_bytes_real(seconds > 0 ? (double)bytes / seconds : 0).text,
                     format_bytes(dump->live_bytes).text);
}

void runstatus_tick(enum launch_event event, pid_t pid, void *data)
{
    struct runstatus *status = data;
    size_t count;

    if (event == LAUNCH_STOP) {
        statusline_hide(&status->line);
        return;
    }
    struct rundump *list = rundumps_find(status->dumps, pid, &count);
    char *text = count > 0 ? describe(status, &list[0])
                           : xasprintf(" allocreport: %s has not polled yet ", status->program);
    statusline_show(&status->line, text);
    free(text);
    rundumps_free(list, count);
}

void runstatus_end(struct runstatus *status)
{
    statusline_hide(&status->line);
}
