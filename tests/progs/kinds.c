/* SPDX-License-Identifier: MIT */
/*
 * kinds: each way to fetch events. SDL_PollEvent 7 times (4 empty, 3 with an event), with NULL 5
 * times (3 empty, 2 while an event waits), SDL_WaitEvent twice, SDL_WaitEventTimeout 3 times (2 run
 * out of time), SDL_PumpEvents 6 times, with SDL_PeepEvents(SDL_GETEVENT) that fetches 4 events.
 */
#include "tests/progs/target_sdl.h"

int main(void)
{
    SDL_Event event, events[8];
    int peeped = 0;

    target_start();
    target_poll(1);
    for (int i = 0; i < 3; i++)
        target_push();
    for (int i = 0; i < 3; i++)
        must(SDL_PollEvent(&event) == 1 && event.type == SDL_USEREVENT);
    target_poll(3);
    for (int i = 0; i < 3; i++)
        must(SDL_PollEvent(NULL) == 0);
    target_push();
    for (int i = 0; i < 2; i++)
        must(SDL_PollEvent(NULL) == 1);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    for (int i = 0; i < 2; i++) {
        target_push();
        must(SDL_WaitEvent(&event) == 1);
    }
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    for (int i = 0; i < 2; i++)
        must(SDL_WaitEventTimeout(&event, 2) == 0);
    target_push();
    must(SDL_WaitEventTimeout(&event, 1000) == 1);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    for (int i = 0; i < 6; i++) {
        SDL_PumpEvents();
        if (i < 4)
            target_push();
        peeped += SDL_PeepEvents(events, 8, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
    }
    must(SDL_PeepEvents(events, 8, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 0);
    printf("fetched: %d\n", peeped);
    fflush(stdout);
    SDL_Quit();
    return 0;
}
