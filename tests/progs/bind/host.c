/* SPDX-License-Identifier: MIT */
/*
 * host PLUGIN.so [local|deepbind|namespace|again] ...: loads plugins that play (game.c), one after
 * the other, each in that way, `again`: and unloads it; ends as the last one says.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *load(const char *path, const char *how)
{
    if (strcmp(how, "namespace") == 0)
        return dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | (strcmp(how, "deepbind") == 0 ? RTLD_DEEPBIND : 0));
}

int main(int argc, char **argv)
{
    int result = 1;

    for (int i = 1; i + 1 < argc; i += 2) {
        void *plugin = load(argv[i], argv[i + 1]);
        int (*game)(void) = NULL;

        if (plugin != NULL)
            *(void **)&game = dlsym(plugin, "game");
        if (game == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        fflush(stdout);
        result = game();
        if (strcmp(argv[i + 1], "again") == 0)
            dlclose(plugin);
    }
    return result;
}
