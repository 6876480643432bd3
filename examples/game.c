/* SPDX-License-Identifier: MIT */
/*
 * game: a small SDL2 game with five allocations in its loop that should not be there; see
 * game_waste.h for them. Run it under the recorder and the report names each with its cadence.
 *
 * With --tidy it has none of them, and --regression adds one to that, as a careless commit would:
 * what the gate is for.
 *
 * Left and right move the ship, what you type appears at the bottom, Escape ends it.
 */
#include "examples/game_draw.h"
#include "examples/game_waste.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INVADERS   18
#define SPARKS     24
#define LUMP_BYTES (4u << 20)
#define LEAK_EVERY 97u
#define TEXT_SIZE  40
#define MESSAGE    32
#define KEY_WORD   5u /* keys come as if words were typed: so many, one a frame, then a pause */

struct options {
    unsigned frames; /* 0: until it is closed */
    unsigned keys;   /* that are pressed by itself */
    bool fast;       /* as many frames a second as can be drawn */
    bool tidy;       /* without the wastes: nothing is allocated in the loop */
    bool regression; /* what a careless commit would add to that */
};

struct game {
    struct options options;
    struct draw draw;
    SDL_AudioDeviceID audio;
    float pitch; /* the audio thread's own */
    unsigned frame;
    unsigned keys_pressed;
    float ship;
    float steer;
    bool over;
    char typed[TEXT_SIZE + 1];
    char message[MESSAGE];
    struct key_stroke *history;
    struct trail trail;
    unsigned char *level;
};

/* Runs on SDL's audio thread: a soft hum. */
static void audio_callback(void *user, Uint8 *stream, int length)
{
    struct game *game = user;
    Sint16 *samples = (Sint16 *)(void *)stream;

    for (int i = 0; i < length / (int)sizeof *samples; i++) {
        game->pitch += 0.018f;
        if (game->pitch > 6.2831853f)
            game->pitch -= 6.2831853f;
        samples[i] = (Sint16)(900.0f * sinf(game->pitch));
    }
}

static void type_text(struct game *game, const char *text)
{
    size_t length = strlen(game->typed);
    size_t more = strlen(text);

    if (length + more > TEXT_SIZE) {
        length = 0;
        more = more > TEXT_SIZE ? TEXT_SIZE : more;
    }
    memcpy(game->typed + length, text, more);
    game->typed[length + more] = '\0';
}

static void handle_event(struct game *game, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        game->over = true;
        break;
    case SDL_TEXTINPUT:
        type_text(game, event->text.text);
        break;
    case SDL_KEYDOWN:
        if (!game->options.tidy)
            game->history = waste_each_key(game->history, event->key.keysym.sym);
        if (event->key.keysym.sym == SDLK_ESCAPE)
            game->over = true;
        break;
    default:
        break;
    }
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
        float to = event->type == SDL_KEYDOWN ? 4.0f : 0.0f;

        if (event->key.keysym.sym == SDLK_LEFT)
            game->steer = -to;
        else if (event->key.keysym.sym == SDLK_RIGHT)
            game->steer = to;
    }
}

/* Presses the keys that --keys asks for, spread over the run in words. */
static void press_keys(struct game *game)
{
    static const char letters[] = "watch the heap ";
    unsigned words = (game->options.keys + KEY_WORD - 1) / KEY_WORD;
    unsigned every = words == 0 ? 0 : game->options.frames / (words + 1);
    unsigned word = every == 0 ? 0 : game->frame / every;
    SDL_Event event;

    if (word == 0 || game->keys_pressed >= game->options.keys ||
        game->keys_pressed >= word * KEY_WORD)
        return;
    memset(&event, 0, sizeof event);
    event.type = SDL_KEYDOWN;
    event.key.state = SDL_PRESSED;
    event.key.keysym.sym = letters[game->keys_pressed % (sizeof letters - 1)];
    SDL_PushEvent(&event);
    event.type = SDL_KEYUP;
    event.key.state = SDL_RELEASED;
    SDL_PushEvent(&event);
    memset(&event, 0, sizeof event);
    event.type = SDL_TEXTINPUT;
    event.text.text[0] = letters[game->keys_pressed % (sizeof letters - 1)];
    SDL_PushEvent(&event);
    game->keys_pressed++;
}

static void update(struct game *game)
{
    unsigned lump_at = game->options.frames != 0 ? game->options.frames * 3 / 4 : 600;
    struct spark spark = {game->ship + DRAW_SPRITE / 2.0f, DRAW_HEIGHT - 50.0f, 60};

    game->ship += game->steer != 0 ? game->steer : 2.2f * cosf((float)game->frame / 70);
    game->ship = fminf(fmaxf(game->ship, 0), DRAW_WIDTH - DRAW_SPRITE);
    if (game->options.tidy)
        return;
    for (int i = 0; i < 4; i++)
        waste_growing_trail(&game->trail, spark);
    if (game->frame % LEAK_EVERY == 0)
        waste_slow_leak(game->frame, game->message, sizeof game->message);
    if (game->frame == lump_at)
        game->level = waste_lump(LUMP_BYTES);
}

static void draw_exhaust(struct game *game)
{
    struct spark kept[SPARKS] = {{.brightness = 0}};
    struct spark *sparks = game->options.tidy ? kept : waste_each_frame(SPARKS);

    if (sparks == NULL)
        return;
    if (game->options.tidy)
        for (unsigned i = 0; i < SPARKS; i++)
            sparks[i].brightness = 240;
    for (unsigned i = 0; i < SPARKS; i++) {
        float age = (float)((game->frame * 3 + i * 7) % 40);

        sparks[i].x = game->ship + DRAW_SPRITE / 2.0f + (float)(i * 37 % 13) - 6;
        sparks[i].y = DRAW_HEIGHT - 52 + age;
        sparks[i].brightness -= (unsigned)(5 * age);
        draw_dot(&game->draw, sparks[i].x, sparks[i].y, sparks[i].brightness);
    }
    if (sparks != kept)
        free(sparks);
}

/* What a careless commit would write: a block for each frame's text. */
static __attribute__((noinline)) void draw_score(struct game *game)
{
    const SDL_Color white = {216, 222, 233, 255};
    size_t size = 32;
    char *text = malloc(size);

    if (text == NULL)
        return;
    snprintf(text, size, "score %u", game->frame / 10);
    draw_text(&game->draw, 12, 34, 2, white, text);
    free(text);
}

static void draw_trail(struct game *game)
{
    size_t shown = game->trail.count < 400 ? game->trail.count : 400;

    for (size_t i = 0; i < shown; i += 8) {
        const struct spark *spark = &game->trail.sparks[game->trail.count - 1 - i];

        draw_dot(&game->draw, spark->x, spark->y - (float)i * 0.7f,
                 spark->brightness + 150 - (unsigned)i / 2);
    }
}

static void draw_frame(struct game *game)
{
    const SDL_Color white = {216, 222, 233, 255}, amber = {255, 179, 71, 255};
    char line[64];

    draw_sky(&game->draw, game->frame);
    draw_trail(game);
    draw_exhaust(game);
    for (int i = 0; i < INVADERS; i++) {
        float sway = 30 * sinf((float)game->frame / 40 + (float)(i / 6));
        float x = 70 + (float)(i % 6) * 88 + sway;
        float y = 54 + (float)(i / 6) * 56 + 5 * sinf((float)game->frame / 12 + (float)i);

        draw_sprite(&game->draw, i / 6 == 1 ? DRAW_CRAB : DRAW_SQUID, x, y);
    }
    draw_sprite(&game->draw, DRAW_SHIP, game->ship, DRAW_HEIGHT - 86);
    snprintf(line, sizeof line, "frame %u", game->frame);
    draw_text(&game->draw, 12, 12, 2, white, line);
    draw_text(&game->draw, DRAW_WIDTH - 12 - 12 * (int)strlen(game->message), 12, 2, amber,
              game->message);
    snprintf(line, sizeof line, "%s_", game->typed[0] != '\0' ? game->typed : "type something");
    draw_text(&game->draw, 12, DRAW_HEIGHT - 26, 2, white, line);
    if (game->options.regression)
        draw_score(game);
    SDL_RenderPresent(game->draw.renderer);
}

static bool parse_options(int argc, char **argv, struct options *options)
{
    memset(options, 0, sizeof *options);
    for (int i = 1; i < argc; i++) {
        unsigned *number = strcmp(argv[i], "--frames") == 0 ? &options->frames
                           : strcmp(argv[i], "--keys") == 0 ? &options->keys
                                                            : NULL;
        if (strcmp(argv[i], "--fast") == 0) {
            options->fast = true;
        } else if (strcmp(argv[i], "--tidy") == 0) {
            options->tidy = true;
        } else if (strcmp(argv[i], "--regression") == 0) {
            options->regression = true;
        } else if (number != NULL && i + 1 < argc) {
            char *end;
            *number = (unsigned)strtoul(argv[++i], &end, 10);
            if (end == argv[i] || *end != '\0')
                return false;
        } else {
            return false;
        }
    }
    return options->keys == 0 || options->frames != 0;
}

static void run(struct game *game)
{
    SDL_Event event;

    while (!game->over && (game->options.frames == 0 || game->frame < game->options.frames)) {
        Uint32 begin = SDL_GetTicks();

        press_keys(game);
        while (SDL_PollEvent(&event))
            handle_event(game, &event);
        update(game);
        draw_frame(game);
        game->frame++;
        if (!game->options.fast && SDL_GetTicks() - begin < 16)
            SDL_Delay(16 - (SDL_GetTicks() - begin));
    }
}

int main(int argc, char **argv)
{
    static struct game game;
    SDL_AudioSpec spec = {.freq = 22050, .format = AUDIO_S16SYS, .channels = 1, .samples = 1024};
    int status = 1;

    if (!parse_options(argc, argv, &game.options)) {
        fprintf(stderr, "usage: %s [--frames N [--keys N]] [--fast] [--tidy] [--regression]\n",
                argv[0]);
        return 2;
    }
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_AUDIO) == 0 && draw_open(&game.draw, "allocreport")) {
        spec.callback = audio_callback;
        spec.userdata = &game;
        game.audio = SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0);
        game.ship = DRAW_WIDTH / 2.0f;
        if (game.audio != 0)
            SDL_PauseAudioDevice(game.audio, 0);
        SDL_StartTextInput();
        run(&game);
        status = 0;
    } else {
        fprintf(stderr, "%s: %s\n", argv[0], SDL_GetError());
    }
    if (game.audio != 0)
        SDL_CloseAudioDevice(game.audio);
    waste_forget_keys(game.history);
    free(game.trail.sparks);
    free(game.level);
    draw_close(&game.draw);
    SDL_Quit();
    return status;
}
