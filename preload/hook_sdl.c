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

static const struct ar_sdl by_name; /* of a present it need not be known which SDL it is */

#define REAL(entry, own) ar_sdl_real(&(entry), __builtin_return_address(0), (const void *)(own))

EXPORT int SDL_PollEvent(void *event)
{
    struct ar_sdl_found found = REAL(poll_event, SDL_PollEvent);
    struct ar_sdl sdl = {.function = found.function};
    ar_sdl_event_call *real = found.function;

    if (found.in_table)
        return real(event);
    return ar_sdl_event(AR_HOOK(), &sdl, DUMP_POLL_EVENT, real, event);
}

EXPORT int SDL_WaitEvent(void *event)
{
    struct ar_sdl_found found = REAL(wait_event, SDL_WaitEvent);
    struct ar_sdl sdl = {.function = found.function};
    ar_sdl_event_call *real = found.function;

    if (found.in_table)
        return real(event);
    return ar_sdl_event(AR_HOOK(), &sdl, DUMP_WAIT_EVENT, real, event);
}

EXPORT int SDL_WaitEventTimeout(void *event, int milliseconds)
{
    struct ar_sdl_found found = REAL(wait_timeout, SDL_WaitEventTimeout);
    struct ar_sdl sdl = {.function = found.function};
    ar_sdl_timeout_call *real = found.function;

    if (found.in_table)
        return real(event, milliseconds);
    return ar_sdl_timeout(AR_HOOK(), &sdl, real, event, milliseconds);
}

EXPORT int SDL_PumpEvents(void)
{
    struct ar_sdl_found found = REAL(pump_events, SDL_PumpEvents);
    struct ar_sdl sdl = {.function = found.function};
    ar_sdl_pump_call *real = found.function;

    if (found.in_table)
        return real();
    return ar_sdl_pump(AR_HOOK(), &sdl, real);
}

EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most)
{
    struct ar_sdl_found found = REAL(peep_events, SDL_PeepEvents);
    struct ar_sdl sdl = {.function = found.function};
    ar_sdl_peep_call *real = found.function;

    if (found.in_table)
        return real(events, count, action, least, most);
    return ar_sdl_peep(AR_HOOK(), &sdl, real, events, count, action, least, most);
}

EXPORT int SDL_RenderPresent(void *renderer)
{
    struct ar_sdl_found found = REAL(render_present, SDL_RenderPresent);
    ar_sdl_present_call *real = found.function;

    if (found.in_table)
        return real(renderer);
    return ar_sdl_present(AR_HOOK(), &by_name, DUMP_PRESENT_RENDER, real, renderer);
}

EXPORT int SDL_GL_SwapWindow(void *window)
{
    struct ar_sdl_found found = REAL(gl_swap_window, SDL_GL_SwapWindow);
    ar_sdl_present_call *real = found.function;

    if (found.in_table)
        return real(window);
    return ar_sdl_present(AR_HOOK(), &by_name, DUMP_PRESENT_GL_SWAP, real, window);
}

EXPORT int SDL_UpdateWindowSurface(void *window)
{
    struct ar_sdl_found found = REAL(update_surface, SDL_UpdateWindowSurface);
    ar_sdl_present_call *real = found.function;

    if (found.in_table)
        return real(window);
    return ar_sdl_present(AR_HOOK(), &by_name, DUMP_PRESENT_SURFACE, real, window);
}

EXPORT int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    struct ar_sdl_found found = REAL(update_surface_rects, SDL_UpdateWindowSurfaceRects);
    ar_sdl_rects_call *real = found.function;

    if (found.in_table)
        return real(window, rects, count);
    return ar_sdl_present_rects(AR_HOOK(), &by_name, real, window, rects, count);
}
