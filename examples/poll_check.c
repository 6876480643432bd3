/* SPDX-License-Identifier: MIT */
/*
 * poll_check: asks N times for an event by allocreport_poll.h, which asks whether one waits and
 * takes it into an event of its own when there is.
 *
 * A binding that allocates an event for each poll need not: nothing waits here, nothing is
 * allocated, and neither would be if something did. It prints how long the loop took.
 */
#include "examples/poll.h"
#include "preload/allocreport_poll.h"

int main(int argc, char **argv)
{
    unsigned long polls = poll_start(argc, argv);
    Uint64 begin = poll_clock();

    for (unsigned long i = 0; i < polls; i++)
        allocreport_poll_next();
    return poll_finish(polls, poll_clock() - begin);
}
