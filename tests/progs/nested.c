/* SPDX-License-Identifier: MIT */
/*
 * nested: an event watch that polls and allocates, called by SDL inside a poll of the program,
 * which raises a SIGINT before each of 9 polls so that SDL has an event to show to the watch.
 */
#include "tests/progs/target_sdl.h"

#include <signal.h>

static int inner, deep;

TARGET static void watch_makes(void)
{
    free(target_keep(malloc(40)));
}

static int watch(void *unused, SDL_Event *seen)
{
    SDL_Event event;

    (void)unused;
    if (seen->type != SDL_QUIT || deep)
        return 1;
    deep = 1;
    watch_makes();
    SDL_PollEvent(&event);
    inner++;
    deep = 0;
    return 1;
}

int main(void)
{
    SDL_Event event;

    signal(SIGINT, SIG_DFL); /* SDL leaves it alone where it is ignored, as in a background job */
    target_start();
    target_poll(1);
    SDL_AddEventWatch(watch, NULL);
    for (int i = 0; i < 9; i++) {
        raise(SIGINT);
        SDL_PollEvent(&event);
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    }
    must(inner == 9);
    expect("watch_makes", "allocations=9 bytes=360 frees=9 temporary=9");
    SDL_Quit();
    return 0;
}
