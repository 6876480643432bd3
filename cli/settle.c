/* SPDX-License-Identifier: MIT */
#include "cli/settle.h"

#include "cli/dumpfile.h"
#include "cli/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The recorder's name for a live file (preload/outfile.c). */
static const char live_prefix[] = "allocreport-";

/* Is `path` a link to a live file? Its target goes to `live`, of PATH_MAX bytes. */
static bool find_live(const char *path, char *live)
{
    ssize_t length = readlink(path, live, PATH_MAX - 1);
    const char *name;

    if (length <= 0)
        return false;
    live[length] = '\0';
    name = strrchr(live, '/');
    return live[0] == '/' && strncmp(name + 1, live_prefix, sizeof live_prefix - 1) == 0;
}

static int copy(int from, int to)
{
    char buffer[65536];
    ssize_t got;

    while ((got = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, buffer + done, (size_t)(got - done));
            if (put < 0)
                return -1;
            done += put;
        }
    return got < 0 ? -1 : 0;
}

static int move(const char *live, const char *part, const char *path)
{
    int from = open(live, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int to =
        from >= 0 ? open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    int result = to >= 0 ? copy(from, to) : -1;

    if (to >= 0 && close(to) < 0)
        result = -1;
    if (from >= 0)
        close(from);
    if (result == 0)
        result = rename(part, path);
    if (to >= 0 && result < 0) {
        int reason = errno;
        unlink(part);
        errno = reason;
    }
    return result;
}

void settle(const char *path)
{
    char live[PATH_MAX];
    char *part;

    if (!find_live(path, live) || access(live, R_OK) != 0 || !dumpfile_is_left(live))
        return;
    part = xasprintf("%s.part", path);
    if (move(live, part, path) < 0)
        warning("the dump stays at '%s': cannot bring it to '%s': %s", live, path, strerror(errno));
    else
        unlink(live);
    free(part);
}
