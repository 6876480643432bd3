/* SPDX-License-Identifier: MIT */
/* Baselines as files: read whole, written whole. */
#include "cli/baseline_private.h"
#include "cli/errors.h"
#include "cli/settle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole file; NULL: said why. The caller frees. */
static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    struct stat status;

    *size = 0;
    if (file == NULL || fstat(fileno(file), &status) != 0 ||
        (S_ISDIR(status.st_mode) && (errno = EISDIR) != 0)) {
        error("cannot read '%s': %s", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    /* The size that the file has now is a hint: it may be a pipe. */
    size_t room = status.st_size > 0 && (size_t)status.st_size < BASELINE_FILE_MOST
                      ? (size_t)status.st_size + 1
                      : 65536;
    char *text = xmalloc(room);
    for (size_t got = 1; got > 0;) {
        if (*size == room) {
            room *= 2;
            text = xreallocarray(text, room, 1);
        }
        got = fread(text + *size, 1, room - *size, file);
        *size += got;
        if (*size > BASELINE_FILE_MOST)
            break;
    }
    bool failed = ferror(file) != 0;
    if (failed)
        error("cannot read '%s': %s", path, strerror(errno));
    else if (*size > BASELINE_FILE_MOST)
        error("cannot use '%s': it is larger than any baseline", path);
    fclose(file);
    if (!failed && *size <= BASELINE_FILE_MOST)
        return text;
    free(text);
    return NULL;
}

static bool is_dump(const char *text, size_t size)
{
    return size >= sizeof((struct dump_header *)NULL)->magic &&
           memcmp(text, DUMP_MAGIC, sizeof((struct dump_header *)NULL)->magic) == 0;
}

struct baseline *baseline_read(const char *path)
{
    size_t size;
    char *text = read_whole(path, &size);
    char *why = NULL;

    if (text == NULL)
        return NULL;
    if (is_dump(text, size)) {
        error("cannot use '%s': it is a dump, not a baseline; --update makes one of it", path);
        free(text);
        return NULL;
    }
    struct baseline *baseline = baseline_parse(text, size, &why);
    free(text);
    if (baseline != NULL)
        baseline->path = baseline_intern(baseline, path);
    else
        error("cannot use the baseline '%s': %s", path, why);
    free(why);
    return baseline;
}

/* JSON begins with a bracket, a dump does not. */
static bool is_json(const char *path)
{
    FILE *file = fopen(path, "rbe");
    int c = ' ';

    while (file != NULL && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
        c = fgetc(file);
    if (file != NULL)
        fclose(file);
    return file != NULL && (c == '{' || c == '[');
}

struct baseline *baseline_open(const char *path)
{
    struct stat status;

    /* What can be read only once is not looked at first. */
    settle(path);
    if (stat(path, &status) == 0 && (!S_ISREG(status.st_mode) || is_json(path)))
        return baseline_read(path);
    struct model *model = model_open(path);
    if (model == NULL)
        return NULL;
    struct baseline *baseline = baseline_of(model);
    model_close(model);
    return baseline;
}

/* --- writing -------------------------------------------------------------------------------- */

/* Writes and syncs it under a name of its own. */
static bool write_file(int descriptor, const char *text, size_t size)
{
    FILE *file = fdopen(descriptor, "w");

    if (file == NULL) {
        close(descriptor);
        return false;
    }
    bool written =
        fwrite(text, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int reason = errno;
    if (fclose(file) != 0 && written)
        return false;
    errno = reason;
    return written;
}

/* As a file that is made in the usual way: mkostemp makes it the owner's alone. An older file's
 * mode stays. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &status) == 0 ? status.st_mode & 07777 : 0666 & ~mask;
}

static int replace(const char *path, const char *text, size_t size)
{
    char *part = xasprintf("%s.XXXXXX", path);
    int descriptor = mkostemp(part, O_CLOEXEC);
    bool made = descriptor >= 0;
    bool done = made && fchmod(descriptor, mode_of(path)) == 0;

    if (made && !done)
        close(descriptor);
    done = done && write_file(descriptor, text, size) && rename(part, path) == 0;
    if (!done) {
        error("cannot write '%s': %s", path, strerror(errno));
        if (made)
            unlink(part);
    }
    free(part);
    return done ? 0 : -1;
}

int baseline_write(const struct baseline *baseline, const char *path)
{
    char *text = baseline_text(baseline);
    char *real = realpath(path, NULL); /* NULL: not there yet */
    size_t size = strlen(text);
    int result = -1;

    if (size > BASELINE_FILE_MOST)
        error("cannot write '%s': it has too many sites (%zu)", path, baseline->site_count);
    else
        result = replace(real != NULL ? real : path, text, size);
    free(real);
    free(text);
    return result;
}
