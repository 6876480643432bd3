/* SPDX-License-Identifier: MIT */
#include "cli/watch.h"

#include "cli/blind.h"
#include "cli/errors.h"
#include "cli/preflight.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOUND_MOST     64u
#define PROCESSES_MOST 1024u /* of one look */
#define PATH_ROOM      4096u

/* What `search` finds in a memory map, by look_at's words. */
#define MAPPED_RECORDER 1u
#define MAPPED_SDL      (2u | 4u | 8u)
#define MAPPED_FILES    16u
#define MAPPED_UNKNOWN  (1u << 31)

struct family {
    pid_t pids[PROCESSES_MOST];
    size_t count;
};

/* Its children, by each of its threads. */
static void add_children(struct family *family, pid_t parent)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        char *list = xasprintf("%s/%s/children", path, entry->d_name);
        FILE *file = *entry->d_name != '.' ? fopen(list, "re") : NULL;
        int pid;
        while (file != NULL && family->count < PROCESSES_MOST && fscanf(file, "%d", &pid) == 1)
            family->pids[family->count++] = pid;
        if (file != NULL)
            fclose(file);
        free(list);
    }
    if (threads != NULL)
        closedir(threads);
}

/* Looks for words in its memory map, or behind `prefix` in its environment: bit n of what is
 * returned is for words[n]; bit 31: it could not be read. */
static unsigned search(pid_t pid, const char *prefix, const char *const *words, size_t count)
{
    const char *name = prefix != NULL ? "environ" : "maps";
    char *path = xasprintf("/proc/%d/%s", (int)pid, name);
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    unsigned found = file == NULL ? 1u << 31 : 0;

    while (file != NULL && getdelim(&line, &room, prefix != NULL ? '\0' : '\n', file) > 0)
        for (size_t i = 0; i < count; i++)
            if ((prefix == NULL || strncmp(line, prefix, strlen(prefix)) == 0) &&
                strstr(line, words[i]) != NULL)
                found |= 1u << i;
    if (file != NULL)
        fclose(file);
    free(line);
    free(path);
    return found;
}

static bool is_known(const struct watch *watch, pid_t pid, const char *program)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->found[i].pid == pid && strcmp(watch->found[i].program, program) == 0)
            return true;
    return false;
}

/* Why the process goes without the recorder, which is mapped in it or not: SDL itself may have
 * loaded it. */
static unsigned why(const struct watch *watch, pid_t pid, bool mapped)
{
    char path[64];
    const char *words[] = {watch->recorder};

    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    unsigned number = preflight_look(path, watch->recorder);
    if (number != BLIND_NO && number != DUMP_BLIND_OWN_MALLOC)
        return number;
    if (search(pid, "LD_PRELOAD=", words, 1) == 0)
        return BLIND_VARIABLE;
    return mapped ? BLIND_NO : BLIND_NOT_LOADED;
}

static void look_at(struct watch *watch, pid_t pid)
{
    const char *words[] = {watch->recorder, "/libSDL2-", "/libSDL2.", "/libSDL3.", "/"};
    char path[64], program[PATH_ROOM];

    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(path, program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    unsigned mapped = search(pid, NULL, words, 5);
    if ((mapped & MAPPED_UNKNOWN) != 0 || (mapped & MAPPED_FILES) == 0 ||
        is_known(watch, pid, program) || watch->count >= FOUND_MOST)
        return; /* it is about to end, among others */
    unsigned number = why(watch, pid, (mapped & MAPPED_RECORDER) != 0);
    if (number == BLIND_NO)
        return;
    watch->found = xreallocarray(watch->found, watch->count + 1, sizeof *watch->found);
    watch->found[watch->count++] = (struct watched){
        .pid = pid, .program = xstrdup(program), .why = number, .sdl = (mapped & MAPPED_SDL) != 0};
}

void watch_look(struct watch *watch)
{
    char self[PATH_ROOM], other[PATH_ROOM], path[64];
    unsigned call = watch->calls++;

    /* At 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 ...: the two highest bits alone are set. */
    for (unsigned rest = call; rest > 3; rest >>= 1)
        if ((rest & 1) != 0)
            return;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';

    struct family *family = xcalloc(1, sizeof *family);
    add_children(family, getpid());
    for (size_t i = 0; i < family->count; i++) {
        snprintf(path, sizeof path, "/proc/%d/exe", (int)family->pids[i]);
        length = readlink(path, other, sizeof other - 1);
        other[length > 0 ? length : 0] = '\0';
        if (strcmp(self, other) != 0) /* else it is about to become the program */
            look_at(watch, family->pids[i]);
        add_children(family, family->pids[i]);
    }
    free(family);
}

void watch_end(struct watch *watch)
{
    for (size_t i = 0; i < watch->count; i++)
        free(watch->found[i].program);
    free(watch->found);
}
