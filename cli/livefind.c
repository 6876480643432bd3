/* SPDX-License-Identifier: MIT */
#include "cli/livefind.h"

#include "cli/dumpinfo.h"
#include "cli/errors.h"
#include "cli/options.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* One shared, writable file mapping of a process. */
struct mapping {
    unsigned major, minor;
    uint64_t inode;
    char *path; /* as the process sees it */
};

/* "START-END rw-s OFFSET MAJOR:MINOR INODE PATH"; a path behind which " (deleted)" stands is none.
 */
static bool parse_mapping(const char *line, struct mapping *mapping)
{
    char flags[8];
    int at = 0;

    if (sscanf(line, "%*s %7s %*s %x:%x %" SCNu64 " %n", flags, &mapping->major, &mapping->minor,
               &mapping->inode, &at) < 4 ||
        strcmp(flags, "rw-s") != 0 || at == 0 || line[at] != '/')
        return false;
    mapping->path = xasprintf("%.*s", (int)strcspn(line + at, "\n"), line + at);
    return true;
}

/* Opens the mapped file at `path` if it still is that one; devices are not touched. */
static int open_mapped(const struct mapping *mapping, const char *path)
{
    struct stat status;
    bool same = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
                status.st_ino == mapping->inode && major(status.st_dev) == mapping->major &&
                minor(status.st_dev) == mapping->minor;

    return same ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
}

/* Where the dump belongs, if a link to the file stands there; else the file's own path. The caller
 * frees. */
static char *lasting_path(const struct dumpfile *file, const char *path)
{
    char target[PATH_MAX];
    char *place = dumpinfo_text(file, DUMP_INFO_PATH);
    ssize_t length = place != NULL ? readlink(place, target, sizeof target) : -1;

    if (length > 0 && (size_t)length == strlen(path) && memcmp(target, path, (size_t)length) == 0)
        return place;
    free(place);
    return xstrdup(path);
}

/* A child that was just forked may still map its parent's. Inside a namespace of their own
 * processes have other numbers than those by which they are seen here. */
static bool is_of(const struct dumpfile *file, int descriptor, uint32_t pid)
{
    return file->running &&
           (file->header.pid == pid || !dumpfile_is_mapped(descriptor, file->header.pid));
}

/* Is the mapped file the dump of that process? Then *found is filled in. */
static bool look_at(const struct mapping *mapping, uint32_t pid, struct livefound *found)
{
    struct dumpfile file;
    char *path = xstrdup(mapping->path);
    int descriptor = open_mapped(mapping, path);

    if (descriptor < 0) { /* another mount namespace, perhaps */
        free(path);
        path = xasprintf("/proc/%" PRIu32 "/root%s", pid, mapping->path);
        descriptor = open_mapped(mapping, path);
    }
    bool is_it = descriptor >= 0 && dumpfile_read(&file, path, descriptor) == 0 &&
                 is_of(&file, descriptor, pid);
    if (is_it) {
        char *program = dumpinfo_text(&file, DUMP_INFO_PROGRAM);
        const char *slash = program != NULL ? strrchr(program, '/') : NULL;
        *found = (struct livefound){
            .path = lasting_path(&file, path),
            .program = xstrdup(slash != NULL     ? slash + 1
                               : program != NULL ? program
                                                 : ""),
            .pid = pid,
        };
        free(program);
    }
    if (descriptor >= 0) {
        dumpfile_close(&file);
        close(descriptor);
    }
    free(path);
    return is_it;
}

static bool find_in(uint32_t pid, struct livefound *found)
{
    char path[40];
    char *line = NULL;
    size_t room = 0;
    uint64_t last = 0;
    bool is_it = false;

    snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", pid);
    FILE *maps = fopen(path, "re");
    while (maps != NULL && !is_it && getline(&line, &room, maps) > 0) {
        struct mapping mapping;
        if (!parse_mapping(line, &mapping))
            continue;
        if (mapping.inode != last) /* one file is often mapped in several parts */
            is_it = look_at(&mapping, pid, found);
        last = mapping.inode;
        free(mapping.path);
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
    return is_it;
}

static int by_pid(const void *a, const void *b)
{
    const struct livefound *one = a, *other = b;

    return (one->pid > other->pid) - (one->pid < other->pid);
}

struct livefound *livefind_all(size_t *count)
{
    struct livefound *list = NULL;
    struct livefound found;
    const struct dirent *entry;
    DIR *processes = opendir("/proc");
    uint64_t pid;

    *count = 0;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        struct stat status;
        if (!options_number(entry->d_name, &pid) || pid > INT32_MAX ||
            fstatat(dirfd(processes), entry->d_name, &status, 0) != 0 ||
            status.st_uid != geteuid() || !find_in((uint32_t)pid, &found))
            continue;
        list = xreallocarray(list, *count + 1, sizeof *list);
        list[(*count)++] = found;
    }
    if (processes != NULL)
        closedir(processes);
    if (*count > 1)
        qsort(list, *count, sizeof *list, by_pid);
    return list;
}

void livefind_free(struct livefound *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].path);
        free(list[i].program);
    }
    free(list);
}

char *livefind_dump(uint32_t pid)
{
    struct livefound found;

    if (!find_in(pid, &found))
        return NULL;
    free(found.program);
    return found.path;
}
