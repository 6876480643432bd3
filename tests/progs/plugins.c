/* SPDX-License-Identifier: MIT */
/*
 * plugins: loads one plugin, lets it allocate, unloads it, and loads another one, which comes to
 * lie at the same address. usage: plugins FIRST.so SECOND.so
 */
#include "tests/progs/target_sdl.h"

#include <dlfcn.h>

#define ROUNDS 6

static void *use_plugin(const char *path, const char *name, int count, unsigned size)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *(*make)(unsigned) = NULL;
    void *address;

    must(plugin != NULL);
    make = (void *(*)(unsigned))dlsym(plugin, name);
    must(make != NULL);
    address = (void *)make;
    for (int i = 0; i < count; i++) {
        free(target_keep(make(size)));
        target_poll(3);
    }
    dlclose(plugin);
    return address;
}

int main(int argc, char **argv)
{
    int same = 0;

    must(argc == 3);
    target_start();
    target_poll(3);
    for (int i = 0; i < ROUNDS; i++) {
        void *first = use_plugin(argv[1], "plugin_first", 3, 11);
        void *second = use_plugin(argv[2], "plugin_second", 5, 13);

        same += first == second;
    }
    /* How often it is so depends on what else is mapped; once is enough. */
    printf("at the same address: %s\n", same > 0 ? "yes" : "no");
    fflush(stdout);
    expect("plugin_first", "allocations=%d bytes=%d frees=%d", 3 * ROUNDS, 33 * ROUNDS, 3 * ROUNDS);
    expect("plugin_second", "allocations=%d bytes=%d frees=%d", 5 * ROUNDS, 65 * ROUNDS,
           5 * ROUNDS);
    SDL_Quit();
    return 0;
}
