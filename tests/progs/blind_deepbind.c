/* SPDX-License-Identifier: MIT */
/* blind_deepbind: the game is a plugin (argv[1]), loaded so that its libraries reach libc first. */
#include "tests/progs/target.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;
    void (*play)(void) = NULL;

    must(plugin != NULL);
    *(void **)&play = dlsym(plugin, "play");
    must(play != NULL);
    play();
    return 0;
}
