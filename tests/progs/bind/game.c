/* SPDX-License-Identifier: MIT */
/*
 * game.c: 30 polls, of which 3 return an event, one wait and 5 presents, by an SDL that it is bound
 * to in one of many ways: by name; BY_DLSYM: by dlopen(BY_DLSYM) and dlsym; PLUGIN: it is a plugin
 * that host.c loads. It ends with 3.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIDEO      0x20u
#define USER_EVENT 0x8000u /* SDL_EVENT_USER, the same in SDL 2 and 3 */

#if SDL_MAJOR == 2
typedef int outcome;
#define IS_WELL(result) ((result) == 0)
typedef int answer;
typedef void shown;
#else
typedef bool outcome;
#define IS_WELL(result) (result)
typedef bool answer;
typedef bool shown;
#endif

typedef outcome init_call(uint32_t flags);
typedef answer poll_call(void *event);
typedef answer timeout_call(void *event, int32_t milliseconds);
typedef shown present_call(void *renderer);
typedef void quit_call(void);

#ifdef BY_DLSYM
static init_call *SDL_Init;
static poll_call *SDL_PollEvent, *SDL_PushEvent;
static timeout_call *SDL_WaitEventTimeout;
static present_call *SDL_RenderPresent;
static quit_call *SDL_Quit;

static void bind(void)
{
    void *library = dlopen(BY_DLSYM, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        exit(9);
    *(void **)&SDL_Init = dlsym(library, "SDL_Init");
    *(void **)&SDL_PollEvent = dlsym(library, "SDL_PollEvent");
    *(void **)&SDL_PushEvent = dlsym(library, "SDL_PushEvent");
    *(void **)&SDL_WaitEventTimeout = dlsym(library, "SDL_WaitEventTimeout");
    *(void **)&SDL_RenderPresent = dlsym(library, "SDL_RenderPresent");
    *(void **)&SDL_Quit = dlsym(library, "SDL_Quit");
}
#else
init_call SDL_Init;
poll_call SDL_PollEvent, SDL_PushEvent;
timeout_call SDL_WaitEventTimeout;
present_call SDL_RenderPresent;
quit_call SDL_Quit;

static void bind(void)
{
}
#endif

static void push(void)
{
    uint32_t event[32] = {USER_EVENT};

    if (SDL_PushEvent(event) != 1)
        exit(8);
}

__attribute__((noinline)) static unsigned game_loop(void)
{
    uint32_t event[32];
    unsigned events = 0;

    for (int i = 0; i < 30; i++) {
        if (i % 10 == 5)
            push();
        if (SDL_PollEvent(event)) {
            events++;
            if (event[0] != USER_EVENT)
                exit(7);
        }
        if (i % 6 == 0)
            (void)SDL_RenderPresent(NULL);
    }
    if (SDL_WaitEventTimeout(event, 1))
        exit(6);
    return events;
}

int game(void);
__attribute__((visibility("default"))) int game(void)
{
    unsigned events;

    bind();
    if (!IS_WELL(SDL_Init(VIDEO)))
        return 5;
    events = game_loop();
    SDL_Quit();
    printf("%u events\n", events);
    fflush(stdout);
    return 3;
}

#ifndef PLUGIN
int main(void)
{
    return game();
}
#endif
