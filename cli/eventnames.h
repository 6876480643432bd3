/* SPDX-License-Identifier: MIT */
/*
 * eventnames.h: what SDL's types of events are called. Numbers and order are those of enum
 * SDL_EventType in SDL_events.h: of SDL 2.32 and of SDL 3.4, which never change one that a release
 * has had. Called by the model.
 */
#ifndef CLI_EVENTNAMES_H
#define CLI_EVENTNAMES_H

#include <stdint.h>

/* "mouse motion"; `sdl` is the major version by whose numbers `type` goes. NULL: not known. */
const char *eventnames_find(uint32_t sdl, uint32_t type);

/* Types from this on are the program's own, in both: SDL_USEREVENT, SDL_EVENT_USER. */
#define EVENTNAMES_USER      0x8000u
#define EVENTNAMES_USER_LAST 0xffffu

#endif
