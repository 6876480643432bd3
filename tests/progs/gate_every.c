/* SPDX-License-Identifier: MIT */
/* gate_every: one byte in every poll: 4000 polls. */
#include "tests/progs/target_sdl.h"

TARGET static void every_makes(void)
{
    free(target_keep(malloc(1)));
}

int main(void)
{
    target_start();
    for (int i = 0; i < 4000; i++) {
        target_poll(1);
        every_makes();
    }
    target_poll(1);
    return 0;
}
