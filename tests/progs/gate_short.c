/* SPDX-License-Identifier: MIT */
/* gate_short: a run that is too short: 100 polls, which allocate nothing. */
#include "tests/progs/target_sdl.h"

int main(void)
{
    target_start();
    target_poll(100);
    return 0;
}
