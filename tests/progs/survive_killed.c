/* SPDX-License-Identifier: MIT */
/*
 * survive_killed: polls, allocates, and is ended from outside or past libc. usage: survive_killed
 *   group         leaves by the bare system call exit_group
 *   term          of SIGTERM, which nothing handles
 *   cpu COUNTS    by the kernel, since its processor time is up
 *   memory COUNTS by the kernel, since it takes all the memory that there is
 * COUNTS is a file of two 64-bit integers: allocations begun, and done.
 */
#include "tests/progs/attack.h"
#include "tests/progs/target_sdl.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define BLOCK 50000u

static volatile uint64_t *counts;

static void open_counts(const char *path)
{
    int file = path != NULL ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    must(file >= 0 && ftruncate(file, 4096) == 0);
    counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(counts != MAP_FAILED);
}

ATTACK_FRAME static void *endless_makes(void)
{
    void *block;

    counts[0]++;
    block = attack_keep(malloc(BLOCK));
    counts[1]++;
    return block;
}

ATTACK_FRAME static void some_makes(void)
{
    for (int i = 0; i < 100; i++)
        attack_keep(malloc(24));
    expect("some_makes", "allocations=100 bytes=2400 frees=0 live_blocks=100");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    struct rlimit second = {1, 1};

    target_start();
    target_poll(12);
    if (strcmp(mode, "cpu") == 0 || strcmp(mode, "memory") == 0) {
        bool memory = strcmp(mode, "memory") == 0;

        open_counts(argv[2]);
        must(memory || setrlimit(RLIMIT_CPU, &second) == 0);
        for (;;) {
            void *block = endless_makes();

            must(block != NULL);
            memset(block, 1, BLOCK);
            if (!memory)
                free(block);
        }
    }
    some_makes();
    if (strcmp(mode, "group") == 0)
        syscall(SYS_exit_group, 6);
    signal(SIGTERM, SIG_DFL); /* SDL's makes an event of it */
    raise(SIGTERM);
    return 2;
}
