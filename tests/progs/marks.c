/* SPDX-License-Identifier: MIT */
/*
 * marks: an epoll loop of the program's own that marks its polls and frames: 40 turns, of which
 * every fourth finds nothing; each allocates 100 bytes between the polls and 8 in them. Then 1,000
 * marked operations of 3 allocations. The marks around the loop's epoll_wait hide it.
 */
#include "tests/progs/marks_loop.h"

#include <sys/epoll.h>

static int queue;
static int ends[2];

TARGET static void turn(int number)
{
    struct epoll_event event;
    int got;

    if (number % 4 != 0)
        must(write(ends[1], "x", 1) == 1);
    free(target_keep(malloc(100)));
    allocreport_poll_begin();
    got = epoll_wait(queue, &event, 1, 0);
    free(target_keep(malloc(8)));
    allocreport_poll_end(got);
    must(got == (number % 4 != 0));
    if (got > 0) {
        char byte;

        must(read(ends[0], &byte, 1) == 1);
    }
    if (number % 2 == 0)
        allocreport_frame();
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    must(pipe(ends) == 0);
    queue = epoll_create1(0);
    must(queue >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event) == 0);
    for (int i = 0; i < 40; i++)
        turn(i);
    expect("turn", "allocations=80 bytes=4320 frees=80");
    marked_operations(1000);
    expect("marked_operations", "allocations=3000 bytes=30000 frees=3000");
    return 0;
}
