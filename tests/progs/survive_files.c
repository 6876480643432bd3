/* SPDX-License-Identifier: MIT */
/*
 * survive_files: takes files away from itself, before its first poll (early) or after it (late),
 * then allocates along few and along many paths, and polls. usage: survive_files WHEN WHAT [PATH]
 *   nothing
 *   gone         works in a new directory that is removed then
 *   chroot       its root becomes PATH
 *   none_left    no descriptor can be had any more
 *   file_size    no file may grow any more
 *   close_range  all descriptors above 2 are closed, the lowest numbers are its own then; the same
 *   closefrom    by closefrom
 *   fill         fills PATH, a file, with all that its file system has left
 */
#include "tests/progs/target_sdl.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define LEVELS 12 /* 4,096 paths: more than the dump has room for at first */

TARGET static void files_makes(void)
{
    for (int i = 0; i < 100; i++)
        target_keep(malloc(24));
}

static void left(unsigned path, unsigned level);
static void right(unsigned path, unsigned level);

TARGET static void bottom_makes(void)
{
    free(target_keep(malloc(8)));
}

TARGET static void step(unsigned path, unsigned level)
{
    if (level == LEVELS)
        bottom_makes();
    else if (path & 1)
        left(path >> 1, level + 1);
    else
        right(path >> 1, level + 1);
}

TARGET static void left(unsigned path, unsigned level)
{
    step(path, level);
}

TARGET static void right(unsigned path, unsigned level)
{
    step(path, level);
}

static void limit(int which)
{
    struct rlimit none = {0, 0};

    must(setrlimit((__rlimit_resource_t)which, &none) == 0);
}

/* The numbers from 3 up are the program's: what it writes there comes back, and nothing else. */
static void use_descriptors(bool by_range)
{
    int pipes[8][2];
    char byte;

    if (by_range)
        must(close_range(3, ~0u, 0) == 0);
    else
        closefrom(3);
    for (int i = 0; i < 8; i++) {
        must(pipe2(pipes[i], O_NONBLOCK) == 0 && pipes[i][0] == 3 + 2 * i);
        must(write(pipes[i][1], "x", 1) == 1);
    }
    files_makes();
    for (int i = 0; i < 8; i++)
        must(read(pipes[i][0], &byte, 1) == 1 && byte == 'x' && read(pipes[i][0], &byte, 1) < 0);
}

static void work_nowhere(void)
{
    char name[] = "gone.XXXXXX";
    char path[sizeof name + 3];

    must(mkdtemp(name) != NULL && chdir(name) == 0);
    snprintf(path, sizeof path, "../%s", name);
    must(rmdir(path) == 0);
}

static void fill(const char *path)
{
    static const char zeros[4096];
    int fd = open(path, O_WRONLY | O_CREAT, 0600);

    must(fd >= 0);
    for (size_t size = sizeof zeros; size > 0; size /= 2)
        while (write(fd, zeros, size) > 0)
            ;
    close(fd);
}

static void take_away(const char *what, const char *path)
{
    if (strcmp(what, "gone") == 0)
        work_nowhere();
    else if (strcmp(what, "chroot") == 0)
        must(path != NULL && chroot(path) == 0 && chdir("/") == 0);
    else if (strcmp(what, "none_left") == 0)
        limit(RLIMIT_NOFILE);
    else if (strcmp(what, "file_size") == 0)
        limit(RLIMIT_FSIZE);
    else if (strcmp(what, "close_range") == 0)
        use_descriptors(true);
    else if (strcmp(what, "closefrom") == 0)
        use_descriptors(false);
    else if (strcmp(what, "fill") == 0)
        fill(path);
    else
        must(strcmp(what, "nothing") == 0);
}

int main(int argc, char **argv)
{
    bool late = argc > 2 && strcmp(argv[1], "late") == 0;
    int times;

    must(argc == 3 || argc == 4);
    times = 1 + (strncmp(argv[2], "close", 5) == 0);
    target_start();
    /* First: there may be no writing later. */
    expect("files_makes", "allocations=%d bytes=%d live_blocks=%d", 100 * times, 2400 * times,
           100 * times);
    expect("bottom_makes", "allocations=%u bytes=%u frees=%u live_blocks=0", 1u << LEVELS,
           8u << LEVELS, 1u << LEVELS);
    if (!late)
        take_away(argv[2], argv[3]);
    target_poll(3);
    if (late)
        take_away(argv[2], argv[3]);
    files_makes();
    for (unsigned path = 0; path < 1u << LEVELS; path++)
        step(path, 0);
    target_poll(4);
    return 0;
}
