/* SPDX-License-Identifier: MIT */
/* gate_thousandth: an allocation in every 1000th of 12000 polls, and none in the others. */
#include "tests/progs/target_sdl.h"

TARGET static void thousandth_makes(void)
{
    free(target_keep(malloc(64)));
}

int main(void)
{
    target_start();
    for (int i = 0; i < 12000; i++) {
        target_poll(1);
        if (i % 1000 == 999)
            thousandth_makes();
    }
    return 0;
}
