/* SPDX-License-Identifier: MIT */
/*
 * hook_glfw.c: GLFW's polls and its present, by name. They count if ALLOCREPORT_LOOP asks for it;
 * the real function is called either way. GLFW does not say whether a poll brought an event. The
 * one file of preload/ that is not built for general registers alone: a timeout is a double.
 */
#include "preload/config.h"
#include "preload/record.h"
#include "preload/sdl_real.h"
#include "preload/sdl_slots.h"

#define EXPORT __attribute__((visibility("default")))

void glfwPollEvents(void);
void glfwWaitEvents(void);
void glfwWaitEventsTimeout(double seconds);
void glfwSwapBuffers(void *window);

static struct ar_sdl_entry poll_events = {.name = "glfwPollEvents", .call = AR_SDL_NO_CALL};
static struct ar_sdl_entry wait_events = {.name = "glfwWaitEvents", .call = AR_SDL_NO_CALL};
static struct ar_sdl_entry wait_timeout = {.name = "glfwWaitEventsTimeout", .call = AR_SDL_NO_CALL};
static struct ar_sdl_entry swap_buffers = {.name = "glfwSwapBuffers", .call = AR_SDL_NO_CALL};

#define REAL(entry, own)                                                                           \
    ar_sdl_real(&(entry), __builtin_return_address(0), (const void *)(own)).function

static const struct ar_poll_event glfw_poll = {.kind = DUMP_GLFW};

static inline bool counts(void)
{
    return ar_config.loop == AR_LOOP_GLFW;
}

static void end_poll(struct ar_hook hook, bool outermost)
{
    if (outermost)
        ar_record_poll_end(hook, &glfw_poll);
    else
        ar_record_inner_end();
}

EXPORT void glfwPollEvents(void)
{
    void (*real)(void) = REAL(poll_events, glfwPollEvents);
    bool counted = counts();
    bool outermost = counted && ar_record_poll_begin(AR_HOOK(), &glfw_poll);

    if (real != NULL)
        real();
    if (counted)
        end_poll(AR_HOOK(), outermost);
}

EXPORT void glfwWaitEvents(void)
{
    void (*real)(void) = REAL(wait_events, glfwWaitEvents);
    bool counted = counts();
    bool outermost = counted && ar_record_poll_begin(AR_HOOK(), &glfw_poll);

    if (real != NULL)
        real();
    if (counted)
        end_poll(AR_HOOK(), outermost);
}

EXPORT void glfwWaitEventsTimeout(double seconds)
{
    void (*real)(double) = REAL(wait_timeout, glfwWaitEventsTimeout);
    bool counted = counts();
    bool outermost = counted && ar_record_poll_begin(AR_HOOK(), &glfw_poll);

    if (real != NULL)
        real(seconds);
    if (counted)
        end_poll(AR_HOOK(), outermost);
}

EXPORT void glfwSwapBuffers(void *window)
{
    void (*real)(void *) = REAL(swap_buffers, glfwSwapBuffers);
    bool counted = counts();
    bool outermost = counted && ar_record_call_begin(AR_HOOK());

    if (real != NULL)
        real(window);
    if (!counted)
        return;
    if (outermost)
        ar_record_present_end(AR_HOOK(), DUMP_PRESENT_GLFW);
    else
        ar_record_inner_end();
}
