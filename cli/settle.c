/* SPDX-License-Identifier: MIT */
#include "cli/settle.h"

#include "cli/dumpfile.h"
#include "cli/dumpinfo.h"
#include "cli/errors.h"
#include "cli/headerless.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LINKED_FOR_S   3600
#define UNLINKED_FOR_S 86400
#define AWAY_FOR_S     604800

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

/* As the recorder says it; NULL: it cannot be told. The caller frees. */
static char *own_namespaces(void)
{
    char pid[48] = "", mnt[48] = "";

    if (readlink("/proc/self/ns/pid", pid, sizeof pid - 1) <= 0 ||
        readlink("/proc/self/ns/mnt", mnt, sizeof mnt - 1) <= 0)
        return NULL;
    return xasprintf("%s %s", pid, mnt);
}

/* What a dump that was left says of its place. */
struct left {
    char *place; /* where it belongs; NULL: not known */
    bool here;   /* that is a path of this process, whose processes it can see */
    bool known;  /* its process can be seen from here, or it does not say */
    time_t last; /* when something is sure to have happened to it last */
};

/* False: `live` is no such dump. The caller frees the place. */
static bool read_left(const char *live, struct left *left)
{
    struct dumpfile file;
    struct stat status;

    if (stat(live, &status) != 0 || dumpfile_open_left(&file, live) < 0)
        return false;
    char *there = dumpinfo_text(&file, DUMP_INFO_NAMESPACES);
    char *here = own_namespaces();
    size_t pid = there != NULL ? strcspn(there, " ") + 1 : 0;
    uint64_t end = (file.header.start_realtime_ns + file.header.last_ns) / 1000000000u;
    *left = (struct left){
        .place = dumpinfo_text(&file, DUMP_INFO_PATH),
        .here = there != NULL && here != NULL && strcmp(there, here) == 0,
        .known = there == NULL || (here != NULL && strncmp(there, here, pid) == 0),
        .last = end < INT64_MAX && (time_t)end > status.st_mtime ? (time_t)end : status.st_mtime,
    };
    free(here);
    free(there);
    dumpfile_close(&file);
    return true;
}

static int bring(const char *live, const char *path)
{
    char *part = xasprintf("%s.part", path);
    int result = move(live, part, path);

    if (result == 0)
        unlink(live);
    free(part);
    return result;
}

void settle(const char *path)
{
    char live[PATH_MAX];
    struct left left;

    if (!find_live(path, live) || access(live, R_OK) != 0 || !read_left(live, &left))
        return;
    if (left.known && bring(live, path) < 0)
        warning("the dump stays at '%s': cannot bring it to '%s': %s", live, path, strerror(errno));
    free(left.place);
}

static bool is_own_file(int directory, const char *name)
{
    struct stat status;

    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_nlink == 1 && (status.st_mode & 077) == 0;
}

/* The PID of "allocreport-PID-NUMBER.alloc"; 0: it is no such name. */
static pid_t pid_of_name(const char *name)
{
    if (strncmp(name, live_prefix, sizeof live_prefix - 1) != 0)
        return 0;
    name += sizeof live_prefix - 1;
    size_t digits = strspn(name, "0123456789");
    unsigned long long pid = strtoull(name, NULL, 10);
    if (digits == 0 || name[digits] != '-' || pid > INT32_MAX)
        return 0;
    name += digits + 1;
    digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ".alloc") == 0 ? (pid_t)pid : 0;
}

/* How long a dump stays that has no link at `path`: where the directory is gone too, it may come
 * back with the link, as a disk does. -1: it cannot be told whether it is gone. */
static time_t stays_for(const char *path)
{
    struct stat status;
    char *directory = xstrdup(path);
    char *slash = strrchr(directory, '/');
    time_t seconds = -1;

    if (slash != NULL) {
        slash[slash == directory] = '\0';
        if (stat(directory, &status) == 0)
            seconds = S_ISDIR(status.st_mode) ? UNLINKED_FOR_S : AWAY_FOR_S;
        else if (errno == ENOENT || errno == ENOTDIR)
            seconds = AWAY_FOR_S;
    }
    free(directory);
    return seconds;
}

static void look_after(const char *live)
{
    char target[PATH_MAX];
    struct left left;

    if (!read_left(live, &left))
        return;
    time_t age = time(NULL) - left.last;
    if (!left.here || left.place == NULL || age < LINKED_FOR_S) {
        ; /* somebody may be about to read it */
    } else if (find_live(left.place, target) && strcmp(target, live) == 0) {
        bring(live, left.place);
    } else {
        time_t longest = stays_for(left.place);
        if (longest >= 0 && age >= longest)
            unlink(live);
    }
    free(left.place);
}

static void look_through(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;

    if (directory == NULL)
        return;
    while ((entry = readdir(directory)) != NULL) {
        pid_t pid = pid_of_name(entry->d_name);
        if (pid == 0 || !is_own_file(dirfd(directory), entry->d_name))
            continue;
        if (headerless_is_left(dirfd(directory), entry->d_name, pid, LINKED_FOR_S)) {
            unlinkat(dirfd(directory), entry->d_name, 0);
            continue;
        }
        char *live = xasprintf("%s/%s", path, entry->d_name);
        look_after(live);
        free(live);
    }
    closedir(directory);
}

void settle_leftovers(void)
{
    static bool done;
    const char *runtime = getenv("XDG_RUNTIME_DIR");

    if (done)
        return;
    done = true;
    if (runtime != NULL && *runtime == '/')
        look_through(runtime);
    look_through("/dev/shm");
}
