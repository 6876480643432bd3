/* SPDX-License-Identifier: MIT */
#include "cli/perfmap.h"
#include "cli/errors.h"
#include "cli/ranges.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Anybody can put a file into /tmp: what is larger than this is not read to its end. */
#define MOST_BYTES ((size_t)256 << 20)

struct perfmap {
    struct ranges ranges;
    size_t count;
    size_t room;
    char **names;
};

/* "START SIZE NAME", the numbers in hexadecimal. */
static void add_line(struct perfmap *map, char *line)
{
    char *rest;
    char *name;
    uint64_t start = strtoull(line, &rest, 16);
    if (rest == line || *rest != ' ')
        return;
    uint64_t size = strtoull(rest + 1, &name, 16);
    if (name == rest + 1 || *name != ' ' || name[1] == '\0' || size > UINT64_MAX - start)
        return;
    if (map->count == map->room) {
        map->room = map->room * 2 + 64;
        map->names = xreallocarray(map->names, map->room, sizeof *map->names);
    }
    map->names[map->count] = xstrdup(name + 1);
    ranges_add(&map->ranges, start, start + size, map->count);
    map->count++;
}

struct perfmap *perfmap_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (fd < 0)
        return NULL;
    FILE *file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    if (!file) {
        close(fd);
        return NULL;
    }
    struct perfmap *map = xcalloc(1, sizeof *map);
    char *line = NULL;
    size_t room = 0;
    size_t total = 0;
    ssize_t length;
    while (total < MOST_BYTES && (length = getline(&line, &room, file)) >= 0) {
        total += (size_t)length;
        line[strcspn(line, "\n")] = '\0';
        add_line(map, line);
    }
    free(line);
    fclose(file);
    if (map->count)
        return map;
    perfmap_close(map);
    return NULL;
}

void perfmap_close(struct perfmap *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->count; i++)
        free(map->names[i]);
    free(map->names);
    ranges_free(&map->ranges);
    free(map);
}

const char *perfmap_find(struct perfmap *map, uint64_t address)
{
    size_t value;
    return map && ranges_find(&map->ranges, address, &value) ? map->names[value] : NULL;
}
