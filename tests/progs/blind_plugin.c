/* SPDX-License-Identifier: MIT */
/* blind_plugin: a game of 300 polls, each of which allocates. */
#include "tests/progs/target_sdl.h"

void play(void);

void play(void)
{
    target_start();
    for (int i = 0; i < 300; i++) {
        target_poll(1);
        free(target_keep(malloc(100)));
    }
}
