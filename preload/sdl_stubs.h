/* SPDX-License-Identifier: MIT */
/*
 * sdl_stubs.h: finds the table of an SDL that is linked into an object and exports nothing, by its
 * code alone: SDL's public functions are a long run of short stubs, each of which jumps through the
 * next slot of the table. So nothing has to be asked of SDL, which would wait for ever (2.0.9,
 * 2.0.10) or print a warning. Known for x86-64; finds nothing elsewhere. Called at start.
 */
#ifndef AR_SDL_STUBS_H
#define AR_SDL_STUBS_H

#include "preload/objects.h"

struct ar_sdl_stubs {
    void **table;
    uint32_t slots;
    uint32_t major; /* 2 or 3 */
};

/* The first such table of the object, which SDL has not filled yet. Touches each page of its code.
 * False: there is none. */
bool ar_sdl_stubs_find(const struct ar_object *object, struct ar_sdl_stubs *found);

#endif
