/* SPDX-License-Identifier: MIT */
/*
 * poll_once: polls N times into one buffer, which costs nothing for each poll.
 *
 * Whatever N is, it allocates the same: what starting SDL takes. It prints how long the loop took.
 */
#include "examples/poll.h"

int main(int argc, char **argv)
{
    unsigned long polls = poll_start(argc, argv);
    SDL_Event event;
    Uint64 begin = poll_clock();

    for (unsigned long i = 0; i < polls; i++)
        SDL_PollEvent(&event);
    return poll_finish(polls, poll_clock() - begin);
}
