/* SPDX-License-Identifier: MIT */
/* recursion: allocates at the bottom of 10 and of 300 frames. usage: recursion */
#include "tests/progs/target_sdl.h"

static volatile int depth_now;

TARGET static void bottom_makes(void)
{
    free(target_keep(malloc(80)));
}

TARGET static void descend(int depth)
{
    depth_now = depth;
    if (depth > 1)
        descend(depth - 1);
    else
        bottom_makes();
    depth_now = depth;
}

int main(void)
{
    target_start();
    target_poll(1);
    for (int i = 0; i < 4; i++) {
        descend(10);
        descend(300);
        target_poll(1);
    }
    expect("bottom_makes", "allocations=8 bytes=640 frees=8");
    SDL_Quit();
    return 0;
}
