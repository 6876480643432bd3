/* SPDX-License-Identifier: MIT */
/* target_sdl.h: SDL for the programs that tests record: the dummy driver, no events waiting. */
#ifndef TESTS_TARGET_SDL_H
#define TESTS_TARGET_SDL_H

#include "tests/progs/target.h"

#include <SDL.h>

static inline void target_start(void)
{
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    must(SDL_Init(SDL_INIT_VIDEO) == 0);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

/* Polls `count` times, and finds nothing. */
static inline void target_poll(unsigned count)
{
    SDL_Event event;

    while (count-- > 0)
        must(SDL_PollEvent(&event) == 0);
}

static inline void target_push(void)
{
    SDL_Event event;

    memset(&event, 0, sizeof event);
    event.type = SDL_USEREVENT;
    must(SDL_PushEvent(&event) == 1);
}

#endif
