/* SPDX-License-Identifier: MIT */
#include "cli/follow.h"

#include "cli/dumpfile.h"
#include "cli/errors.h"
#include "cli/livefind.h"
#include "cli/settle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BUSY_SHARE 10u /* 1 / so much of the time goes into reading, at most */

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int open_dump(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static bool process_is_there(const struct follow *follow)
{
    struct pollfd process = {.fd = follow->process, .events = POLLIN};

    if (follow->process >= 0)
        return poll(&process, 1, 0) == 0;
    return kill((pid_t)follow->pid, 0) == 0 || errno == EPERM;
}

static void forget(struct follow *follow)
{
    for (size_t i = 0; i < follow->reading_count; i++)
        free(follow->readings[i]);
    follow->reading_count = follow->point_count = 0;
    model_close(follow->model);
    follow->model = NULL;
}

static void keep_point(struct follow *follow, const struct reading_change *change)
{
    if (follow->point_count == FOLLOW_POINTS)
        memmove(follow->points, follow->points + 1,
                --follow->point_count * sizeof follow->points[0]);
    follow->points[follow->point_count++] = *change;
}

static void keep_reading(struct follow *follow, struct reading *reading)
{
    if (follow->reading_count > 0) {
        struct reading_change change =
            reading_between(follow->readings[follow->reading_count - 1], reading);
        keep_point(follow, &change);
    }
    if (follow->reading_count == FOLLOW_KEPT) {
        free(follow->readings[0]);
        memmove(follow->readings, follow->readings + 1,
                --follow->reading_count * sizeof(struct reading *));
    }
    follow->readings[follow->reading_count++] = reading;
}

/* Takes over what was read, and closes the file. */
static void take(struct follow *follow, struct dumpfile *file, uint64_t taken_ns)
{
    struct model *model = model_build(file);

    dumpfile_close(file);
    if (follow->model != NULL)
        model_take_symbols(model, follow->model);
    model_close(follow->model);
    follow->model = model;
    keep_reading(follow, reading_of(model, taken_ns));
}

int follow_start(struct follow *follow, const char *path, uint32_t pid, char **reason)
{
    struct dumpfile file;
    int status = EXIT_UNREADABLE;

    *follow = (struct follow){.path = xstrdup(path), .process = -1};
    follow->descriptor = open_dump(path);
    if (follow->descriptor < 0) {
        *reason = xasprintf("cannot open '%s': %s", path, strerror(errno));
        follow_end(follow);
        return status;
    }
    uint64_t begin = now_ns();
    if (dumpfile_read(&file, path, follow->descriptor) == 0) {
        follow->pid = pid != 0 ? pid : file.header.pid;
        follow->process = (int)syscall(SYS_pidfd_open, (pid_t)follow->pid, 0);
        if (file.running && dumpfile_is_mapped(follow->descriptor, follow->pid)) {
            take(follow, &file, begin);
            follow->spent_ns = now_ns() - begin;
            return EXIT_FINE;
        }
        status = EXIT_INCONCLUSIVE;
        *reason = xasprintf("the program of '%s' has ended; 'allocreport report' shows what it did",
                            path);
    } else {
        *reason = file.message != NULL ? xstrdup(file.message)
                                       : xasprintf("cannot use '%s': it is no file", path);
    }
    dumpfile_close(&file);
    follow_end(follow);
    return status;
}

static bool read_header(int descriptor, struct dump_header *header)
{
    return pread(descriptor, header, sizeof *header, 0) == (ssize_t)sizeof *header;
}

/* The dump may have come to its place meanwhile, which is another file. */
static void go_to_place(struct follow *follow)
{
    struct stat here, there;
    struct dump_header old, new;

    if (stat(follow->path, &there) != 0 || fstat(follow->descriptor, &here) != 0 ||
        (here.st_ino == there.st_ino && here.st_dev == there.st_dev))
        return;
    int descriptor = open_dump(follow->path);
    bool same = descriptor >= 0 && read_header(descriptor, &new) &&
                read_header(follow->descriptor, &old) &&
                memcmp(new.magic, old.magic, sizeof new.magic) == 0 &&
                new.pid == old.pid &&new.start_monotonic_ns == old.start_monotonic_ns;
    if (same) {
        close(follow->descriptor);
        follow->descriptor = descriptor;
    } else if (descriptor >= 0) {
        close(descriptor);
    }
}

/* The process runs another program now: goes on with its dump, if it has one. */
static void go_to_next(struct follow *follow)
{
    char *path = livefind_dump(follow->pid);
    int descriptor = path != NULL ? open_dump(path) : -1;

    if (descriptor < 0) {
        free(path);
        return;
    }
    close(follow->descriptor);
    free(follow->path);
    follow->descriptor = descriptor;
    follow->path = path;
    forget(follow);
}

bool follow_read(struct follow *follow)
{
    struct dumpfile file;
    uint64_t begin = now_ns();

    if (follow->state == FOLLOW_ENDED)
        return false;
    /* In this order: what is read of a program that is gone is all that it did. */
    bool gone = !process_is_there(follow);
    if (follow->state == FOLLOW_REPLACED && !gone)
        go_to_next(follow);
    else
        go_to_place(follow);
    if (gone)
        follow->state = FOLLOW_ENDED;
    if (dumpfile_read(&file, follow->path, follow->descriptor) < 0) {
        dumpfile_close(&file);
        return false;
    }
    if (!gone)
        follow->state = file.header.state == DUMP_EXECED ? FOLLOW_REPLACED : FOLLOW_RUNNING;
    file.running = file.running && !gone;
    take(follow, &file, begin);
    follow->spent_ns = now_ns() - begin;
    return true;
}

void follow_end(struct follow *follow)
{
    forget(follow);
    if (follow->descriptor >= 0)
        close(follow->descriptor);
    if (follow->process >= 0)
        close(follow->process);
    if (follow->state == FOLLOW_ENDED)
        settle(follow->path);
    free(follow->path);
}

struct reading_change follow_last(const struct follow *follow)
{
    return follow->point_count > 0 ? follow->points[follow->point_count - 1]
                                   : (struct reading_change){0};
}

struct reading_change follow_recent(const struct follow *follow)
{
    return follow->reading_count > 1
               ? reading_between(follow->readings[0], follow->readings[follow->reading_count - 1])
               : (struct reading_change){0};
}

struct reading_row *follow_rows(const struct follow *follow, enum follow_span span,
                                enum reading_order order, size_t *count)
{
    size_t last = follow->reading_count - 1;
    size_t first = span == FOLLOW_LAST && last > 0 ? last - 1 : 0;

    return reading_rows(follow->readings[first], follow->readings[last], follow->model, order,
                        count);
}

bool follow_is_over(const struct follow *follow)
{
    return follow->state == FOLLOW_ENDED || !process_is_there(follow);
}

uint64_t follow_pause_ns(const struct follow *follow, uint64_t interval_ns)
{
    uint64_t least = follow->spent_ns * (BUSY_SHARE - 1);

    return interval_ns > least ? interval_ns : least;
}
