/* SPDX-License-Identifier: MIT */
/*
 * watch.h: the processes of a run that go without the recorder, looked for in /proc while they run:
 * a script may start the game in a way that takes the recorder away. Prints nothing. Called by
 * unseen.c.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct watched {
    pid_t pid;
    char *program; /* path of its executable */
    unsigned why;  /* number of blind.h */
    bool sdl;      /* an SDL is mapped in it */
};

struct watch {
    const char *recorder; /* path of the library */
    unsigned calls;
    struct watched *found; /* those without the recorder, in the order in which they were found */
    size_t count;
};

/* To be called now and then; looks less and less often. */
void watch_look(struct watch *watch);

void watch_end(struct watch *watch);

#endif
