/* SPDX-License-Identifier: MIT */
/*
 * sdl_info.h: one SDL of the program, and what it says of itself: its version, drivers and
 * subsystems, by functions that neither allocate nor set an error. Called after a poll, never
 * inside an allocation hook.
 */
#ifndef AR_SDL_INFO_H
#define AR_SDL_INFO_H

#include <stdint.h>

struct ar_sdl {
    uint32_t major;       /* version: 2 or 3; 0: another, or not known */
    uint32_t slots;       /* of its table */
    void *const *table;   /* the functions that it calls itself by; NULL: it has none */
    const void *function; /* one of its functions: the object that it lies in is that SDL */
};

/* The slow part of ar_sdl_polled. */
void ar_sdl_describe(const struct ar_sdl *sdl) __attribute__((noinline, cold));

#define AR_SDL_DESCRIBE_EVERY 1024u /* polls from one look at SDL's drivers to the next */

/* Two threads that count at once may lose one: it is only a rhythm. */
extern uint32_t ar_sdl_polls;

/* A poll answered by `sdl` has ended. Now and then, what is new is recorded. The first time for an
 * SDL its functions are looked up, which may wait for the loader; later they are only called. */
static inline void ar_sdl_polled(const struct ar_sdl *sdl)
{
    uint32_t n = __atomic_load_n(&ar_sdl_polls, __ATOMIC_RELAXED);

    __atomic_store_n(&ar_sdl_polls, n + 1, __ATOMIC_RELAXED);
    if (__builtin_expect(n % AR_SDL_DESCRIBE_EVERY == 0 || n == 60, 0))
        ar_sdl_describe(sdl);
}

/* The program is about to set these subsystems up (SDL_INIT_*). It tells the launcher. */
void ar_sdl_sets_up(uint32_t flags);

/* All subsystems that were set up so far, as far as it was seen: also those that no longer run. */
uint32_t ar_sdl_subsystems(void);

/* In a new child process: nothing is recorded yet. */
void ar_sdl_info_reset(void);

#endif
