/* SPDX-License-Identifier: MIT */
/*
 * gate_doubling: an array that is one longer in each of 10000 polls, and doubles when it is full.
 */
#include "tests/progs/target_sdl.h"

TARGET static int *doubling_grows(int *array, size_t count)
{
    if ((count & (count - 1)) == 0)
        array = target_keep(realloc(array, 2 * count * sizeof *array));
    array[count - 1] = 1;
    return array;
}

int main(void)
{
    int *array = NULL;

    target_start();
    for (size_t i = 1; i <= 10000; i++) {
        target_poll(1);
        array = doubling_grows(array, i);
    }
    free(array);
    return 0;
}
