/* SPDX-License-Identifier: MIT */
/*
 * survive_scale: usage: survive_scale MODE NUMBER
 *   paths   allocates along 2^NUMBER paths, once each, and keeps every fourth block
 *   deep    allocates behind a recursion of NUMBER frames, ten times
 *   live    NUMBER blocks in use at once, released in another order
 *   large   NUMBER blocks of 4 GiB and more, never touched, also by realloc and calloc
 *   often   NUMBER million pairs of malloc and free
 */
#include "tests/progs/target_sdl.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define GIB ((size_t)1 << 30)

static unsigned long number;

TARGET static void path_makes(unsigned long path)
{
    void *block = target_keep(malloc(24));

    if (path % 4 != 0)
        free(block);
}

static void left(unsigned long path, unsigned level);
static void right(unsigned long path, unsigned level);

TARGET static void step(unsigned long path, unsigned level)
{
    if (level == number)
        path_makes(path);
    else if (path >> level & 1)
        left(path, level + 1);
    else
        right(path, level + 1);
}

TARGET static void left(unsigned long path, unsigned level)
{
    step(path, level);
}

TARGET static void right(unsigned long path, unsigned level)
{
    step(path, level);
}

static void walk_paths(void)
{
    unsigned long count = 1ul << number;

    for (unsigned long path = 0; path < count; path++)
        step(path, 0);
    expect("path_makes", "allocations=%lu bytes=%lu frees=%lu live_blocks=%lu live_bytes=%lu",
           count, 24 * count, count - count / 4, count / 4, 6 * count);
}

TARGET static void bottom_makes(void)
{
    free(target_keep(malloc(40)));
}

TARGET static unsigned long descend(unsigned long frames)
{
    if (frames > 0)
        return descend(frames - 1) + 1;
    bottom_makes();
    return 0;
}

static void *go_deep(void *unused)
{
    for (int i = 0; i < 10; i++)
        must(descend(number) == number);
    return unused;
}

static void recurse(void)
{
    size_t size = (number + 1000) * 128;
    pthread_attr_t attributes;
    pthread_t thread;

    must(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, size) == 0);
    must(pthread_create(&thread, &attributes, go_deep, NULL) == 0);
    must(pthread_join(thread, NULL) == 0);
    expect("bottom_makes", "allocations=10 bytes=400 frees=10 live_blocks=0");
}

TARGET static void *live_makes(void)
{
    return malloc(16);
}

static void keep_live(void)
{
    size_t bytes = number * sizeof(void *);
    void **blocks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    must(blocks != MAP_FAILED);
    for (unsigned long i = 0; i < number; i++)
        must((blocks[i] = live_makes()) != NULL);
    target_poll(1);
    /* Each once: the step and the number have no common divisor. */
    for (unsigned long i = 0, at = 0; i < number - 1000; i++, at = (at + 7919) % number)
        free(blocks[at]);
    must(number % 7919 != 0);
    expect("live_makes", "allocations=%lu bytes=%lu frees=%lu live_blocks=1000 live_bytes=16000",
           number, 16 * number, number - 1000);
}

TARGET static void large_makes(void)
{
    void *first = malloc(4 * GIB);
    void *second = calloc(4, GIB + 1);
    void *third;

    must(first != NULL && second != NULL);
    third = realloc(target_keep(first), 6 * GIB);
    must(third != NULL);
    free(target_keep(second));
    free(target_keep(third));
}

static void make_large(void)
{
    for (unsigned long i = 0; i < number; i++)
        large_makes();
    expect("large_makes", "allocations=%lu bytes=%lu frees=%lu live_blocks=0", 3 * number,
           number * (14 * GIB + 4), 3 * number);
}

TARGET static void often_makes(void)
{
    for (unsigned long i = 0; i < number * 1000000; i++)
        free(target_keep(malloc(4096)));
}

int main(int argc, char **argv)
{
    number = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    must(number > 0);
    target_start();
    target_poll(2);
    if (strcmp(argv[1], "paths") == 0) {
        walk_paths();
    } else if (strcmp(argv[1], "deep") == 0) {
        recurse();
    } else if (strcmp(argv[1], "live") == 0) {
        keep_live();
    } else if (strcmp(argv[1], "large") == 0) {
        make_large();
    } else {
        must(strcmp(argv[1], "often") == 0);
        often_makes();
        expect("often_makes", "allocations=%lu bytes=%lu frees=%lu live_blocks=0", number * 1000000,
               4096 * number * 1000000, number * 1000000);
    }
    target_poll(2);
    return 0;
}
