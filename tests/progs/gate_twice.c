/* SPDX-License-Identifier: MIT */
/*
 * gate_twice: 2000 frames of 48 bytes each: an event in each, and as many empty polls behind it as
 * the argument says.
 */
#include "tests/progs/target_sdl.h"

TARGET static void frame_makes(void)
{
    free(target_keep(malloc(48)));
}

int main(int argc, char **argv)
{
    unsigned empty = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    SDL_Window *window;

    target_start();
    window = SDL_CreateWindow("gate", 0, 0, 16, 16, 0);
    must(window != NULL && SDL_GetWindowSurface(window) != NULL);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    for (int i = 0; i < 2000; i++) {
        SDL_Event event;

        target_push();
        must(SDL_PollEvent(&event) == 1);
        target_poll(empty);
        frame_makes();
        must(SDL_UpdateWindowSurface(window) == 0);
    }
    SDL_Quit();
    return 0;
}
