/* SPDX-License-Identifier: MIT */
/*
 * allocates_in_polls.c: 2,000 polls; in each an event filter allocates a block and frees it, once
 * for each event that SDL would queue: that of a signal, and in some versions a mark of its own.
 */
#include "tests/progs/target_sdl.h"

#include <signal.h>

static int filter(void *data, SDL_Event *event)
{
    (void)data;
    (void)event;
    free(malloc(100));
    return 0;
}

int main(void)
{
    SDL_Event event;

    target_start();
    SDL_SetEventFilter(filter, NULL);
    for (int i = 0; i < 2000; i++) {
        raise(SIGINT);
        must(SDL_PollEvent(&event) == 0);
    }
    SDL_Quit();
    return 0;
}
