/* SPDX-License-Identifier: MIT */
/*
 * events [poll | null | peep | wait]: a virtual joystick whose events are made inside the pump, and
 * a watch that allocates there: 3 x 100 bytes for each axis event, 7 bytes for each button. The
 * program drains its events by SDL_PollEvent, with SDL_PollEvent(NULL) before each, by
 * SDL_PumpEvents and SDL_PeepEvents, or by SDL_WaitEventTimeout and SDL_PollEvent:
 *
 *     50 drains with an axis event, 20 with an axis event and a button, 30 with two user events
 *     that were pushed before, 10 without events.
 */
#include "tests/progs/target_sdl.h"

#include <stdbool.h>

static bool pumping; /* a push from outside allocates nothing */

static int SDLCALL watch(void *unused, SDL_Event *event)
{
    (void)unused;
    for (int i = 0; pumping && event->type == SDL_JOYAXISMOTION && i < 3; i++)
        free(target_keep(malloc(100)));
    if (pumping && event->type == SDL_JOYBUTTONDOWN)
        free(target_keep(malloc(7)));
    return 0;
}

static unsigned drain_polls(bool ask)
{
    SDL_Event event;
    unsigned count = 0;

    while ((!ask || SDL_PollEvent(NULL)) && SDL_PollEvent(&event))
        count++;
    return count;
}

static unsigned drain_peeps(void)
{
    SDL_Event events[8];
    int got;
    unsigned count = 0;

    SDL_PumpEvents();
    do {
        got = SDL_PeepEvents(events, 8, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
        must(got >= 0);
        for (int i = 0; i < got; i++)
            count += events[i].type != SDL_POLLSENTINEL;
    } while (got == 8);
    return count;
}

static unsigned drain_wait(void)
{
    SDL_Event event;

    return SDL_WaitEventTimeout(&event, 1) ? 1 + drain_polls(false) : 0;
}

TARGET static void drain(const char *mode, unsigned wanted)
{
    unsigned got;

    pumping = true;
    if (strcmp(mode, "peep") == 0)
        got = drain_peeps();
    else if (strcmp(mode, "wait") == 0)
        got = drain_wait();
    else
        got = drain_polls(strcmp(mode, "null") == 0);
    pumping = false;
    if (got != wanted)
        printf("%u events, not %u\n", got, wanted);
    must(got == wanted);
}

/* SDL's queue keeps the memory of as many events as it has held. */
static void grow_queue(void)
{
    for (int i = 0; i < 100; i++)
        target_push();
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

static SDL_Joystick *start(void)
{
    SDL_Joystick *stick;

    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    target_start();
    must(SDL_InitSubSystem(SDL_INIT_JOYSTICK) == 0);
    stick = SDL_JoystickOpen(SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_UNKNOWN, 2, 2, 0));
    must(stick != NULL);
    SDL_JoystickSetVirtualAxis(stick, 0, -20000);
    SDL_JoystickUpdate();
    SDL_JoystickSetVirtualAxis(stick, 0, 20000);
    SDL_JoystickUpdate();
    grow_queue();
    SDL_AddEventWatch(watch, NULL);
    return stick;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "poll";
    SDL_Joystick *stick = start();

    for (int i = 0; i < 70; i++) {
        SDL_JoystickSetVirtualAxis(stick, 0, (Sint16)(i % 2 ? 30000 : -30000));
        if (i >= 50)
            SDL_JoystickSetVirtualButton(stick, 0, 1);
        drain(mode, i >= 50 ? 2 : 1);
        if (i >= 50) {
            SDL_JoystickSetVirtualButton(stick, 0, 0);
            SDL_JoystickUpdate();
            SDL_FlushEvent(SDL_JOYBUTTONUP);
        }
    }
    for (int i = 0; i < 30; i++) {
        target_push();
        target_push();
        drain(mode, 2);
    }
    for (int i = 0; i < 10; i++)
        drain(mode, 0);
    SDL_JoystickClose(stick);
    SDL_Quit();
    return 0;
}
