/* SPDX-License-Identifier: MIT */
/*
 * hook_sdl.c: SDL's polls and presents by name. Each finds the function that its caller is bound
 * to, calls it, and tells the core. Nothing of SDL is included or linked, and an event is never
 * touched: an SDL 1.2 program has functions of the same names and another event. SDL's own override
 * table, which reaches programs that these names do not, calls the same two halves.
 */
#include "preload/modules.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/record.h"
#include "preload/sdl_info.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

#define SDL_GETEVENT   2 /* SDL_eventaction, the same in SDL 1.2, 2 and 3 */
#define CALLERS_KNOWN  64u
#define DESCRIBE_EVERY 1024u /* polls from one look at SDL's drivers to the next */

int SDL_PollEvent(void *event);
int SDL_WaitEvent(void *event);
int SDL_WaitEventTimeout(void *event, int milliseconds);
void SDL_PumpEvents(void);
int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most);
void SDL_RenderPresent(void *renderer);
void SDL_GL_SwapWindow(void *window);
int SDL_UpdateWindowSurface(void *window);
int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count);

/* dump_thread.presents[] */
enum { RENDER_PRESENT, GL_SWAP_WINDOW, UPDATE_SURFACE, UPDATE_SURFACE_RECTS };

/* The real function for each calling instruction, of the modules' present generation. */
struct known_caller {
    const void *caller;
    void *function;
    uint32_t generation;
};

struct entry {
    const char *name;
    struct known_caller callers[CALLERS_KNOWN];
};

static struct entry poll_event = {.name = "SDL_PollEvent"};
static struct entry wait_event = {.name = "SDL_WaitEvent"};
static struct entry wait_timeout = {.name = "SDL_WaitEventTimeout"};
static struct entry pump_events = {.name = "SDL_PumpEvents"};
static struct entry peep_events = {.name = "SDL_PeepEvents"};
static struct entry render_present = {.name = "SDL_RenderPresent"};
static struct entry gl_swap_window = {.name = "SDL_GL_SwapWindow"};
static struct entry update_surface = {.name = "SDL_UpdateWindowSurface"};
static struct entry update_surface_rects = {.name = "SDL_UpdateWindowSurfaceRects"};

static void *look_up(const struct entry *entry, const void *caller, const void *own)
{
    int saved = errno;
    void *function;

    if (!ar_process_ready())
        return NULL;
    ar_self.foreign = true;
    function = ar_real_for_caller(entry->name, caller, own);
    ar_self.foreign = false;
    errno = saved;
    return function;
}

static void *real_for(struct entry *entry, const void *caller, const void *own)
{
    struct known_caller *known = &entry->callers[((uintptr_t)caller >> 2) % CALLERS_KNOWN];
    uint32_t generation = ar_modules_generation();
    const void *before = __atomic_load_n(&known->caller, __ATOMIC_ACQUIRE);
    void *function = __atomic_load_n(&known->function, __ATOMIC_ACQUIRE);
    uint32_t found_in = __atomic_load_n(&known->generation, __ATOMIC_ACQUIRE);

    /* The entry is this caller's if it was before and after it was read. */
    if (before == caller && found_in == generation &&
        __atomic_load_n(&known->caller, __ATOMIC_RELAXED) == caller)
        return function;
    function = look_up(entry, caller, own);
    /* Unused while it changes; two threads that write the same write the same. */
    __atomic_store_n(&known->caller, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&known->generation, generation, __ATOMIC_RELEASE);
    __atomic_store_n(&known->function, function, __ATOMIC_RELEASE);
    __atomic_store_n(&known->caller, caller, __ATOMIC_RELEASE);
    return function;
}

#define REAL(entry, own) real_for(&(entry), __builtin_return_address(0), (const void *)(own))

static void describe_sdl(const void *function)
{
    static uint32_t polls; /* two threads that count at once may lose one: it is only a rhythm */
    uint32_t n = __atomic_load_n(&polls, __ATOMIC_RELAXED);
    int saved;

    __atomic_store_n(&polls, n + 1, __ATOMIC_RELAXED);
    if (n != 0 && n != 60 && n % DESCRIBE_EVERY != 0)
        return;
    saved = errno;
    ar_self.foreign = true;
    ar_sdl_describe(function);
    ar_self.foreign = false;
    errno = saved;
}

/* SDL 3 returns a bool: the lowest byte alone is defined. */
static inline bool answered(int result)
{
    return (uint8_t)result != 0;
}

static inline void end_poll(struct ar_hook hook, bool outermost, const struct ar_poll_event *event,
                            const void *real)
{
    if (outermost) {
        ar_record_poll_end(hook, event);
        describe_sdl(real);
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
    end_poll(AR_HOOK(), outermost, &poll, (const void *)real);
    return result;
}

EXPORT int SDL_WaitEvent(void *event)
{
    int (*real)(void *) = REAL(wait_event, SDL_WaitEvent);
    struct ar_poll_event poll = {.kind = DUMP_WAIT_EVENT, .null = event == NULL};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);
    int result = real != NULL ? real(event) : 0;

    poll.answer = answered(result);
    end_poll(AR_HOOK(), outermost, &poll, (const void *)real);
    return result;
}

EXPORT int SDL_WaitEventTimeout(void *event, int milliseconds)
{
    int (*real)(void *, int) = REAL(wait_timeout, SDL_WaitEventTimeout);
    struct ar_poll_event poll = {.kind = DUMP_WAIT_TIMEOUT, .null = event == NULL};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);
    int result = real != NULL ? real(event, milliseconds) : 0;

    poll.answer = answered(result);
    end_poll(AR_HOOK(), outermost, &poll, (const void *)real);
    return result;
}

EXPORT void SDL_PumpEvents(void)
{
    void (*real)(void) = REAL(pump_events, SDL_PumpEvents);
    struct ar_poll_event poll = {.kind = DUMP_PUMP};
    bool outermost = ar_record_poll_begin(AR_HOOK(), &poll);

    if (real != NULL)
        real();
    end_poll(AR_HOOK(), outermost, &poll, (const void *)real);
}

/* Not a poll: it fetches what a pump has brought. SDL 1.2 takes a mask and ignores the last
 * argument. */
EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t least, uint32_t most)
{
    int (*real)(void *, int, int, uint32_t, uint32_t) = REAL(peep_events, SDL_PeepEvents);
    int result = real != NULL ? real(events, count, action, least, most) : -1;

    if (action == SDL_GETEVENT)
        ar_record_peep(AR_HOOK(), count, result);
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
    end_present(AR_HOOK(), outermost, RENDER_PRESENT);
}

EXPORT void SDL_GL_SwapWindow(void *window)
{
    void (*real)(void *) = REAL(gl_swap_window, SDL_GL_SwapWindow);
    bool outermost = ar_record_present_begin(AR_HOOK());

    if (real != NULL)
        real(window);
    end_present(AR_HOOK(), outermost, GL_SWAP_WINDOW);
}

EXPORT int SDL_UpdateWindowSurface(void *window)
{
    int (*real)(void *) = REAL(update_surface, SDL_UpdateWindowSurface);
    bool outermost = ar_record_present_begin(AR_HOOK());
    int result = real != NULL ? real(window) : -1;

    end_present(AR_HOOK(), outermost, UPDATE_SURFACE);
    return result;
}

EXPORT int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    int (*real)(void *, const void *, int) =
        REAL(update_surface_rects, SDL_UpdateWindowSurfaceRects);
    bool outermost = ar_record_present_begin(AR_HOOK());
    int result = real != NULL ? real(window, rects, count) : -1;

    end_present(AR_HOOK(), outermost, UPDATE_SURFACE_RECTS);
    return result;
}
