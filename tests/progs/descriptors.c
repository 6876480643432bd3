/* SPDX-License-Identifier: MIT */
/*
 * descriptors: closes all descriptors above 2 and uses their numbers itself, as daemons do; then
 * allocates on ever new stacks. Nobody else may read from its sockets or write to them.
 */
#include "tests/progs/target_sdl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#define PAIRS 8

TARGET static void depths_make(int depth)
{
    if (depth > 0)
        depths_make(depth - 1);
    free(target_keep(malloc(10)));
    target_keep(NULL);
}

int main(void)
{
    int ends[PAIRS][2];
    char byte;

    target_start();
    target_poll(1);
    for (int file = 3; file < 1024; file++)
        close(file);
    for (int i = 0; i < PAIRS; i++) {
        must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends[i]) == 0);
        must(ends[i][0] == 3 + 2 * i && ends[i][1] == 4 + 2 * i);
        must(write(ends[i][0], "x", 1) == 1);
    }
    for (int i = 0; i < 40; i++)
        depths_make(i);
    for (int i = 0; i < PAIRS; i++) {
        must(read(ends[i][1], &byte, 1) == 1 && byte == 'x');
        must(read(ends[i][1], &byte, 1) < 0 && errno == EAGAIN);
        must(read(ends[i][0], &byte, 1) < 0 && errno == EAGAIN);
    }
    target_poll(4);
    expect("depths_make", "allocations=820 bytes=8200 frees=820");
    return 0;
}
