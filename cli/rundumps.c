/* SPDX-License-Identifier: MIT */
#include "cli/rundumps.h"

#include "cli/errors.h"
#include "preload/dump_format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHUNKS_MOST 100000u /* looked at in one dump */
#define LOOPS_MOST  100000u
#define DEPTH_MOST  64 /* generations looked at above a process */

char *rundumps_template(const char *template)
{
    if (template == NULL)
        template = "%e.%p.alloc";
    if (*template == '/')
        return xstrdup(template);

    char *directory = getcwd(NULL, 0);
    if (directory == NULL) {
        error("cannot tell the working directory: %s", strerror(errno));
        return NULL;
    }
    /* A percent sign in the directory's name is no part of the template. */
    char *whole = xmalloc(2 * strlen(directory) + strlen(template) + 2);
    char *at = whole;
    for (const char *c = directory; *c != '\0'; c++) {
        if (*c == '%')
            *at++ = '%';
        *at++ = *c;
    }
    *at++ = '/';
    strcpy(at, template);
    free(directory);
    return whole;
}

/* The directory's part of a template, without its escapes. */
static char *directory_of(const char *template, size_t length)
{
    char *directory = xmalloc(length + 2);
    size_t at = 0;

    for (size_t i = 0; i < length; i++) {
        if (template[i] == '%' && template[i + 1] == '%')
            i++;
        directory[at++] = template[i];
    }
    if (at == 0)
        directory[at++] = '/';
    directory[at] = '\0';
    return directory;
}

struct rundumps rundumps_start(const char *template)
{
    const char *slash = strrchr(template, '/');
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (struct rundumps){
        .directory = directory_of(template, slash != NULL ? (size_t)(slash - template) : 0),
        .name = xstrdup(slash != NULL ? slash + 1 : template),
        .begin_monotonic_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
    };
}

void rundumps_end(struct rundumps *dumps)
{
    free(dumps->directory);
    free(dumps->name);
}

/* ".1" to ".999", which the recorder appends where a name is taken. */
static bool is_suffix(const char *text)
{
    if (*text == '\0')
        return true;
    size_t digits = strspn(text + 1, "0123456789");
    return *text == '.' && digits >= 1 && digits <= 3 && text[1 + digits] == '\0';
}

bool rundumps_matches(const char *template, const char *name)
{
    for (; *template != '\0'; template ++, name++) {
        if (template[0] == '%' && template[1] == 'e') {
            for (const char *rest = name;; rest++) {
                if (rundumps_matches(template + 2, rest))
                    return true;
                if (*rest == '\0')
                    return false;
            }
        }
        if (template[0] == '%' && template[1] == 'p') {
            size_t digits = strspn(name, "0123456789");
            return digits > 0 && rundumps_matches(template + 2, name + digits);
        }
        if (template[0] == '%' && template[1] == '%')
            template ++;
        if (*template != *name)
            return false;
    }
    return is_suffix(name);
}

/* The parent of a process, 0 if it has none here; -1: there is no such process. */
static int64_t parent_of(uint32_t pid)
{
    char path[40], text[512];
    unsigned parent;

    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return -1;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name itself may hold anything */
    if (name_end == NULL || sscanf(name_end, ") %*c %u", &parent) != 1)
        return -1;
    return parent;
}

enum kinship { KIN_YES, KIN_NO, KIN_GONE };

static enum kinship kinship_of(uint32_t pid)
{
    int64_t self = getpid();
    int64_t ancestor = pid;

    for (int depth = 0; depth < DEPTH_MOST && ancestor > 0; depth++) {
        if (ancestor == self)
            return KIN_YES;
        ancestor = parent_of((uint32_t)ancestor);
        if (ancestor < 0 && depth == 0)
            return KIN_GONE;
    }
    return pid == 0 ? KIN_GONE : KIN_NO;
}

/* Whether a dump made since the begin is of this run. Of a process that is gone with its parent
 * nothing more can be told than that. */
static bool belongs(const struct rundump *dump, uint32_t program)
{
    if (dump->pid == program || dump->parent_pid == program ||
        dump->parent_pid == (uint32_t)getpid())
        return true;

    enum kinship kinship = kinship_of(dump->pid);
    if (kinship == KIN_GONE)
        kinship = kinship_of(dump->parent_pid);
    return kinship != KIN_NO;
}

static bool read_at(int file, void *to, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

static void add_loops(struct rundump *dump, int file, uint64_t offset,
                      const struct dump_chunk *chunk)
{
    uint64_t room = (chunk->size - sizeof *chunk) / chunk->record_size;
    uint64_t count = chunk->count < room ? chunk->count : room;

    for (uint64_t i = 0; i < count && i < LOOPS_MOST; i++) {
        struct dump_loop loop;
        if (!read_at(file, &loop, sizeof loop, offset + sizeof *chunk + i * chunk->record_size))
            return;
        for (unsigned kind = 0; kind < DUMP_POLL_KINDS; kind++)
            dump->polls += loop.polls[kind];
        dump->bytes += loop.in_poll.bytes + loop.between.bytes;
        if (loop.last_ns > dump->last_ns)
            dump->last_ns = loop.last_ns;
    }
}

static bool read_dump(struct rundump *dump, const struct rundumps *dumps, int file)
{
    struct dump_header header;
    uint64_t offset;

    if (!read_at(file, &header, sizeof header, 0) ||
        memcmp(header.magic, DUMP_MAGIC, sizeof header.magic) != 0 ||
        header.byte_order != DUMP_BYTE_ORDER ||
        header.start_monotonic_ns < dumps->begin_monotonic_ns)
        return false;
    dump->pid = header.pid;
    dump->parent_pid = header.parent_pid;
    dump->forked_from = header.forked_from;
    dump->running = header.state == DUMP_RUNNING && parent_of(header.pid) >= 0;
    dump->first_poll_ns = header.first_poll_ns;
    dump->live_bytes = header.live_bytes;

    offset = header.header_size;
    for (unsigned n = 0; n < CHUNKS_MOST && offset < header.used; n++) {
        struct dump_chunk chunk;
        if (!read_at(file, &chunk, sizeof chunk, offset) || chunk.magic != DUMP_CHUNK_MAGIC ||
            chunk.size < sizeof chunk || chunk.size > INT64_MAX)
            break;
        if (chunk.type == DUMP_LOOP && chunk.record_size >= sizeof(struct dump_loop))
            add_loops(dump, file, offset, &chunk);
        offset += chunk.size;
    }
    return true;
}

static int most_polls_first(const void *a, const void *b)
{
    const struct rundump *one = a, *other = b;

    if (one->polls != other->polls)
        return one->polls < other->polls ? 1 : -1;
    return strcmp(one->path, other->path);
}

struct rundump *rundumps_find(const struct rundumps *dumps, pid_t pid, size_t *count)
{
    struct rundump *list = NULL;
    DIR *directory = opendir(dumps->directory);
    struct dirent *entry;

    *count = 0;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (!rundumps_matches(dumps->name, entry->d_name))
            continue;
        struct rundump dump = {0};
        char *path = xasprintf("%s/%s", dumps->directory, entry->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (file >= 0 && read_dump(&dump, dumps, file) && belongs(&dump, (uint32_t)pid)) {
            dump.path = path;
            list = xreallocarray(list, *count + 1, sizeof *list);
            list[(*count)++] = dump;
        } else {
            free(path);
        }
        if (file >= 0)
            close(file);
    }
    if (directory != NULL)
        closedir(directory);
    if (*count > 1)
        qsort(list, *count, sizeof *list, most_polls_first);
    return list;
}

void rundumps_free(struct rundump *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i].path);
    free(list);
}
