/* SPDX-License-Identifier: MIT */
/*
 * frames.so: how fast a real program draws. A preload, for programs that are linked with SDL2, that
 * counts presents by SDL_RenderPresent, SDL_GL_SwapWindow and SDL_UpdateWindowSurface and tells at
 * the end, on standard error, frames (after the first present), the seconds from the first present
 * to the last, and the processor's seconds that the process had in them.
 *
 * BENCH_FRAMES=n: tells it after n frames, and then asks the program to end by SIGTERM.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void SDL_RenderPresent(void *renderer);
EXPORT void SDL_GL_SwapWindow(void *window);
EXPORT int SDL_UpdateWindowSurface(void *window);

static uint64_t presents;
static uint64_t presents_most;
static uint64_t first_ns;
static uint64_t last_ns;
static uint64_t first_cpu_ns;
static uint64_t last_cpu_ns;

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void tell(void)
{
    dprintf(2, "\nresult frames %llu\nresult seconds %.6f\nresult cpu_seconds %.6f\n",
            (unsigned long long)presents - 1, (double)(last_ns - first_ns) * 1e-9,
            (double)(last_cpu_ns - first_cpu_ns) * 1e-9);
}

static void presented(void)
{
    last_ns = clock_ns(CLOCK_MONOTONIC);
    last_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (presents++ == 0) {
        const char *most = getenv("BENCH_FRAMES");

        first_ns = last_ns;
        first_cpu_ns = last_cpu_ns;
        presents_most = most != NULL ? strtoull(most, NULL, 10) : 0;
    }
    if (presents_most != 0 && presents == presents_most + 1) {
        tell();
        kill(getpid(), SIGTERM);
    }
}

__attribute__((destructor)) static void at_end(void)
{
    if (presents > 1 && presents_most == 0)
        tell();
}

void SDL_RenderPresent(void *renderer)
{
    static void (*next)(void *);

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "SDL_RenderPresent");
    next(renderer);
    presented();
}

void SDL_GL_SwapWindow(void *window)
{
    static void (*next)(void *);

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "SDL_GL_SwapWindow");
    next(window);
    presented();
}

int SDL_UpdateWindowSurface(void *window)
{
    static int (*next)(void *);
    int result;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "SDL_UpdateWindowSurface");
    result = next(window);
    presented();
    return result;
}
