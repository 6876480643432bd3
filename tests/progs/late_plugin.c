/* SPDX-License-Identifier: MIT */
/* late_plugin: a plugin that brings SDL with it, and polls 9 times. */
#include "tests/progs/target_sdl.h"

void late_loop(void);

TARGET static void late_makes(void)
{
    free(target_keep(malloc(90)));
}

TARGET void late_loop(void)
{
    target_start();
    for (int i = 0; i < 9; i++) {
        late_makes();
        target_poll(1);
    }
    SDL_Quit();
}
