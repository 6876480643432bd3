/* SPDX-License-Identifier: MIT */
#include "cli/recorder.h"

#include "cli/errors.h"
#include "cli/preflight.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDER "liballocreport.so"

/* The absolute path if there is a readable file, else NULL with errno set. */
static char *usable(const char *path)
{
    char *whole = realpath(path, NULL);

    if (whole != NULL && access(whole, R_OK) != 0) {
        free(whole);
        whole = NULL;
    }
    return whole;
}

/* In one of `count` places, relative to this executable's directory. */
static char *beside_executable(const char *const *places, size_t count)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length <= 0)
        return NULL;
    self[length] = '\0';
    *(strrchr(self, '/') + 1) = '\0';
    for (size_t i = 0; i < count; i++) {
        char *path = xasprintf("%s%s" RECORDER, self, places[i]);
        char *whole = usable(path);
        free(path);
        if (whole != NULL)
            return whole;
    }
    return NULL;
}

static char *find_64(void)
{
    static const char *const places[] = {"",
                                         "../lib/",
                                         "../lib/x86_64-linux-gnu/",
                                         "../lib/x86_64-linux-gnu/allocreport/",
                                         "../lib/aarch64-linux-gnu/",
                                         "../lib/aarch64-linux-gnu/allocreport/",
                                         "../lib64/"};
    char *path = beside_executable(places, sizeof places / sizeof places[0]);

    return path != NULL ? path : usable(ALLOCREPORT_LIBDIR "/" RECORDER);
}

/* For that program, if it is one of 32 bits and there is a recorder for such. */
static char *find_32(const char *program)
{
    static const char *const places[] = {"../lib32/", "../lib/i386-linux-gnu/"};
    char *file = program != NULL ? preflight_find(program) : NULL;
    char *path = NULL;

    if (file != NULL && preflight_is_32_bit(file)) {
        path = beside_executable(places, sizeof places / sizeof places[0]);
        if (path == NULL)
            path = usable(ALLOCREPORT_LIBDIR32 "/" RECORDER);
    }
    free(file);
    return path;
}

char *recorder_find(const char *given, const char *program)
{
    const char *named = given != NULL ? given : getenv("ALLOCREPORT_LIBRARY");

    if (named != NULL && *named != '\0') {
        char *path = usable(named);
        if (path == NULL)
            error("cannot use the recorder '%s': %s", named, strerror(errno));
        return path;
    }

    char *path = find_32(program);
    if (path == NULL)
        path = find_64();
    if (path == NULL)
        error("cannot find the recorder " RECORDER "; say where it is by --recorder FILE");
    return path;
}

static bool is_sanitizer(const char *word, size_t length)
{
    static const char *const names[] = {"libasan.so", "libtsan.so",   "libubsan.so",
                                        "liblsan.so", "libhwasan.so", "libclang_rt."};
    const char *name = word;

    for (size_t i = 0; i < length; i++)
        if (word[i] == '/')
            name = word + i + 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((size_t)(word + length - name) >= strlen(names[i]) &&
            strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

char *recorder_preload(const char *recorder, const char *old)
{
    if (strpbrk(recorder, " :") != NULL) {
        error("the recorder cannot be preloaded from '%s': LD_PRELOAD takes no path with a space "
              "or a colon",
              recorder);
        return NULL;
    }

    char *front = xstrdup("");
    char *back = xstrdup("");
    for (const char *at = old != NULL ? old : ""; *at != '\0';) {
        size_t length = strcspn(at, " :");
        bool ours = length == strlen(recorder) && strncmp(at, recorder, length) == 0;
        if (length > 0 && !ours) {
            char **list = is_sanitizer(at, length) ? &front : &back;
            char *longer = list == &front ? xasprintf("%s%.*s:", *list, (int)length, at)
                                          : xasprintf("%s:%.*s", *list, (int)length, at);
            free(*list);
            *list = longer;
        }
        at += length;
        at += strspn(at, " :");
    }
    char *whole = xasprintf("%s%s%s", front, recorder, back);
    free(front);
    free(back);
    return whole;
}
