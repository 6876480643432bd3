/* SPDX-License-Identifier: MIT */
#include "cli/runwords.h"

#include "cli/errors.h"
#include "cli/launch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *runwords_path(const char *path)
{
    char *directory = getcwd(NULL, 0);
    size_t length = directory != NULL ? strlen(directory) : 0;
    bool inside = length > 1 && strncmp(path, directory, length) == 0 && path[length] == '/' &&
                  path[length + 1] != '-';

    free(directory);
    return inside ? path + length + 1 : path;
}

void runwords_others(const struct rundump *list, size_t count)
{
    warning("%zu processes were recorded; the report is of '%s', which polled most", count,
            runwords_path(list[0].path));
    for (size_t i = 1; i < count; i++)
        warning("also recorded: '%s', %" PRIu64 " polls", runwords_path(list[i].path),
                list[i].polls);
}

void runwords_signal(const char *program, int status)
{
    const char *name = status > LAUNCH_SIGNAL ? sigdescr_np(status - LAUNCH_SIGNAL) : NULL;

    if (status - LAUNCH_SIGNAL != SIGINT && name != NULL)
        warning("'%s' was ended by signal %d (%s)", program, status - LAUNCH_SIGNAL, name);
}

char *runwords_failure(int status)
{
    const char *name = status > LAUNCH_SIGNAL ? sigdescr_np(status - LAUNCH_SIGNAL) : NULL;

    if (status == 0)
        return NULL;
    return name != NULL ? xasprintf("was ended by signal %d (%s)", status - LAUNCH_SIGNAL, name)
                        : xasprintf("exited with %d", status);
}
