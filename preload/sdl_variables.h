/* SPDX-License-Identifier: MIT */
/*
 * sdl_variables.h: SDL_DYNAMIC_API and SDL3_DYNAMIC_API, which name this library to SDL. What the
 * user had in them is kept in ALLOCREPORT_SDL_DYNAMIC_API and ALLOCREPORT_SDL3_DYNAMIC_API, by
 * `allocreport run` or here, and asked first. Called by sdl_table.c.
 */
#ifndef AR_SDL_VARIABLES_H
#define AR_SDL_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

/* In the constructor: both name this library; children inherit them. Allocates from libc. */
void ar_sdl_variables_set(void);

/* In the constructor, after that: SDL `major` is to find what the user had, or nothing. */
void ar_sdl_variables_undo(uint32_t major);

/* What the user had for SDL `major`; NULL: nothing. */
const char *ar_sdl_variables_chained(uint32_t major);

/* Has the program changed one of them? */
bool ar_sdl_variables_changed(void);

#endif
