/* SPDX-License-Identifier: MIT */
/* presents: polls 40 times on the main thread while another thread presents 25 times. */
#include "tests/progs/target_sdl.h"

static SDL_Window *window;

static int presenter(void *unused)
{
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);

    (void)unused;
    must(renderer != NULL);
    for (int i = 0; i < 25; i++) {
        SDL_RenderClear(renderer);
        SDL_RenderPresent(renderer);
    }
    SDL_DestroyRenderer(renderer);
    return 0;
}

int main(void)
{
    SDL_Event event;
    SDL_Thread *thread;

    target_start();
    window = SDL_CreateWindow("presents", 0, 0, 64, 64, 0);
    must(window != NULL);
    for (int i = 0; i < 20; i++)
        SDL_PollEvent(&event);
    thread = SDL_CreateThread(presenter, "presenter", NULL);
    must(thread != NULL);
    for (int i = 0; i < 20; i++)
        SDL_PollEvent(&event);
    SDL_WaitThread(thread, NULL);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
