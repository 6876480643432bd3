/* SPDX-License-Identifier: MIT */
/*
 * game_draw.h: pictures of the example game: sky, sprites and letters, made from tables at start.
 * It knows nothing of the game's rules, and allocates nothing of its own once draw_open is over.
 * game.c calls it.
 */
#ifndef EXAMPLES_GAME_DRAW_H
#define EXAMPLES_GAME_DRAW_H

#include <SDL.h>
#include <stdbool.h>

#define DRAW_WIDTH  640
#define DRAW_HEIGHT 360
#define DRAW_SPRITE 36 /* width and height of a sprite on the screen */

enum draw_sprite { DRAW_SHIP, DRAW_SQUID, DRAW_CRAB, DRAW_SPRITES };

struct draw {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *sprites[DRAW_SPRITES];
    SDL_Texture *letters;
};

/* Opens the window. False when SDL refuses, with SDL_GetError set; draw_close is due all the same.
 */
bool draw_open(struct draw *draw, const char *title);
void draw_close(struct draw *draw);

/* The sky with its stars, which drift as time (in frames) goes on. */
void draw_sky(struct draw *draw, unsigned time);
void draw_sprite(struct draw *draw, enum draw_sprite sprite, float x, float y);
void draw_dot(struct draw *draw, float x, float y, unsigned brightness);
/* Capitals, digits and some punctuation; `size` is the edge of one of a letter's 5 x 7 dots. */
void draw_text(struct draw *draw, int x, int y, int size, SDL_Color colour, const char *text);

#endif
