/* SPDX-License-Identifier: MIT */
/*
 * sdl_slots.h: the slots of SDL's table of functions that are replaced, and what replaces them. All
 * of SDL's public functions jump through that table, also those of an SDL that is linked into the
 * program. Slots are only ever appended to it, so their numbers hold for all versions of a major
 * one. Several tables in one process are normal; each has functions of its own here, since a
 * function in a slot is not told which table it stands in. Called by sdl_table.c.
 */
#ifndef AR_SDL_SLOTS_H
#define AR_SDL_SLOTS_H

#include "preload/sdl_info.h"

#include <stdbool.h>

#define AR_SDL_TABLES 8u

enum ar_sdl_call {
    AR_SDL_POLL,
    AR_SDL_WAIT,
    AR_SDL_WAIT_TIMEOUT,
    AR_SDL_PUMP,
    AR_SDL_PEEP,
    AR_SDL_RENDER,
    AR_SDL_GL_SWAP,
    AR_SDL_SURFACE,
    AR_SDL_SURFACE_RECTS,
    AR_SDL_GPU_ACQUIRE,      /* SDL 3 alone, as are those that follow */
    AR_SDL_GPU_WAIT_ACQUIRE, /* acquires too */
    AR_SDL_GPU_SUBMIT,
    AR_SDL_GPU_SUBMIT_FENCE,
    AR_SDL_CALLBACKS,
    AR_SDL_INIT, /* of both again */
    AR_SDL_INIT_SUBSYSTEM,
    AR_SDL_CALLS,
    AR_SDL_NO_CALL = AR_SDL_CALLS
};

struct ar_sdl_table {
    struct ar_sdl sdl; /* .function is NULL until the slots are ours */
    void **slots;      /* the table */
    uintptr_t start;   /* of the object that it lies in */
    uintptr_t end;     /* 0: this place is free */
    bool late;         /* `before` is known: SDL itself will fill the table */
    bool queue_made;   /* its queue of events was given room (sdl_queue.h) */
    void *before[AR_SDL_CALLS];
    void *original[AR_SDL_CALLS];
};

extern struct ar_sdl_table ar_sdl_tables[AR_SDL_TABLES];

/* A late table: remembers what stands in its slots before SDL fills them. */
void ar_sdl_slots_remember(struct ar_sdl_table *table);

/* Has SDL begun to fill a table that was remembered? Costs little. */
bool ar_sdl_slots_filled(const struct ar_sdl_table *table);

/* Replaces those slots that SDL has filled. True: all that there are. Changes nothing but the
 * table; may be called by several threads, in an allocation hook, and again. */
bool ar_sdl_slots_replace(struct ar_sdl_table *table);

/* Does the table have a slot for the call, and is it still as ar_sdl_slots_replace left it? */
bool ar_sdl_slots_ours(const struct ar_sdl_table *table, enum ar_sdl_call call);

/* The call of that name, among those that SDL 2 has; AR_SDL_NO_CALL: none. */
enum ar_sdl_call ar_sdl_slots_named(const char *name);

/* What counts a call of `table`, which need have no slots, and goes on to its original. */
void *ar_sdl_slots_function(const struct ar_sdl_table *table, enum ar_sdl_call call);

/* Does the address lie in an object whose table is SDL 2's? */
bool ar_sdl_slots_in_sdl2(uintptr_t address);

/* The object that `address` lies in ends: its table, if it is not filled yet, is no longer to be
 * looked at. `unloaded`: it goes, and another may come to its place. What stands in its slots still
 * works. */
void ar_sdl_slots_gone(uintptr_t address, bool unloaded);

/* The slot of a function that is only called; 0: the table has none. */
enum ar_sdl_query {
    AR_SDL_GET_VERSION,
    AR_SDL_WAS_INIT,
    AR_SDL_VIDEO_DRIVER,
    AR_SDL_AUDIO_DRIVER,
    AR_SDL_ADD_WATCH, /* SDL 2 alone, as are those that follow */
    AR_SDL_DELETE_WATCH,
    AR_SDL_NUM_JOYSTICKS,
    AR_SDL_NUM_SENSORS,
    AR_SDL_WINDOW_FROM_ID
};
unsigned ar_sdl_slots_query(const struct ar_sdl *sdl, enum ar_sdl_query query);

#endif
