/* SPDX-License-Identifier: MIT */
/*
 * blind_sdl: uses SDL in a way in which no poll can be seen:
 *   unused      is linked to it, and calls nothing
 *   audio       sets up its sound alone
 *   idle        sets up its video, and never polls
 *   draws       presents, and never polls
 *   peeps       takes events that nobody pumps
 *   refilled    another tool puts its own function in the table's slot of SDL_PollEvent
 *   variable    clears SDL_DYNAMIC_API, and polls by functions that dlsym has found
 *   dlsym       polls in that way
 * With a second argument it prints its pid at the end, and waits to be killed.
 */
#include "tests/progs/target.h"

#include <SDL.h>
#include <dlfcn.h>
#include <stdint.h>

static int answers_no(SDL_Event *event)
{
    (void)event;
    return 0;
}

/* SDL's public functions are "jmp *slot(%rip)". */
static void refill(void)
{
    void *library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
    int (*poll_event)(SDL_Event *);
    const uint8_t *stub;
    int32_t distance;

    must(SDL_Init(SDL_INIT_VIDEO) == 0 && library != NULL);
    *(void **)&poll_event = dlsym(library, "SDL_PollEvent");
    stub = (const uint8_t *)(uintptr_t)poll_event;
    must(stub[0] == 0xff && stub[1] == 0x25);
    memcpy(&distance, stub + 2, sizeof distance);
    *(int (**)(SDL_Event *))(uintptr_t)(stub + 6 + distance) = answers_no;
    for (int i = 0; i < 20; i++)
        must(poll_event(NULL) == 0);
}

static void poll_found(void)
{
    void *library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    int (*init)(Uint32);
    int (*poll_event)(SDL_Event *);

    must(library != NULL);
    *(void **)&init = dlsym(library, "SDL_Init");
    *(void **)&poll_event = dlsym(library, "SDL_PollEvent");
    must(init(SDL_INIT_VIDEO) == 0);
    for (int i = 0; i < 20; i++)
        poll_event(NULL);
}

static void draw(void)
{
    SDL_Window *window;

    must(SDL_Init(SDL_INIT_VIDEO) == 0);
    window = SDL_CreateWindow("draws", 0, 0, 64, 64, 0);
    must(window != NULL && SDL_GetWindowSurface(window) != NULL);
    for (int i = 0; i < 20; i++)
        must(SDL_UpdateWindowSurface(window) == 0);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    SDL_Event event;

    if (strcmp(way, "audio") == 0)
        must(SDL_Init(SDL_INIT_AUDIO) == 0);
    else if (strcmp(way, "idle") == 0)
        must(SDL_Init(SDL_INIT_VIDEO) == 0);
    else if (strcmp(way, "draws") == 0)
        draw();
    else if (strcmp(way, "peeps") == 0)
        must(SDL_Init(SDL_INIT_VIDEO) == 0 &&
             SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) >= 0);
    else if (strcmp(way, "refilled") == 0)
        refill();
    else if (strcmp(way, "variable") == 0)
        must(unsetenv("SDL_DYNAMIC_API") == 0);
    if (strcmp(way, "variable") == 0 || strcmp(way, "dlsym") == 0)
        poll_found();
    if (argc > 2) {
        printf("%d\n", (int)getpid());
        fflush(stdout);
        pause();
    }
    return 0;
}
