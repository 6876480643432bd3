/* SPDX-License-Identifier: MIT */
/*
 * sdl_real.h: SDL's real functions. A program may hold several SDLs (SDL 1.2 beside 2, plugins that
 * bring their own), so each calling instruction has its own answer, which is kept until an object
 * is unloaded. The first call from each place may wait for the loader. Called by SDL's hooks.
 */
#ifndef AR_SDL_REAL_H
#define AR_SDL_REAL_H

#include <stdint.h>

#define AR_SDL_CALLERS 64u

struct ar_sdl_entry {
    const char *name;
    struct {
        const void *caller; /* NULL: unused */
        void *function;
        uint32_t generation; /* of modules */
    } known[AR_SDL_CALLERS];
};

/* The function of that name that the caller is bound to; `own` is the hook. NULL: there is none. */
void *ar_sdl_real(struct ar_sdl_entry *entry, const void *caller, const void *own);

#endif
