/* SPDX-License-Identifier: MIT */
/*
 * hook_sdl.c: SDL's polls and presents by name: each finds the function that its caller is bound
 * to. Where that SDL's table is ours (sdl_table.h), the call goes on as if this were not here, and
 * what stands in the table counts it; it is a tail call, so that the caller stays the program.
 */
#include "preload/sdl_calls.h"
#include "preload/sdl_real.h"
#include "preload/sdl_slots.h"

#define EXPORT __attribute__((visibility("default")))

ar_sdl_event_call SDL_PollEvent;
ar_sdl_event_call SDL_WaitEvent;
ar_sdl_timeout_call SDL_WaitEventTimeout;
ar_sdl_pump_call SDL_PumpEvents;
ar_sdl_peep_call SDL_PeepEvents;
ar_sdl_present_call SDL_RenderPresent;
ar_sdl_present_call SDL_GL_SwapWindow;
ar_sdl_present_call SDL_UpdateWindowSurface;
ar_sdl_rects_call SDL_UpdateWindowSurfaceRects;

static struct ar_sdl_entry poll_event = {.name = "SDL_PollEvent", .call = AR_SDL_POLL};
static struct ar_sdl_entry wait_event = {.name = "SDL_WaitEvent", .call = AR_SDL_WAIT};
static struct ar_sdl_entry wait_timeout = {.name = "SDL_WaitEventTimeout",
                                           .call = AR_SDL_WAIT_TIMEOUT};
static struct ar_sdl_entry pump_events = {.name = "SDL_PumpEvents", .call = AR_SDL_PUMP};
static struct ar_sdl_entry peep_events = {.name = "SDL_PeepEvents", .call = AR_SDL_PEEP};
static struct ar_sdl_entry render_present = {.name = "SDL_RenderPresent", .call = AR_SDL_RENDER};
static struct ar_sdl_entry gl_swap_window = {.name = "SDL_GL_SwapWindow", .call = AR_SDL_GL_SWAP};
static struct ar_sdl_entry update_surface = {.name = "SDL_UpdateWindowSurface",
                                             .call = AR_SDL_SURFACE};
static struct ar_sdl_entry update_surface_rects = {.name = "SDL_UpdateWindowSurfaceRects",
                                                   .call = AR_SDL_SURFACE_RECTS};

#define REAL(entry, own) ar_sdl_real(&(entry), __builtin_return_address(0), (const void *)(own))

/* What comes before it is no tail call: the frame that AR_HOOK names is to stay. */
#define KEEP_FRAME() __asm__ volatile("")

/* Apart from the hooks, whose own call into a table is a tail call only if they keep nothing on
 * their stack. */
#define COUNT static __attribute__((noinline))

COUNT int count_event(struct ar_hook hook, enum dump_poll_kind kind, ar_sdl_event_call *real,
                      void *event)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_event(hook, &sdl, kind, real, event);
}

COUNT int count_timeout(struct ar_hook hook, ar_sdl_timeout_call *real, void *event,
                        int milliseconds)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_timeout(hook, &sdl, real, event, milliseconds);
}

COUNT int count_pump(struct ar_hook hook, ar_sdl_pump_call *real)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_pump(hook, &sdl, real);
}

COUNT int count_peep(struct ar_hook hook, ar_sdl_peep_call *real, void *events, int count,
                     int action, uint32_t least, uint32_t most)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_peep(hook, &sdl, real, events, count, action, least, most);
}

COUNT int count_present(struct ar_hook hook, enum dump_present_kind way, ar_sdl_present_call *real,
                        void *shown)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_present(hook, &sdl, way, real, shown);
}

COUNT int count_rects(struct ar_hook hook, ar_sdl_rects_call *real, void *window, const void *rects,
                      int count)
{
    struct ar_sdl sdl = {.function = (const void *)real};

    return ar_sdl_present_rects(hook, &sdl, real, window, rects, count);
}

EXPORT int SDL_PollEvent(void *event)
{
    struct ar_sdl_found found = REAL(poll_event, SDL_PollEvent);
    ar_sdl_event_call *real = found.function;
    int result;

    if (found.in_table)
        return real(event);
    result = count_event(AR_HOOK(), DUMP_POLL_EVENT, real, event);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_WaitEvent(void *event)
{
    struct ar_sdl_found found = REAL(wait_event, SDL_WaitEvent);
    ar_sdl_event_call *real = found.function;
    int result;

    if (found.in_table)
        return real(event);
    result = count_event(AR_HOOK(), DUMP_WAIT_EVENT, real, event);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_WaitEventTimeout(void *event, int milliseconds)
{
    struct ar_sdl_found found = REAL(wait_timeout, SDL_WaitEventTimeout);
    ar_sdl_timeout_call *real = found.function;
    int result;

    if (found.in_table)
        return real(event, milliseconds);
    result = count_timeout(AR_HOOK(), real, event, milliseconds);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_PumpEvents(void)
{
    struct ar_sdl_found found = REAL(pump_events, SDL_PumpEvents);
    ar_sdl_pump_call *real = found.function;
    int result;

    if (found.in_table)
        return real();
    result = count_pump(AR_HOOK(), real);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most)
{
    struct ar_sdl_found found = REAL(peep_events, SDL_PeepEvents);
    ar_sdl_peep_call *real = found.function;
    int result;

    if (found.in_table)
        return real(events, count, action, least, most);
    result = count_peep(AR_HOOK(), real, events, count, action, least, most);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_RenderPresent(void *renderer)
{
    struct ar_sdl_found found = REAL(render_present, SDL_RenderPresent);
    ar_sdl_present_call *real = found.function;
    int result;

    if (found.in_table)
        return real(renderer);
    result = count_present(AR_HOOK(), DUMP_PRESENT_RENDER, real, renderer);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_GL_SwapWindow(void *window)
{
    struct ar_sdl_found found = REAL(gl_swap_window, SDL_GL_SwapWindow);
    ar_sdl_present_call *real = found.function;
    int result;

    if (found.in_table)
        return real(window);
    result = count_present(AR_HOOK(), DUMP_PRESENT_GL_SWAP, real, window);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_UpdateWindowSurface(void *window)
{
    struct ar_sdl_found found = REAL(update_surface, SDL_UpdateWindowSurface);
    ar_sdl_present_call *real = found.function;
    int result;

    if (found.in_table)
        return real(window);
    result = count_present(AR_HOOK(), DUMP_PRESENT_SURFACE, real, window);
    KEEP_FRAME();
    return result;
}

EXPORT int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    struct ar_sdl_found found = REAL(update_surface_rects, SDL_UpdateWindowSurfaceRects);
    ar_sdl_rects_call *real = found.function;
    int result;

    if (found.in_table)
        return real(window, rects, count);
    result = count_rects(AR_HOOK(), real, window, rects, count);
    KEEP_FRAME();
    return result;
}
