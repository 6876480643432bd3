/* SPDX-License-Identifier: MIT */
/*
 * sdl_calls.h: what is done around one call of SDL: the core is told, the real function is called.
 * One body for each function, for those that a program reaches by name (hook_sdl.c) and those that
 * it reaches by SDL's table (sdl_slots.c). Each is inlined, so that `hook` is the caller's own.
 *
 * SDL 2 returns an int or nothing where SDL 3 returns a bool: the register is passed on as it is,
 * and of a bool the lowest byte alone is looked at. Nothing of SDL is included or linked; an event
 * is read only when its SDL is known to be 2 or 3.
 */
#ifndef AR_SDL_CALLS_H
#define AR_SDL_CALLS_H

#include "preload/record.h"
#include "preload/sdl_info.h"
#include "preload/sdl_major.h"
#include "preload/sdl_slots.h"
#include "preload/waits.h"

#define AR_SDL_INLINE static inline __attribute__((always_inline))

#define AR_SDL_ADDEVENT 0 /* SDL_eventaction, the same in SDL 1.2, 2 and 3 */
#define AR_SDL_GETEVENT 2

#define AR_SDL2_EVENT_BYTES 56u  /* sizeof(SDL_Event), SDL_events.h of SDL 2 */
#define AR_SDL3_EVENT_BYTES 128u /* the same of SDL 3 */

typedef int ar_sdl_event_call(void *event);
typedef int ar_sdl_timeout_call(void *event, int milliseconds);
typedef int ar_sdl_pump_call(void);
typedef int ar_sdl_peep_call(void *events, int count, int action, uint32_t least, uint32_t most);
typedef int ar_sdl_present_call(void *shown);
typedef int ar_sdl_init_call(uint32_t flags);
typedef int ar_sdl_rects_call(void *window, const void *rects, int count);

/* Is it SDL 2 that calls SDL 3 (sdl2-compat)? Then it is no call of the program's. */
AR_SDL_INLINE bool ar_sdl_inner(struct ar_hook hook, const struct ar_sdl *sdl)
{
    return sdl->major == 3 && ar_sdl_slots_in_sdl2(hook.caller);
}

AR_SDL_INLINE bool ar_sdl_answered(int result)
{
    return (uint8_t)result != 0;
}

AR_SDL_INLINE void ar_sdl_end_poll(struct ar_hook hook, bool outermost,
                                   const struct ar_poll_event *poll, const struct ar_sdl *sdl)
{
    if (outermost) {
        ar_record_poll_end(hook, poll);
        ar_sdl_polled(sdl);
    } else {
        ar_record_inner_end();
    }
}

/* The major version, if its events may be read; else 0. */
AR_SDL_INLINE uint32_t ar_sdl_readable(const struct ar_sdl *sdl)
{
    uint32_t major = sdl->table != NULL ? sdl->major : ar_sdl_major(sdl->function);

    return major == 2 || major == 3 ? major : 0;
}

/* The event that the poll returned, if it returned one: it opens with its type. */
AR_SDL_INLINE void ar_sdl_returned(struct ar_poll_event *poll, int result, const void *event,
                                   const struct ar_sdl *sdl)
{
    poll->answer = ar_sdl_answered(result);
    if (!poll->answer || event == NULL)
        return;
    poll->sdl = ar_sdl_readable(sdl);
    if (poll->sdl != 0)
        poll->type = *(const uint32_t *)event;
}

/* SDL_PollEvent, SDL_WaitEvent. */
AR_SDL_INLINE int ar_sdl_event(struct ar_hook hook, const struct ar_sdl *sdl,
                               enum dump_poll_kind kind, ar_sdl_event_call *real, void *event)
{
    struct ar_poll_event poll = {.kind = kind, .null = event == NULL};
    struct ar_wait_cost cost;
    bool outermost;
    int result;

    if (ar_sdl_inner(hook, sdl))
        return real(event);
    outermost = ar_record_poll_begin(hook, &poll);
    if (kind == DUMP_WAIT_EVENT && outermost) {
        result = ar_waits_call(&(struct ar_wait){.sdl = sdl, .wait = real, .event = event}, &cost);
        ar_record_waited(hook, &cost);
    } else {
        result = real != NULL ? real(event) : 0;
    }
    ar_sdl_returned(&poll, result, event, sdl);
    ar_sdl_end_poll(hook, outermost, &poll, sdl);
    return result;
}

/* SDL_WaitEventTimeout. */
AR_SDL_INLINE int ar_sdl_timeout(struct ar_hook hook, const struct ar_sdl *sdl,
                                 ar_sdl_timeout_call *real, void *event, int milliseconds)
{
    struct ar_poll_event poll = {.kind = DUMP_WAIT_TIMEOUT, .null = event == NULL};
    struct ar_wait wait = {
        .sdl = sdl, .timeout = real, .event = event, .milliseconds = milliseconds};
    struct ar_wait_cost cost;
    bool outermost;
    int result;

    if (ar_sdl_inner(hook, sdl))
        return real(event, milliseconds);
    outermost = ar_record_poll_begin(hook, &poll);
    if (milliseconds != 0 && outermost) {
        result = ar_waits_call(&wait, &cost);
        ar_record_waited(hook, &cost);
    } else {
        result = real != NULL ? real(event, milliseconds) : 0;
    }
    ar_sdl_returned(&poll, result, event, sdl);
    ar_sdl_end_poll(hook, outermost, &poll, sdl);
    return result;
}

/* SDL_PumpEvents. */
AR_SDL_INLINE int ar_sdl_pump(struct ar_hook hook, const struct ar_sdl *sdl, ar_sdl_pump_call *real)
{
    struct ar_poll_event poll = {.kind = DUMP_PUMP};
    bool outermost;
    int result;

    if (ar_sdl_inner(hook, sdl))
        return real();
    outermost = ar_record_poll_begin(hook, &poll);
    result = real != NULL ? real() : 0;
    ar_sdl_end_poll(hook, outermost, &poll, sdl);
    return result;
}

/* SDL_PeepEvents: not a poll, it fetches what a pump has brought. SDL 1.2 takes a mask and ignores
 * the last argument. */
AR_SDL_INLINE int ar_sdl_peep(struct ar_hook hook, const struct ar_sdl *sdl, ar_sdl_peep_call *real,
                              void *events, int count, int action, uint32_t least, uint32_t most)
{
    struct ar_peep peep = {.wanted = count};
    bool outermost;
    int result;

    if (real == NULL)
        return -1;
    if (action == AR_SDL_ADDEVENT) {
        result = real(events, count, action, least, most);
        ar_waits_added();
        return result;
    }
    if (action != AR_SDL_GETEVENT || ar_sdl_inner(hook, sdl))
        return real(events, count, action, least, most);
    outermost = ar_record_call_begin(hook);
    result = real(events, count, action, least, most);
    peep.got = result;
    ar_record_inner_end();
    if (!outermost)
        return result;
    if (result > 0 && events != NULL)
        peep.sdl = ar_sdl_readable(sdl);
    peep.events = peep.sdl != 0 ? events : NULL;
    peep.stride = peep.sdl == 3 ? AR_SDL3_EVENT_BYTES : AR_SDL2_EVENT_BYTES;
    ar_record_peep(hook, &peep);
    return result;
}

/* Has the program presented? (sdl_slots.c) */
extern bool ar_sdl_presented;

AR_SDL_INLINE void ar_sdl_end_present(struct ar_hook hook, bool outermost,
                                      enum dump_present_kind way)
{
    if (!outermost) {
        ar_record_inner_end();
        return;
    }
    __atomic_store_n(&ar_sdl_presented, true, __ATOMIC_RELAXED);
    ar_record_present_end(hook, way);
}

/* SDL_RenderPresent, SDL_GL_SwapWindow, SDL_UpdateWindowSurface. */
AR_SDL_INLINE int ar_sdl_present(struct ar_hook hook, const struct ar_sdl *sdl,
                                 enum dump_present_kind way, ar_sdl_present_call *real, void *shown)
{
    bool outermost;
    int result;

    if (ar_sdl_inner(hook, sdl))
        return real(shown);
    outermost = ar_record_call_begin(hook);
    result = real != NULL ? real(shown) : -1;
    ar_sdl_end_present(hook, outermost, way);
    return result;
}

/* SDL_UpdateWindowSurfaceRects. */
AR_SDL_INLINE int ar_sdl_present_rects(struct ar_hook hook, const struct ar_sdl *sdl,
                                       ar_sdl_rects_call *real, void *window, const void *rects,
                                       int count)
{
    bool outermost;
    int result;

    if (ar_sdl_inner(hook, sdl))
        return real(window, rects, count);
    outermost = ar_record_call_begin(hook);
    result = real != NULL ? real(window, rects, count) : -1;
    ar_sdl_end_present(hook, outermost, DUMP_PRESENT_SURFACE_RECTS);
    return result;
}

#endif
