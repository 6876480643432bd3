/* SPDX-License-Identifier: MIT */
/*
 * sdl_table.h: SDL's own way to be replaced: before its first function runs, it asks the library
 * that the variable SDL_DYNAMIC_API (or SDL3_DYNAMIC_API) names to fill its table of functions.
 * This library is named there. It has the owner of the table fill it, as would have happened
 * without, and then replaces the slots of sdl_slots.h: so it reaches an SDL that is linked
 * dynamically or statically, loaded by dlopen, or bound in a way that hides it from preloading.
 *
 * An SDL that is linked statically and exports nothing cannot be asked. It is refused, fills its
 * table itself, and the slots are replaced at the next allocation. Some versions would hang when
 * they are refused; they are not.
 */
#ifndef AR_SDL_TABLE_H
#define AR_SDL_TABLE_H

#include "preload/sdl_slots.h"

/* In the constructor: sets the variables, and looks for an SDL that is linked into the program. */
void ar_sdl_table_start(void);

/* In a new child process: whoever held the lock is not here. */
void ar_sdl_table_reset(void);

/* `function`, which dlsym found, is SDL's for that call: what to give the program in its place,
 * where its SDL has no table. NULL: it has one, or no function here is free. */
void *ar_sdl_table_wrap(enum ar_sdl_call call, void *function);

/* Has an SDL asked this library to fill its table? */
bool ar_sdl_table_asked(void);

#endif
