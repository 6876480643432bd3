/* SPDX-License-Identifier: MIT */
/*
 * ends: all the ways in which a program ends, each with 100 blocks of 24 bytes in use and 12 polls
 * made. usage: ends MODE [PROGRAM]
 */
#include "tests/progs/target_sdl.h"

#include <signal.h>

TARGET static void ends_makes(void)
{
    for (int i = 0; i < 100; i++)
        target_keep(malloc(24));
}

static void end(const char *mode, char *program)
{
    if (strcmp(mode, "exit") == 0)
        exit(3);
    if (strcmp(mode, "_exit") == 0)
        _exit(4);
    if (strcmp(mode, "quick_exit") == 0)
        quick_exit(5);
    if (strcmp(mode, "abort") == 0)
        abort();
    if (strcmp(mode, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(mode, "exec") == 0)
        execl(program, program, "return", (char *)NULL);
    if (strcmp(mode, "wait") == 0)
        while (1)
            pause();
}

int main(int argc, char **argv)
{
    target_start();
    target_poll(6);
    ends_makes();
    target_poll(6);
    expect("ends_makes", "allocations=100 bytes=2400 frees=0 live_bytes=2400 live_blocks=100");
    if (argc > 1)
        end(argv[1], argc > 2 ? argv[2] : NULL);
    return 0;
}
