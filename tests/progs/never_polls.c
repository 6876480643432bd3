/* SPDX-License-Identifier: MIT */
/* never_polls: allocates, and never polls: a shell, a wrapper, a helper. */
#include "tests/progs/target.h"

TARGET static void quietly_makes(void)
{
    for (int i = 0; i < 6; i++)
        free(target_keep(malloc(200)));
}

int main(void)
{
    quietly_makes();
    expect("quietly_makes", "allocations=6 bytes=1200 frees=6 live_bytes=0 cadence=startup");
    return 0;
}
