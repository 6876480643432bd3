/* SPDX-License-Identifier: MIT */
#include "examples/game_draw.h"

#include <string.h>

#define LETTER_WIDTH  5
#define LETTER_HEIGHT 7
#define SPRITE_DOTS   12
#define STARS         140

static const char letter_order[] = " !'+,-./0123456789:?ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/* Columns from left to right; the lowest bit is the top dot. */
static const Uint8 letter_columns[][LETTER_WIDTH] = {
    {0x00, 0x00, 0x00, 0x00, 0x00}, {0x00, 0x00, 0x5f, 0x00, 0x00}, {0x00, 0x04, 0x03, 0x00, 0x00},
    {0x08, 0x08, 0x3e, 0x08, 0x08}, {0x00, 0x50, 0x30, 0x00, 0x00}, {0x08, 0x08, 0x08, 0x08, 0x08},
    {0x00, 0x60, 0x60, 0x00, 0x00}, {0x20, 0x10, 0x08, 0x04, 0x02}, {0x3e, 0x51, 0x49, 0x45, 0x3e},
    {0x00, 0x42, 0x7f, 0x40, 0x00}, {0x42, 0x61, 0x51, 0x49, 0x46}, {0x21, 0x41, 0x45, 0x4b, 0x31},
    {0x18, 0x14, 0x12, 0x7f, 0x10}, {0x27, 0x45, 0x45, 0x45, 0x39}, {0x3c, 0x4a, 0x49, 0x49, 0x30},
    {0x01, 0x71, 0x09, 0x05, 0x03}, {0x36, 0x49, 0x49, 0x49, 0x36}, {0x06, 0x49, 0x49, 0x29, 0x1e},
    {0x00, 0x36, 0x36, 0x00, 0x00}, {0x02, 0x01, 0x51, 0x09, 0x06}, {0x7e, 0x11, 0x11, 0x11, 0x7e},
    {0x7f, 0x49, 0x49, 0x49, 0x36}, {0x3e, 0x41, 0x41, 0x41, 0x22}, {0x7f, 0x41, 0x41, 0x22, 0x1c},
    {0x7f, 0x49, 0x49, 0x49, 0x41}, {0x7f, 0x09, 0x09, 0x09, 0x01}, {0x3e, 0x41, 0x49, 0x49, 0x7a},
    {0x7f, 0x08, 0x08, 0x08, 0x7f}, {0x00, 0x41, 0x7f, 0x41, 0x00}, {0x20, 0x40, 0x41, 0x3f, 0x01},
    {0x7f, 0x08, 0x14, 0x22, 0x41}, {0x7f, 0x40, 0x40, 0x40, 0x40}, {0x7f, 0x02, 0x0c, 0x02, 0x7f},
    {0x7f, 0x04, 0x08, 0x10, 0x7f}, {0x3e, 0x41, 0x41, 0x41, 0x3e}, {0x7f, 0x09, 0x09, 0x09, 0x06},
    {0x3e, 0x41, 0x51, 0x21, 0x5e}, {0x7f, 0x09, 0x19, 0x29, 0x46}, {0x46, 0x49, 0x49, 0x49, 0x31},
    {0x01, 0x01, 0x7f, 0x01, 0x01}, {0x3f, 0x40, 0x40, 0x40, 0x3f}, {0x1f, 0x20, 0x40, 0x20, 0x1f},
    {0x3f, 0x40, 0x38, 0x40, 0x3f}, {0x63, 0x14, 0x08, 0x14, 0x63}, {0x07, 0x08, 0x70, 0x08, 0x07},
    {0x61, 0x51, 0x49, 0x45, 0x43}, {0x40, 0x40, 0x40, 0x40, 0x40}};
SDL_COMPILE_TIME_ASSERT(letters, SDL_arraysize(letter_columns) == sizeof letter_order - 1);

/* '.' is clear; the digits are colours of the palette. */
static const char *const sprite_dots[DRAW_SPRITES][SPRITE_DOTS] = {
    [DRAW_SHIP] = {".....11.....", ".....11.....", "....1221....", "....1221....", "...112211...",
                   "...112211...", ".3.111111.3.", ".3111111113.", "111111111111", "111..11..111",
                   ".4...44...4.", ".....44....."},
    [DRAW_SQUID] = {"............", "....5555....", "...555555...", "..55555555..", ".5566556655.",
                    ".5566556655.", ".5555555555.", "..55.55.55..", "..5..55..5..", ".5..5..5..5.",
                    "5..5....5..5", "............"},
    [DRAW_CRAB] = {"............", "..7......7..", "...7....7...", "..77777777..", ".7766776677.",
                   ".7766776677.", "777777777777", "7.77777777.7", "7.7......7.7", "...77..77...",
                   "..77....77..", "............"}};
static const Uint32 palette[] = {0x00000000, 0xffd8dee9, 0xff5fb3d9, 0xffbf616a,
                                 0xffffb347, 0xff7bd88f, 0xff10141f, 0xffe39df2};

static SDL_Texture *make_texture(struct draw *draw, const Uint32 *pixels, int width, int height)
{
    SDL_Texture *texture = SDL_CreateTexture(draw->renderer, SDL_PIXELFORMAT_ARGB8888,
                                             SDL_TEXTUREACCESS_STATIC, width, height);

    if (texture == NULL)
        return NULL;
    SDL_UpdateTexture(texture, NULL, pixels, width * (int)sizeof *pixels);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
    return texture;
}

static SDL_Texture *make_sprite(struct draw *draw, const char *const *rows)
{
    Uint32 pixels[SPRITE_DOTS * SPRITE_DOTS];

    for (int y = 0; y < SPRITE_DOTS; y++)
        for (int x = 0; x < SPRITE_DOTS; x++) {
            char dot = rows[y][x];
            pixels[y * SPRITE_DOTS + x] = palette[dot == '.' ? 0 : dot - '0'];
        }
    return make_texture(draw, pixels, SPRITE_DOTS, SPRITE_DOTS);
}

static SDL_Texture *make_letters(struct draw *draw)
{
    static Uint32 pixels[LETTER_HEIGHT][SDL_arraysize(letter_columns) * LETTER_WIDTH];

    for (size_t i = 0; i < SDL_arraysize(letter_columns); i++)
        for (int x = 0; x < LETTER_WIDTH; x++)
            for (int y = 0; y < LETTER_HEIGHT; y++)
                pixels[y][i * LETTER_WIDTH + (size_t)x] =
                    letter_columns[i][x] >> y & 1 ? 0xffffffffu : 0;
    return make_texture(draw, &pixels[0][0], (int)SDL_arraysize(pixels[0]), LETTER_HEIGHT);
}

bool draw_open(struct draw *draw, const char *title)
{
    memset(draw, 0, sizeof *draw);
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    draw->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                    DRAW_WIDTH, DRAW_HEIGHT, 0);
    if (draw->window == NULL)
        return false;
    draw->renderer = SDL_CreateRenderer(draw->window, -1, SDL_RENDERER_SOFTWARE);
    if (draw->renderer == NULL)
        return false;
    for (int i = 0; i < DRAW_SPRITES; i++) {
        draw->sprites[i] = make_sprite(draw, sprite_dots[i]);
        if (draw->sprites[i] == NULL)
            return false;
    }
    draw->letters = make_letters(draw);
    return draw->letters != NULL;
}

void draw_close(struct draw *draw)
{
    SDL_DestroyTexture(draw->letters);
    for (int i = 0; i < DRAW_SPRITES; i++)
        SDL_DestroyTexture(draw->sprites[i]);
    SDL_DestroyRenderer(draw->renderer);
    SDL_DestroyWindow(draw->window);
}

void draw_sky(struct draw *draw, unsigned time)
{
    Uint32 random = 12345;

    for (int y = 0; y < DRAW_HEIGHT; y += 12) {
        SDL_Rect band = {0, y, DRAW_WIDTH, 12};

        SDL_SetRenderDrawColor(draw->renderer, (Uint8)(12 + y / 14), (Uint8)(14 + y / 22),
                               (Uint8)(34 + y / 9), 255);
        SDL_RenderFillRect(draw->renderer, &band);
    }
    for (int i = 0; i < STARS; i++) {
        unsigned layer = 1 + (unsigned)i % 3;
        unsigned x, y;

        random = random * 1664525u + 1013904223u;
        x = (random >> 8) % DRAW_WIDTH;
        y = ((random >> 18) + time * layer / 2) % DRAW_HEIGHT;
        draw_dot(draw, (float)x, (float)y, 70 * layer);
    }
}

void draw_sprite(struct draw *draw, enum draw_sprite sprite, float x, float y)
{
    SDL_Rect to = {(int)x, (int)y, DRAW_SPRITE, DRAW_SPRITE};

    SDL_RenderCopy(draw->renderer, draw->sprites[sprite], NULL, &to);
}

void draw_dot(struct draw *draw, float x, float y, unsigned brightness)
{
    SDL_Rect dot = {(int)x, (int)y, 2, 2};
    Uint8 grey = (Uint8)(brightness > 255 ? 255 : brightness);

    SDL_SetRenderDrawColor(draw->renderer, grey, grey, grey, 255);
    SDL_RenderFillRect(draw->renderer, &dot);
}

void draw_text(struct draw *draw, int x, int y, int size, SDL_Color colour, const char *text)
{
    SDL_SetTextureColorMod(draw->letters, colour.r, colour.g, colour.b);
    for (; *text != '\0'; text++, x += (LETTER_WIDTH + 1) * size) {
        const char *place = strchr(letter_order, SDL_toupper(*text));

        if (place == NULL)
            continue;
        SDL_Rect from = {(int)(place - letter_order) * LETTER_WIDTH, 0, LETTER_WIDTH,
                         LETTER_HEIGHT};
        SDL_Rect to = {x, y, LETTER_WIDTH * size, LETTER_HEIGHT * size};
        SDL_RenderCopy(draw->renderer, draw->letters, &from, &to);
    }
}
