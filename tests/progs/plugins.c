/* SPDX-License-Identifier: MIT */
/*
 * plugins: loads one plugin, lets it allocate, unloads it, and loads another one, which comes to
 * lie at the same address. usage: plugins FIRST.so SECOND.so
 */
#include "tests/progs/target_sdl.h"

#include <dlfcn.h>

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
    void *first, *second;

    must(argc == 3);
    target_start();
    target_poll(3);
    first = use_plugin(argv[1], "plugin_first", 3, 11);
    second = use_plugin(argv[2], "plugin_second", 5, 13);
    must(use_plugin(argv[1], "plugin_first", 2, 11) == first);
    printf("at the same address: %s\n", first == second ? "yes" : "no");
    expect("plugin_first", "allocations=5 bytes=55 frees=5");
    expect("plugin_second", "allocations=5 bytes=65 frees=5");
    SDL_Quit();
    return 0;
}
