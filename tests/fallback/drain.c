/* SPDX-License-Identifier: MIT */
/*
 * drain.c: takes out the three events that it has pushed, and prints their types, then polls in
 * vain a thousand times, by the poll to paste for C and C++. Of SDL 3 if SDL_3 is defined.
 */
#ifdef SDL_3
#include <SDL3/SDL.h>
#define FIRST SDL_EVENT_USER
#else
#define SDL_MAIN_HANDLED
#include <SDL.h>
#define FIRST SDL_USEREVENT
#endif

#include "allocreport_poll.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    const SDL_Event *event;
    const SDL_Event *last = NULL;
    int i;

    SDL_Init(SDL_INIT_VIDEO);
    while (allocreport_poll_next() != NULL)
        continue;
    for (i = 0; i < 3; i++) {
        SDL_Event pushed;

        memset(&pushed, 0, sizeof pushed);
        pushed.type = FIRST + (unsigned)i;
        SDL_PushEvent(&pushed);
    }
    while ((event = allocreport_poll_next()) != NULL) {
        printf("%x\n", (unsigned)event->type);
        last = event;
    }
    for (i = 0; i < 1000; i++)
        allocreport_poll_next();
    return last == NULL || last->type != FIRST + 2u;
}
