/* SPDX-License-Identifier: MIT */
/*
 * poll_check: asks N times whether an event waits, and allocates one only when there is.
 *
 * SDL_PollEvent(NULL) answers without taking the event, so a binding that must hand out memory of
 * its own can ask first. Nothing waits here, hence nothing is allocated. It prints how long the
 * loop took.
 */
#include "examples/poll.h"

int main(int argc, char **argv)
{
    unsigned long polls = poll_start(argc, argv);
    Uint64 begin = poll_clock();

    for (unsigned long i = 0; i < polls; i++) {
        if (SDL_PollEvent(NULL)) {
            SDL_Event *event = malloc(sizeof *event);

            if (event != NULL)
                SDL_PollEvent(event);
            free(event);
        }
    }
    return poll_finish(polls, poll_clock() - begin);
}
