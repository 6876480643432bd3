/* SPDX-License-Identifier: MIT */
/* gate_unsteady: ten bytes in each of the first 6000 polls, twenty in each of the next 6000. */
#include "tests/progs/target_sdl.h"

TARGET static void unsteady_makes(size_t size)
{
    free(target_keep(malloc(size)));
}

int main(void)
{
    target_start();
    for (int i = 0; i < 12000; i++) {
        target_poll(1);
        unsteady_makes(i < 6000 ? 10 : 20);
    }
    return 0;
}
