/* SPDX-License-Identifier: MIT */
/*
 * late: knows nothing of SDL, but loads a plugin that does, in a scope of its own: there is no SDL
 * function in the global scope. usage: late PLUGIN.so
 */
#include "tests/progs/target.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*late_loop)(void) = NULL;

    must(plugin != NULL);
    late_loop = (void (*)(void))dlsym(plugin, "late_loop");
    must(late_loop != NULL);
    late_loop();
    expect("late_makes", "allocations=9 bytes=810 frees=9");
    return 0;
}
