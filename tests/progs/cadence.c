/* SPDX-License-Identifier: MIT */
/*
 * cadence: 2000 polls, in which one function allocates before each, one before each seventh, one
 * once, one in ever longer gaps, one in a few polls late in the run.
 */
#include "tests/progs/target_sdl.h"

#define POLLS 2000

#define MAKER(name, size)                                                                          \
    TARGET static void name(void)                                                                  \
    {                                                                                              \
        free(target_keep(malloc(size)));                                                           \
    }                                                                                              \
    _Static_assert(size > 0, "a size")

MAKER(start_makes, 1);
MAKER(every_makes, 2);
MAKER(seventh_makes, 3);
MAKER(once_makes, 4);
MAKER(growth_makes, 5);
MAKER(burst_makes, 6);
MAKER(warm_makes, 7);
MAKER(end_makes, 8);

int main(void)
{
    target_start();
    start_makes();
    target_poll(1);
    for (int i = 1; i < POLLS; i++) {
        every_makes();
        if (i % 7 == 0)
            seventh_makes();
        if (i == 1700)
            once_makes();
        if ((i & (i - 1)) == 0)
            growth_makes();
        if (i == 1501 || i == 1502 || i == 1503 || i == 1600 || i == 1605)
            burst_makes();
        if (i == 3 || i == 4)
            warm_makes();
        target_poll(1);
    }
    end_makes();
    expect("start_makes", "allocations=1 bytes=1 polls=0 cadence=startup");
    expect("every_makes", "allocations=1999 bytes=3998 polls=1999 cadence=every_poll");
    expect("seventh_makes", "allocations=285 bytes=855 polls=285 cadence=periodic");
    expect("once_makes", "allocations=1 bytes=4 polls=1 cadence=once");
    expect("growth_makes", "allocations=11 bytes=55 polls=11 cadence=growth");
    expect("burst_makes", "allocations=5 bytes=30 polls=5 cadence=burst");
    expect("warm_makes", "allocations=2 bytes=14 polls=2 cadence=warm-up");
    expect("end_makes", "allocations=1 bytes=8 cadence=shutdown");
    SDL_Quit();
    return 0;
}
