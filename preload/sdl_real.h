/* SPDX-License-Identifier: MIT */
/*
 * sdl_real.h: SDL's real functions, for the hooks that a program reaches by name. A program may
 * hold several SDLs (SDL 1.2 beside 2, plugins that bring their own), so each calling instruction
 * has its own answer, which is kept until an object is unloaded or a table has become ours. The
 * first call from each place may wait for the loader. Called by SDL's, GL's and GLFW's hooks.
 */
#ifndef AR_SDL_REAL_H
#define AR_SDL_REAL_H

#include <stdbool.h>
#include <stdint.h>

#define AR_SDL_CALLERS 64u

struct ar_sdl_entry {
    const char *name;
    unsigned call; /* enum ar_sdl_call */
    struct {
        const void *caller; /* NULL: unused */
        void *function;
        bool in_table;
        uint64_t age; /* when it was found, in changes of objects and tables */
    } known[AR_SDL_CALLERS];
};

struct ar_sdl_found {
    void *function; /* NULL: there is none */
    bool in_table;  /* it goes through a table that is ours, where it is counted */
};

/* The function of that name that the caller is bound to; `own` is the hook. */
struct ar_sdl_found ar_sdl_real(struct ar_sdl_entry *entry, const void *caller, const void *own);

/* A table of SDL has become ours: what was found before is void. */
void ar_sdl_real_void(void);

#endif
