/* SPDX-License-Identifier: MIT */
/*
 * loops: a program with two loops, after a first poll. The menu polls 30 times and allocates 10
 * bytes before each poll, the game polls 70 times and allocates twice 100 bytes before each poll.
 */
#include "tests/progs/target_sdl.h"

TARGET static void menu_loop(void)
{
    for (int i = 0; i < 30; i++) {
        free(target_keep(malloc(10)));
        target_poll(1);
    }
}

TARGET static void game_loop(void)
{
    for (int i = 0; i < 70; i++) {
        free(target_keep(malloc(100)));
        free(target_keep(malloc(100)));
        target_poll(1);
    }
}

int main(void)
{
    target_start();
    target_poll(1);
    menu_loop();
    game_loop();
    expect("menu_loop", "allocations=30 bytes=300 frees=30");
    expect("game_loop", "allocations=140 bytes=14000 frees=140");
    SDL_Quit();
    return 0;
}
