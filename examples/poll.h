/* SPDX-License-Identifier: MIT */
/*
 * poll.h: what poll_each, poll_once and poll_check share, so that they differ in nothing but the
 * loop: no window, video under SDL's dummy driver, no events. It allocates nothing itself between
 * poll_start and poll_finish.
 */
#ifndef EXAMPLES_POLL_H
#define EXAMPLES_POLL_H

#include <SDL.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Starts SDL, takes the events of its start out of the queue and returns N of the command line.
 * Ends the program when that is no number or SDL cannot start. */
static inline unsigned long poll_start(int argc, char **argv)
{
    char *end = NULL;
    unsigned long polls = 0;

    errno = 0;
    if (argc == 2)
        polls = strtoul(argv[1], &end, 10);
    if (argc != 2 || end == argv[1] || *end != '\0' || argv[1][0] == '-' || errno != 0) {
        fprintf(stderr, "usage: %s number-of-polls\n", argv[0]);
        exit(2);
    }
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], SDL_GetError());
        exit(1);
    }
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    return polls;
}

/* Nanoseconds of the monotonic clock. */
static inline Uint64 poll_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (Uint64)now.tv_sec * 1000000000u + (Uint64)now.tv_nsec;
}

/* Prints how long the loop took, stops SDL and returns main's value. */
static inline int poll_finish(unsigned long polls, Uint64 nanoseconds)
{
    SDL_Quit();
    return printf("%lu polls in %llu ns\n", polls, (unsigned long long)nanoseconds) < 0;
}

#endif
