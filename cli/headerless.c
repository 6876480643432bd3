/* SPDX-License-Identifier: MIT */
#include "cli/headerless.h"

#include "preload/dump_format.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Between the clock of files and that of processes, which nobody sets. */
#define CLOCKS_DIFFER_S 60

static bool has_header(int file)
{
    static const char zeros[DUMP_HEADER_SIZE];
    char header[sizeof zeros];
    ssize_t got = pread(file, header, sizeof header, 0);

    return got < 0 || memcmp(header, zeros, (size_t)got) != 0;
}

/* Does any process have it open or mapped for writing, of whatever namespace? A lease to read,
 * which there is for files alone that nobody writes, tells. */
static bool is_written(int file)
{
    /* Who opens it meanwhile has a signal sent here, by default one that ends the process. */
    bool written =
        fcntl(file, F_SETSIG, SIGURG) != 0 || fcntl(file, F_SETLEASE, (long)F_RDLCK) != 0;

    if (!written)
        fcntl(file, F_SETLEASE, (long)F_UNLCK);
    return written;
}

/* When the process began, in ticks since the machine did (proc(5), /proc/pid/stat, field 22).
 * False: it cannot be told. */
static bool read_start(pid_t pid, uint64_t *ticks)
{
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;

    if (file >= 0)
        close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    /* The program's name, field 2, may hold anything. */
    const char *at = strrchr(text, ')');
    unsigned long long start;
    if (at == NULL || sscanf(at,
                             ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %*s %llu",
                             &start) != 1)
        return false;
    *ticks = start;
    return true;
}

/* Is the process there, and at least `age` seconds old, or of an age that cannot be told? */
static bool may_be_its(pid_t pid, time_t age)
{
    struct timespec now;
    uint64_t start;
    long second = sysconf(_SC_CLK_TCK);

    if (kill(pid, 0) != 0 && errno == ESRCH)
        return false;
    if (second <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0 || !read_start(pid, &start))
        return true;
    return now.tv_sec - (time_t)(start / (uint64_t)second) + CLOCKS_DIFFER_S >= age;
}

bool headerless_is_left(int directory, const char *name, pid_t pid, time_t age)
{
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    bool left = false;

    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        time_t since = time(NULL) - status.st_mtime;
        /* The process first: what it wrote before it ended is seen then. */
        left = since >= age && !may_be_its(pid, since) && !is_written(file) && !has_header(file);
    }
    close(file);
    return left;
}
