/* SPDX-License-Identifier: MIT */
/*
 * game_waste.h: the five allocations that the example game makes on purpose, each in a function of
 * its own and each with another cadence. A report on the game must name all five. game.c calls
 * them; nothing else in the game's own loop allocates.
 */
#ifndef EXAMPLES_GAME_WASTE_H
#define EXAMPLES_GAME_WASTE_H

#include <stddef.h>

struct spark {
    float x, y;
    unsigned brightness;
};

struct trail {
    struct spark *sparks;
    size_t count;
    size_t room;
};

struct key_stroke;

/* Each frame: a list of `count` sparks, which the caller frees in the same frame. NULL: no memory.
 */
struct spark *waste_each_frame(size_t count);

/* Each key: a record of the key, put in front of `history`. At most 16 are kept. */
struct key_stroke *waste_each_key(struct key_stroke *history, int key);
void waste_forget_keys(struct key_stroke *history);

/* One lump: the map of a level, which the caller frees at the game's end. NULL: no memory. */
unsigned char *waste_lump(size_t bytes);

/* A doubling array: the trail keeps all that was ever put on it. */
void waste_growing_trail(struct trail *trail, struct spark spark);

/* A slow leak: a message to show, of which nobody keeps the address. */
void waste_slow_leak(unsigned frame, char *show, size_t size);

#endif
