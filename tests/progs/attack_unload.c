/* SPDX-License-Identifier: MIT */
/*
 * attack_unload: two plugins come by turns to the same address, and each allocates thousands of
 * times there, so that its stacks are well known when it goes. usage:
 * attack_unload MODE FIRST.so SECOND.so
 *   names    by dlclose
 *   pointer  by libc's dlclose, found in libc itself
 *   threads  by dlclose, while two other threads go on allocating
 *   rebuilt  both by turns as ./rebuilt.so, as when a game loads its own code anew
 */
#include "tests/progs/attack.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define ROUNDS 8u
#define EACH   3000u

typedef void *make(unsigned size);

static int (*close_it)(void *);
static volatile bool stop;
static unsigned long steady_count[2];

ATTACK_FRAME static void call_plugin(make *function, unsigned size)
{
    for (unsigned i = 0; i < EACH; i++)
        free(attack_keep(function(size)));
}

ATTACK_FRAME static void *use_plugin(const char *path, const char *name, unsigned size)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    make *function;

    must(plugin != NULL);
    *(void **)&function = dlsym(plugin, name);
    must(function != NULL);
    call_plugin(function, size);
    must(close_it(plugin) == 0);
    return (void *)function;
}

ATTACK_FRAME static void *steady_makes(void *count)
{
    while (!stop) {
        free(attack_keep(malloc(33)));
        ++*(unsigned long *)count;
    }
    return NULL;
}

/* Makes `path` ./rebuilt.so, as a file of its own: the one before may still be mapped. */
static const char *rebuild(const char *path)
{
    static char bytes[1 << 20];
    int from = open(path, O_RDONLY);
    int to = open("new.so", O_WRONLY | O_CREAT | O_TRUNC, 0700);
    ssize_t size = read(from, bytes, sizeof bytes);

    must(size > 0 && (size_t)size < sizeof bytes && write(to, bytes, (size_t)size) == size);
    must(close(from) == 0 && close(to) == 0 && rename("new.so", "rebuilt.so") == 0);
    return "./rebuilt.so";
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    const char *mode = argc == 4 ? argv[1] : "";
    void *before = NULL;
    unsigned same = 0;

    close_it = dlclose;
    if (strcmp(mode, "pointer") == 0)
        *(void **)&close_it = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "dlclose");
    else if (strcmp(mode, "threads") == 0)
        for (unsigned i = 0; i < 2; i++)
            must(pthread_create(&threads[i], NULL, steady_makes, &steady_count[i]) == 0);
    else if (strcmp(mode, "names") != 0 && strcmp(mode, "rebuilt") != 0)
        return 2;
    must(close_it != NULL);
    /* From one place: the frames behind the plugins' are the same. */
    for (unsigned i = 0; i < 2 * ROUNDS; i++) {
        static const char *const names[2] = {"plugin_first", "plugin_second"};
        const char *path = argv[2 + i % 2];
        void *here = use_plugin(strcmp(mode, "rebuilt") == 0 ? rebuild(path) : path, names[i % 2],
                                11 + 2 * (i % 2));

        same += here == before;
        before = here;
    }
    stop = true;
    if (strcmp(mode, "threads") == 0)
        for (unsigned i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    printf("at the same address: %s\n", same > 0 ? "yes" : "no");
    fflush(stdout);
    /* The file of the first one is not there any more: its stacks have no names. */
    if (strcmp(mode, "rebuilt") != 0)
        expect("plugin_first", "allocations=%u bytes=%u frees=%u live_blocks=0", ROUNDS * EACH,
               11 * ROUNDS * EACH, ROUNDS * EACH);
    expect("plugin_second", "allocations=%u bytes=%u frees=%u live_blocks=0", ROUNDS * EACH,
           13 * ROUNDS * EACH, ROUNDS * EACH);
    expect("call_plugin", "allocations=%u", 2 * ROUNDS * EACH);
    expect("steady_makes", "allocations=%lu bytes=%lu frees=%lu", steady_count[0] + steady_count[1],
           33 * (steady_count[0] + steady_count[1]), steady_count[0] + steady_count[1]);
    return 0;
}
