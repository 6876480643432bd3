/* SPDX-License-Identifier: MIT */
/*
 * blind_malloc: polls, with a malloc of its own, which gives and never takes back. It exports it;
 * built with -DHIDDEN it does not, and libraries keep libc's.
 */
#include "tests/progs/target_sdl.h"

#include <stdint.h>

#ifdef HIDDEN
#define OWN __attribute__((visibility("hidden")))
#else
#define OWN __attribute__((visibility("default")))
#endif

static char heap[64 << 20] __attribute__((aligned(16)));
static size_t used;

OWN void *malloc(size_t size)
{
    size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);

    must(at + size + 32 < sizeof heap);
    *(size_t *)(void *)(heap + at) = size;
    return heap + at + 16;
}

OWN void free(void *block)
{
    (void)block;
}

OWN void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

OWN void *realloc(void *block, size_t size)
{
    void *moved = malloc(size);

    if (block != NULL)
        memcpy(moved, block, ((size_t *)block)[-2] < size ? ((size_t *)block)[-2] : size);
    return moved;
}

int main(void)
{
    target_start();
    for (int i = 0; i < 300; i++) {
        target_poll(1);
        free(target_keep(malloc(100)));
    }
    return 0;
}
