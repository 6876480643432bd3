/* SPDX-License-Identifier: MIT */
/*
 * allocreport_poll.h: SDL's events without an allocation around each poll, for SDL 2 and 3:
 *
 *     #include <SDL.h>  or  <SDL3/SDL.h>
 *     #include <allocreport_poll.h>
 *
 *     for (const SDL_Event *event; (event = allocreport_poll_next()) != NULL;)
 *         handle(event);
 *
 * There is nothing to link but SDL. For C and C++, for the thread that polls.
 */
#ifndef ALLOCREPORT_POLL_H
#define ALLOCREPORT_POLL_H

#if !defined(SDL_MAJOR_VERSION) && defined(__has_include)
#if __has_include(<SDL.h>)
#include <SDL.h>
#elif __has_include(<SDL3/SDL.h>)
#include <SDL3/SDL.h>
#endif
#endif
#include <stddef.h>

#ifndef SDL_MAJOR_VERSION
#error "include SDL's header before allocreport_poll.h"
#endif

/*
 * The next event, or NULL: none waits. It asks first and then polls into the one event of this
 * file, which stands until the next one comes: a poll that brings nothing does not touch it, though
 * SDL 2.0.22 and later write into the buffer of such a poll. Nothing is allocated here; what SDL
 * itself allocates for an event stays SDL's, and what is to be freed of it (the name of a dropped
 * file in SDL 2) is still to be freed.
 */
static inline SDL_Event *allocreport_poll_next(void)
{
    static SDL_Event event;

    return SDL_PollEvent(NULL) && SDL_PollEvent(&event) ? &event : NULL;
}

#endif
