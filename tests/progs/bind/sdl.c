/* SPDX-License-Identifier: MIT */
/*
 * sdl.c: a stand-in for SDL 2 or 3 (SDL_MAJOR), with SDL's table of functions but where NO_TABLE is
 * defined: a queue of events, and functions that do nothing. COMPAT: SDL 2 on top of SDL 3, as
 * sdl2-compat is.
 */
#include "tests/progs/bind/slots.h"

#include <stdbool.h>

#ifdef NO_TABLE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define FUNCTION(name, slot) __attribute__((visibility("default")))
#define REAL(name)           name
#else
#include "tests/progs/bind/dynapi.h"
#define FUNCTION(name, slot)                                                                       \
    PUBLIC(name, slot);                                                                            \
    static
#define REAL(name) name##_REAL
#endif

#if SDL_MAJOR == 2
#define EVENT_BYTES 56
#define VERSION     2, 30, 7
typedef int outcome; /* 0: it went well */
typedef int answer;
#define WELL 0
typedef void shown;
#define SHOWN
#else
#define EVENT_BYTES 128
typedef bool outcome;
typedef bool answer;
#define WELL        true
typedef bool shown;
#define SHOWN       return true
#endif

#define QUEUE 64

#ifdef COMPAT
static struct {
    bool (*poll)(void *);
    bool (*wait)(void *);
    bool (*wait_timeout)(void *, int32_t);
    void (*pump)(void);
    int (*peep)(void *, int, int, uint32_t, uint32_t);
    bool (*push)(void *);
    bool (*present)(void *);
} sdl3;

/* sdl2-compat calls SDL 3 in its own constructor. */
__attribute__((constructor)) static void load_sdl3(void)
{
    void *library = dlopen("libSDL3.so.0", RTLD_NOW | RTLD_LOCAL);
    int (*version)(void) = NULL;

    if (library == NULL)
        abort();
    *(void **)&version = dlsym(library, "SDL_GetVersion");
    *(void **)&sdl3.poll = dlsym(library, "SDL_PollEvent");
    *(void **)&sdl3.wait = dlsym(library, "SDL_WaitEvent");
    *(void **)&sdl3.wait_timeout = dlsym(library, "SDL_WaitEventTimeout");
    *(void **)&sdl3.pump = dlsym(library, "SDL_PumpEvents");
    *(void **)&sdl3.peep = dlsym(library, "SDL_PeepEvents");
    *(void **)&sdl3.push = dlsym(library, "SDL_PushEvent");
    *(void **)&sdl3.present = dlsym(library, "SDL_RenderPresent");
    version();
}

static bool take(void *event, int milliseconds)
{
    char got[128];

    if (!sdl3.wait_timeout(got, milliseconds))
        return false;
    if (event != NULL)
        memcpy(event, got, EVENT_BYTES);
    return true;
}

static int take_many(void *events, int most)
{
    char got[128];
    int n = 0;

    while (n < most && sdl3.peep(got, 1, 2, 0, UINT32_MAX) == 1)
        memcpy((char *)events + EVENT_BYTES * n++, got, EVENT_BYTES);
    return n;
}
#else
static char queue[QUEUE][EVENT_BYTES];
static unsigned first, count;

static bool take(void *event, int milliseconds)
{
    (void)milliseconds;
    free(malloc(48)); /* as a poll that pumps may */
    if (count == 0)
        return false;
    if (event != NULL) {
        memcpy(event, queue[first], EVENT_BYTES);
        first = (first + 1) % QUEUE;
        count--;
    }
    return true;
}

static int take_many(void *events, int most)
{
    int n = 0;

    while (n < most && take((char *)events + EVENT_BYTES * n, 0))
        n++;
    return n;
}
#endif

FUNCTION(SDL_Init, SLOT_INIT) outcome REAL(SDL_Init)(uint32_t flags)
{
    (void)flags;
    free(malloc(100));
    dlopen("libutil.so.1", RTLD_NOW); /* as SDL loads what it needs of the system */
#ifdef COMPAT
    sdl3.pump(); /* a call of its own, outside of any that the program makes to it */
#endif
    return WELL;
}

FUNCTION(SDL_Quit, SLOT_QUIT) void REAL(SDL_Quit)(void)
{
}

FUNCTION(SDL_WasInit, SLOT_WAS_INIT) uint32_t REAL(SDL_WasInit)(uint32_t flags)
{
    return flags != 0 ? flags & 0x20 : 0x20;
}

FUNCTION(SDL_GetCurrentVideoDriver, SLOT_VIDEO_DRIVER)
const char *REAL(SDL_GetCurrentVideoDriver)(void)
{
    return "stand-in";
}

#if SDL_MAJOR == 2
FUNCTION(SDL_GetVersion, SLOT_VERSION) void REAL(SDL_GetVersion)(uint8_t *version)
{
    memcpy(version, (uint8_t[]){VERSION}, 3);
}
#else
FUNCTION(SDL_GetVersion, SLOT_VERSION) int REAL(SDL_GetVersion)(void)
{
    return 3004014;
}
#endif

FUNCTION(SDL_PollEvent, SLOT_POLL) answer REAL(SDL_PollEvent)(void *event)
{
    return take(event, 0);
}

FUNCTION(SDL_WaitEvent, SLOT_WAIT) answer REAL(SDL_WaitEvent)(void *event)
{
    return take(event, -1);
}

FUNCTION(SDL_WaitEventTimeout, SLOT_WAIT_TIMEOUT)
answer REAL(SDL_WaitEventTimeout)(void *event, int32_t milliseconds)
{
    return take(event, milliseconds);
}

FUNCTION(SDL_PumpEvents, SLOT_PUMP) void REAL(SDL_PumpEvents)(void)
{
#ifdef COMPAT
    sdl3.pump();
#endif
}

FUNCTION(SDL_PeepEvents, SLOT_PEEP)
int REAL(SDL_PeepEvents)(void *events, int most, int action, uint32_t least, uint32_t last)
{
    (void)least;
    (void)last;
    return action == 2 ? take_many(events, most) : 0;
}

FUNCTION(SDL_PushEvent, SLOT_PUSH) answer REAL(SDL_PushEvent)(void *event)
{
#ifdef COMPAT
    char pushed[128] = {0};

    memcpy(pushed, event, EVENT_BYTES);
    return sdl3.push(pushed);
#else
    memcpy(queue[(first + count++) % QUEUE], event, EVENT_BYTES);
    return 1;
#endif
}

FUNCTION(SDL_RenderPresent, SLOT_RENDER) shown REAL(SDL_RenderPresent)(void *renderer)
{
    (void)renderer;
#ifdef COMPAT
    sdl3.present(renderer);
#endif
    SHOWN;
}

#if SDL_MAJOR == 3
typedef int init_call(void **state, int argc, char **argv);
typedef int iterate_call(void *state);
typedef int event_call(void *state, void *event);
typedef void quit_call(void *state, int result);

FUNCTION(SDL_EnterAppMainCallbacks, SLOT_LOOP)
int REAL(SDL_EnterAppMainCallbacks)(int argc, char **argv, init_call *init, iterate_call *iterate,
                                    event_call *told, quit_call *quit)
{
    void *state = NULL;
    int result = init(&state, argc, argv);

    while (result == 0) {
        char event[EVENT_BYTES];

        while (result == 0 && take(event, 0))
            result = told(state, event);
        if (result == 0)
            result = iterate(state);
    }
    quit(state, result);
    return result == 2;
}

FUNCTION(SDL_AcquireGPUSwapchainTexture, SLOT_GPU_ACQUIRE)
bool REAL(SDL_AcquireGPUSwapchainTexture)(void *commands, void *window, void **texture)
{
    *texture = window;
    return commands != NULL;
}

FUNCTION(SDL_WaitAndAcquireGPUSwapchainTexture, SLOT_GPU_WAIT)
bool REAL(SDL_WaitAndAcquireGPUSwapchainTexture)(void *commands, void *window, void **texture)
{
    *texture = window;
    return commands != NULL;
}

FUNCTION(SDL_SubmitGPUCommandBuffer, SLOT_GPU_SUBMIT)
bool REAL(SDL_SubmitGPUCommandBuffer)(void *commands)
{
    return commands != NULL;
}

FUNCTION(SDL_SubmitGPUCommandBufferAndAcquireFence, SLOT_GPU_FENCE)
void *REAL(SDL_SubmitGPUCommandBufferAndAcquireFence)(void *commands)
{
    return (char *)commands + 1;
}
#endif

#ifndef NO_TABLE
static void *const reals[SLOTS] = {
    [SLOT_INIT] = (void *)SDL_Init_REAL,
    [SLOT_QUIT] = (void *)SDL_Quit_REAL,
    [SLOT_WAS_INIT] = (void *)SDL_WasInit_REAL,
    [SLOT_VIDEO_DRIVER] = (void *)SDL_GetCurrentVideoDriver_REAL,
    [SLOT_VERSION] = (void *)SDL_GetVersion_REAL,
    [SLOT_POLL] = (void *)SDL_PollEvent_REAL,
    [SLOT_WAIT] = (void *)SDL_WaitEvent_REAL,
    [SLOT_WAIT_TIMEOUT] = (void *)SDL_WaitEventTimeout_REAL,
    [SLOT_PUMP] = (void *)SDL_PumpEvents_REAL,
    [SLOT_PEEP] = (void *)SDL_PeepEvents_REAL,
    [SLOT_PUSH] = (void *)SDL_PushEvent_REAL,
    [SLOT_RENDER] = (void *)SDL_RenderPresent_REAL,
#if SDL_MAJOR == 3
    [SLOT_LOOP] = (void *)SDL_EnterAppMainCallbacks_REAL,
    [SLOT_GPU_ACQUIRE] = (void *)SDL_AcquireGPUSwapchainTexture_REAL,
    [SLOT_GPU_WAIT] = (void *)SDL_WaitAndAcquireGPUSwapchainTexture_REAL,
    [SLOT_GPU_SUBMIT] = (void *)SDL_SubmitGPUCommandBuffer_REAL,
    [SLOT_GPU_FENCE] = (void *)SDL_SubmitGPUCommandBufferAndAcquireFence_REAL,
#endif
};
#endif
