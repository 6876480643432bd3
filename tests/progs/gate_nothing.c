/* SPDX-License-Identifier: MIT */
/* gate_nothing: 4000 polls that allocate nothing; ends with the status of its argument. */
#include "tests/progs/target_sdl.h"

int main(int argc, char **argv)
{
    target_start();
    target_poll(4000);
    return argc > 1 ? atoi(argv[1]) : 0;
}
