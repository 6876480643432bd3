/* SPDX-License-Identifier: MIT */
/*
 * sdl_major.h: which SDL a function belongs to, by its major version: whether an event may be
 * looked at, and by whose numbers its type is named. Called by SDL's hooks, behind a call that
 * returned an event.
 */
#ifndef AR_SDL_MAJOR_H
#define AR_SDL_MAJOR_H

#include <stdint.h>

/* Of the SDL that holds `function`: 1, 2, 3; 0: not known. The first time for each function it may
 * wait for the loader; the answer is kept until an object is unloaded. */
uint32_t ar_sdl_major(const void *function);

#endif
