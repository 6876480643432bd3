/* SPDX-License-Identifier: MIT */
/*
 * poll_each: polls N times and allocates an event for each poll, as a naive language binding does.
 *
 * SDL itself allocates nothing in an empty poll, so all that the loop allocates is its own:
 * sizeof(SDL_Event) bytes for each poll. It prints how long the loop took.
 */
#include "examples/poll.h"

int main(int argc, char **argv)
{
    unsigned long polls = poll_start(argc, argv);
    Uint64 begin = poll_clock();

    for (unsigned long i = 0; i < polls; i++) {
        SDL_Event *event = malloc(sizeof *event);

        if (event != NULL)
            SDL_PollEvent(event);
        free(event);
    }
    return poll_finish(polls, poll_clock() - begin);
}
