/* SPDX-License-Identifier: MIT */
/* gate_crash: allocates nothing in 4000 polls, then crashes. */
#include "tests/progs/target_sdl.h"

#include <signal.h>

int main(void)
{
    target_start();
    target_poll(4000);
    raise(SIGSEGV);
    return 0;
}
