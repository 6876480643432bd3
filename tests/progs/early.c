/* SPDX-License-Identifier: MIT */
/*
 * early: allocates in the loader's preinit array, before any constructor, and in a constructor;
 * frees it all in main. Polls once. The environment is there, from the constructor on.
 */
#include "tests/progs/target_sdl.h"

static void *blocks[5];

TARGET static void preinit_makes(void)
{
    for (int i = 0; i < 3; i++)
        blocks[i] = malloc(33);
}

TARGET __attribute__((constructor)) static void constructor_makes(void)
{
    must(getenv("PATH") != NULL);
    blocks[3] = malloc(44);
    blocks[4] = realloc(malloc(1), 55);
}

__attribute__((section(".preinit_array"), used)) static void (*preinit)(void) = preinit_makes;

int main(void)
{
    must(getenv("PATH") != NULL);
    for (int i = 0; i < 5; i++) {
        must(blocks[i] != NULL);
        blocks[i] = realloc(blocks[i], 66);
        free(blocks[i]);
    }
    expect("preinit_makes", "allocations=3 bytes=99 frees=3 live_bytes=0");
    expect("constructor_makes", "allocations=3 bytes=100 frees=3 live_bytes=0");
    target_start();
    target_poll(1);
    SDL_Quit();
    return 0;
}
