/* SPDX-License-Identifier: MIT */
/* gate_lump: one lump late in 10000 polls: a level is loaded, and kept. */
#include "tests/progs/target_sdl.h"

TARGET static void lump_makes(void)
{
    target_keep(malloc(1000000));
}

int main(void)
{
    target_start();
    for (int i = 0; i < 10000; i++) {
        target_poll(1);
        if (i == 9000)
            lump_makes();
    }
    return 0;
}
