/* SPDX-License-Identifier: MIT */
/*
 * sdl_late.h: tables that SDL fills by itself, later: they are looked at when the program
 * allocates, by a function that stands before the real allocator for as long as such a table
 * waits, and costs nothing when none does. Called by sdl_table.c.
 */
#ifndef AR_SDL_LATE_H
#define AR_SDL_LATE_H

#include "preload/sdl_slots.h"

/* The table is not filled yet: its slots are replaced at an allocation after SDL has done so. */
void ar_sdl_late_expect(struct ar_sdl_table *table);

/* All slots of the table are replaced: polls go through them from now on. */
void ar_sdl_late_done(struct ar_sdl_table *table);

#endif
