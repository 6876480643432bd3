/* SPDX-License-Identifier: MIT */
#include "tests/bench/path.h"

#include <stddef.h>

struct way {
    void (*leaf)(void *);
    void *argument;
};

/* The texts differ, so that the compiler does not make one call of the four; standing behind the
 * calls, they keep them from becoming jumps. */
static __attribute__((noinline)) void step(unsigned left, uint64_t path, const struct way *way)
{
    if (left == 0) {
        way->leaf(way->argument);
        __asm__ volatile("# leaf" : : : "memory");
        return;
    }
    switch (path & 3) {
    case 0:
        step(left - 1, path >> 2, way);
        __asm__ volatile("# 0" : : : "memory");
        break;
    case 1:
        step(left - 1, path >> 2, way);
        __asm__ volatile("# 1" : : : "memory");
        break;
    case 2:
        step(left - 1, path >> 2, way);
        __asm__ volatile("# 2" : : : "memory");
        break;
    default:
        step(left - 1, path >> 2, way);
        __asm__ volatile("# 3" : : : "memory");
        break;
    }
}

__attribute__((noinline)) void path_call(unsigned depth, uint64_t path, void (*leaf)(void *),
                                         void *argument)
{
    struct way way = {leaf, argument};

    step(depth > PATH_FIXED ? depth - PATH_FIXED : 0, path, &way);
    __asm__ volatile("" : : : "memory");
}
