/* SPDX-License-Identifier: MIT */
/*
 * temporary: blocks freed before the poll is over in which they were made, before the frame is, and
 * later. 20 frames of 3 polls; the frame's are made before the second poll and freed after it.
 */
#include "tests/progs/target_sdl.h"

TARGET static void same_poll_makes(void)
{
    void *block = malloc(10);

    free(target_keep(block));
}

TARGET static void *same_frame_makes(void)
{
    return target_keep(malloc(20));
}

TARGET static void *next_frame_makes(void)
{
    return target_keep(malloc(30));
}

int main(void)
{
    SDL_Window *window;
    SDL_Surface *surface;
    void *kept = NULL;

    target_start();
    window = SDL_CreateWindow("temporary", 0, 0, 64, 64, 0);
    must(window != NULL);
    surface = SDL_GetWindowSurface(window);
    must(surface != NULL);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    target_poll(1);
    SDL_UpdateWindowSurface(window);
    for (int frame = 0; frame < 20; frame++) {
        void *block;

        target_poll(1);
        free(kept);
        same_poll_makes();
        block = same_frame_makes();
        target_poll(1);
        free(block);
        kept = next_frame_makes();
        target_poll(1);
        SDL_UpdateWindowSurface(window);
    }
    free(kept);
    expect("same_poll_makes", "allocations=20 bytes=200 frees=20 temporary=20 temporary_frame=20");
    expect("same_frame_makes", "allocations=20 bytes=400 frees=20 temporary=0 temporary_frame=20");
    expect("next_frame_makes", "allocations=20 bytes=600 frees=20 temporary=0 temporary_frame=0");
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
