/* SPDX-License-Identifier: MIT */
/*
 * gate_leak: 16 bytes a second are never freed: so many seconds as the argument says, 1000 polls in
 * each.
 */
#include "tests/progs/target_sdl.h"

TARGET static void leak_makes(void)
{
    target_keep(malloc(16));
}

int main(int argc, char **argv)
{
    int polls = (argc > 1 ? atoi(argv[1]) : 6) * 1000;

    target_start();
    for (int i = 0; i < polls; i++) {
        target_poll(1);
        SDL_Delay(1);
        if (i % 1000 == 500)
            leak_makes();
    }
    return 0;
}
