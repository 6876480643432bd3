/* SPDX-License-Identifier: MIT */
/*
 * hook_sdl.c: SDL's polls and presents by name. Each finds the function that its caller is bound
 * to, calls it, and tells the core. Nothing of SDL is included or linked, and of an event its type
 * alone is read, if it is known to be SDL 2's or 3's: an SDL 1.2 program has functions of the same
 * names and another event. SDL's own override
 * table, which reaches programs that these names do not, is to call the same: ar_record_poll_begin,
 * the real function, ar_record_poll_end, ar_sdl_polled.
 */
#include "preload/record.h"
#include "preload/sdl_info.h"
#include "preload/sdl_major.h"
#include "preload/sdl_real.h"

#define EXPORT __attribute__((visibility("default")))

#define SDL_GETEVENT 2 /* SDL_eventaction, the same in SDL 1.2, 2 and 3 */

int SDL_PollEvent(void *event);
int SDL_WaitEvent(void *event);
int SDL_WaitEventTimeout(void *event, int milliseconds);
void SDL_PumpEvents(void);
int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most);
void SDL_RenderPresent(void *renderer);
void SDL_GL_SwapWindow(void *window);
int SDL_UpdateWindowSurface(void *window);
int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count);

static struct ar_sdl_entry poll_event = {.name = "SDL_PollEvent"};
static struct ar_sdl_entry wait_event = {.name = "SDL_WaitEvent"};
static struct ar_sdl_entry wait_timeout = {.name = "SDL_WaitEventTimeout"};
static struct ar_sdl_entry pump_events = {.name = "SDL_PumpEvents"};
static struct ar_sdl_entry peep_events = {.name = "SDL_PeepEvents"};
static struct ar_sdl_entry render_present = {.name = "SDL_RenderPresent"};
static struct ar_sdl_entry gl_swap_window = {.name = "SDL_GL_SwapWindow"};
static struct ar_sdl_entry update_surface = {.name = "SDL_UpdateWindowSurface"};
static struct ar_sdl_entry update_surface_rects = {.name = "SDL_UpdateWindowSurfaceRects"};

#define REAL(entry, own) ar_sdl_real(&(entry), __builtin_return_address(0), (const void *)(own))

/* SDL 3 returns a bool: the lowest byte alone is defined. */
static inline bool answered(int result)
{
    return (uint8_t)result != 0;
}

/* Bytes of an event, which opens with its type in both: SDL_events.h. 0: not to be looked at. */
static uint32_t event_size(uint32_t major)
{
    return major == 2 ? 56 : major == 3 ? 128 : 0;
}

static void read_type(struct ar_poll_event *poll, const uint32_t *event, const void *real)
{
    poll->sdl = ar_sdl_major(real);
    if (event_size(poll->sdl) != 0)
        poll->type = *event;
}

/* `event` is what the program gave the real function to fill in. */
static inline void end_poll(struct ar_hook hook, bool outermost, struct ar_poll_event *poll,
                            const void *event, const void *real)
{
    if (outermost) {
        if (poll->answer && event != NULL)
            read_type(poll, event, real);
        ar_record_poll_end(hook, poll);
        ar_sdl_polled(real);
    } else {
        ar_record_inner_end();
    }
}

EXPORT int SDL_PollEvent(void *event)
{
    int (*real)(void *) = REAL(poll_event, SDL_PollEvent);
    struct ar_poll_event poll = {.kind = DUMP_POLL_EVENT, .null = event == NULL};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);
    int result = real != NULL ? real(event) : 0;

    poll.answer = answered(result);
    end_poll(AR_HOOK(), outermost, &poll, event, (const void *)real);
    return result;
}

EXPORT int SDL_WaitEvent(void *event)
{
    int (*real)(void *) = REAL(wait_event, SDL_WaitEvent);
    struct ar_poll_event poll = {.kind = DUMP_WAIT_EVENT, .null = event == NULL};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);
    int result = real != NULL ? real(event) : 0;

    poll.answer = answered(result);
    end_poll(AR_HOOK(), outermost, &poll, event, (const void *)real);
    return result;
}

EXPORT int SDL_WaitEventTimeout(void *event, int milliseconds)
{
    int (*real)(void *, int) = REAL(wait_timeout, SDL_WaitEventTimeout);
    struct ar_poll_event poll = {.kind = DUMP_WAIT_TIMEOUT, .null = event == NULL};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);
    int result = real != NULL ? real(event, milliseconds) : 0;

    poll.answer = answered(result);
    end_poll(AR_HOOK(), outermost, &poll, event, (const void *)real);
    return result;
}

EXPORT void SDL_PumpEvents(void)
{
    void (*real)(void) = REAL(pump_events, SDL_PumpEvents);
    struct ar_poll_event poll = {.kind = DUMP_PUMP};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);

    if (real != NULL)
        real();
    end_poll(AR_HOOK(), outermost, &poll, NULL, (const void *)real);
}

/* Not a poll: it fetches what a pump has brought. SDL 1.2 takes a mask and ignores the last
 * argument. */
EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most)
{
    int (*real)(void *, int, int, uint32_t, uint32_t) = REAL(peep_events, SDL_PeepEvents);
    int result = real != NULL ? real(events, count, action, least, most) : -1;

    if (action == SDL_GETEVENT) {
        struct ar_peep peep = {.wanted = count, .got = result};

        if (result > 0 && events != NULL) {
            peep.sdl = ar_sdl_major((const void *)real);
            peep.stride = event_size(peep.sdl);
            peep.events = peep.stride != 0 ? events : NULL;
        }
        ar_record_peep(AR_HOOK(), &peep);
    }
    return result;
}

static void end_present(struct ar_hook hook, bool outermost, unsigned way)
{
    if (outermost)
        ar_record_present_end(hook, way);
    else
        ar_record_inner_end();
}

EXPORT void SDL_RenderPresent(void *renderer)
{
    void (*real)(void *) = REAL(render_present, SDL_RenderPresent);
    bool outermost = ar_record_present_begin(AR_HOOK());

    if (real != NULL)
        real(renderer);
    end_present(AR_HOOK(), outermost, DUMP_PRESENT_RENDER);
}

EXPORT void SDL_GL_SwapWindow(void *window)
{
    void (*real)(void *) = REAL(gl_swap_window, SDL_GL_SwapWindow);
    bool outermost = ar_record_present_begin(AR_HOOK());

    if (real != NULL)
        real(window);
    end_present(AR_HOOK(), outermost, DUMP_PRESENT_GL_SWAP);
}

EXPORT int SDL_UpdateWindowSurface(void *window)
{
    int (*real)(void *) = REAL(update_surface, SDL_UpdateWindowSurface);
    bool outermost = ar_record_present_begin(AR_HOOK());
    int result = real != NULL ? real(window) : -1;

    end_present(AR_HOOK(), outermost, DUMP_PRESENT_SURFACE);
    return result;
}

EXPORT int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    int (*real)(void *, const void *, int) =
        REAL(update_surface_rects, SDL_UpdateWindowSurfaceRects);
    bool outermost = ar_record_present_begin(AR_HOOK());
    int result = real != NULL ? real(window, rects, count) : -1;

    end_present(AR_HOOK(), outermost, DUMP_PRESENT_SURFACE_RECTS);
    return result;
}
