/* SPDX-License-Identifier: MIT */
/* plugin: built twice, PLUGIN being the name of its only function; all else is the same. */
#include <stdlib.h>

void *PLUGIN(unsigned size);

__attribute__((noinline)) void *PLUGIN(unsigned size)
{
    char *block = malloc(size);

    if (block != NULL)
        block[0] = 1;
    return block;
}
