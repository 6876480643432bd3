/* SPDX-License-Identifier: MIT */
/*
 * sdl_unfilled.h: whether a loaded SDL has been used: its table of functions is as its file has it
 * until the first of them is called. Called by blind.c, never inside an allocation hook.
 */
#ifndef AR_SDL_UNFILLED_H
#define AR_SDL_UNFILLED_H

#include <stdbool.h>

/* Is there an SDL library, 2 or 3, whose table is not filled? Waits for the loader's lock, and
 * reads that library's code. True where it cannot be told: on machines other than x86-64. */
bool ar_sdl_unfilled(void);

#endif
