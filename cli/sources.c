/* SPDX-License-Identifier: MIT */
#include "cli/sources.h"

#include "cli/errors.h"
#include "cli/strings.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sources {
    char *directories;
    struct strings *asked;
    char **found; /* by number in `asked`; NULL: not at hand */
};

struct sources *sources_new(const char *directories)
{
    struct sources *sources = xcalloc(1, sizeof *sources);

    sources->directories = xstrdup(directories != NULL ? directories : "");
    sources->asked = strings_new();
    return sources;
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < strings_count(sources->asked); i++)
        free(sources->found[i]);
    free(sources->found);
    strings_free(sources->asked);
    free(sources->directories);
    free(sources);
}

static bool is_readable(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

static char *find_below(const char *directory, size_t length, const char *path)
{
    for (const char *tail = path; tail != NULL;) {
        while (*tail == '/')
            tail++;
        char *whole = xasprintf("%.*s/%s", (int)length, directory, tail);
        if (*tail != '\0' && is_readable(whole))
            return whole;
        free(whole);
        tail = strchr(tail, '/');
    }
    return NULL;
}

static char *find(const struct sources *sources, const char *path)
{
    if (*path == '/' && is_readable(path))
        return xstrdup(path);
    for (const char *at = sources->directories; *at != '\0';) {
        size_t length = strcspn(at, ":");
        char *whole = length > 0 ? find_below(at, length, path) : NULL;
        if (whole != NULL)
            return whole;
        at += length;
        at += strspn(at, ":");
    }
    return NULL;
}

const char *sources_find(struct sources *sources, const char *path)
{
    size_t known = strings_count(sources->asked);
    size_t number = strings_add(sources->asked, path);

    if (number == known) {
        sources->found = xreallocarray(sources->found, known + 1, sizeof *sources->found);
        sources->found[number] = find(sources, path);
    }
    return sources->found[number];
}

/* All of it that may be read, with a NUL behind; NULL: nothing. */
static char *read_text(const char *path, size_t *size)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = NULL;

    *size = 0;
    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_t room = status.st_size < SOURCES_MOST ? (size_t)status.st_size : SOURCES_MOST;
        text = xmalloc(room + 1);
        for (ssize_t got = 1; got > 0 && *size<room; *size += got> 0 ? (size_t)got : 0)
            got = read(descriptor, text + *size, room - *size);
        text[*size] = '\0';
    }
    close(descriptor);
    return text;
}

struct source source_read(const char *path)
{
    struct source source = {0};
    size_t size, room = 0;

    source.text = read_text(path, &size);
    for (char *at = source.text; at != NULL && at < source.text + size;) {
        char *end = memchr(at, '\n', size - (size_t)(at - source.text));
        if (source.count == room) {
            room = 2 * room + 256;
            source.lines = xreallocarray(source.lines, room, sizeof *source.lines);
        }
        source.lines[source.count++] = at;
        if (end == NULL)
            break;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        at = end + 1;
    }
    return source;
}

void source_free(struct source *source)
{
    free(source->lines);
    free(source->text);
    *source = (struct source){0};
}

const char *source_line(const struct source *source, uint32_t number)
{
    return number >= 1 && number <= source->count ? source->lines[number - 1] : NULL;
}
