/* SPDX-License-Identifier: MIT */
/*
 * many_loops: polls three times with each of 300 stacks, all by one call, as a program does that
 * shows how far it has loaded; then its main loop polls 2000 times by another call.
 */
#include "tests/progs/target_sdl.h"

#define LEVELS 9
#define STACKS 300
#define TURNS  2000

/* What the compiler does not know. */
static volatile unsigned depth;
static volatile unsigned times = 3;

TARGET static void show_progress(void)
{
    SDL_Event event;

    free(target_keep(malloc(10)));
    SDL_PollEvent(&event);
    depth++;
}

/* By two calls, so that each path has a stack of its own. */
TARGET static void load(unsigned path, unsigned level)
{
    if (level == 0)
        show_progress();
    else if (path % 2 == 0)
        load(path / 2, level - 1);
    else
        load(path / 2, level - 1);
    depth++;
}

TARGET static void main_loop(void)
{
    SDL_Event event;

    for (unsigned i = 0; i < TURNS; i++) {
        free(target_keep(malloc(100)));
        SDL_PollEvent(&event);
    }
}

int main(void)
{
    target_start();
    for (unsigned path = 0; path < STACKS; path++)
        for (unsigned i = 0; i < times; i++)
            load(path, LEVELS);
    main_loop();
    SDL_Quit();
    return 0;
}
