/* SPDX-License-Identifier: MIT */
/*
 * sdl_real.h: SDL's real functions, for the hooks that a program reaches by name. A program may
 * hold several SDLs (SDL 1.2 beside 2, plugins that bring their own), so each calling instruction
 * has its own answer, which is kept until an object is unloaded or a table has become ours. The
 * first call from each place may wait for the loader. Called by SDL's, GL's and GLFW's hooks.
 */
#ifndef AR_SDL_REAL_H
#define AR_SDL_REAL_H

#include "preload/modules.h"

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

/* A table of SDL has become ours: what was found before is void. */
void ar_sdl_real_void(void);

/* Now, in changes of objects and tables. */
extern uint32_t ar_sdl_tables_changed;
static inline uint64_t ar_sdl_real_age(void)
{
    return (uint64_t)__atomic_load_n(&ar_sdl_tables_changed, __ATOMIC_ACQUIRE) << 32 |
           ar_modules_generation();
}

/* The slow part of ar_sdl_real. */
struct ar_sdl_found ar_sdl_real_find(struct ar_sdl_entry *entry, const void *caller,
                                     const void *own) __attribute__((noinline, cold));

static inline unsigned ar_sdl_real_place(const void *caller)
{
    return (unsigned)((uintptr_t)caller >> 2) % AR_SDL_CALLERS;
}

/* The function of that name that the caller is bound to; `own` is the hook. */
static inline struct ar_sdl_found ar_sdl_real(struct ar_sdl_entry *entry, const void *caller,
                                              const void *own)
{
    unsigned place = ar_sdl_real_place(caller);
    const void *before = __atomic_load_n(&entry->known[place].caller, __ATOMIC_ACQUIRE);
    struct ar_sdl_found found = {
        .function = __atomic_load_n(&entry->known[place].function, __ATOMIC_ACQUIRE),
        .in_table = __atomic_load_n(&entry->known[place].in_table, __ATOMIC_ACQUIRE)};
    uint64_t age = __atomic_load_n(&entry->known[place].age, __ATOMIC_ACQUIRE);

    /* The place is this caller's if it was before and after it was read. */
    if (__builtin_expect(before == caller && age == ar_sdl_real_age() &&
                             __atomic_load_n(&entry->known[place].caller, __ATOMIC_RELAXED) ==
                                 caller,
                         1))
        return found;
    return ar_sdl_real_find(entry, caller, own);
}

#endif
