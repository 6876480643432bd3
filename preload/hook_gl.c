/* SPDX-License-Identifier: MIT */
/*
 * hook_gl.c: presents of a program that calls GLX or EGL itself. SDL gets these functions from
 * their libraries and does not come here; what comes from inside one of its presents is not counted
 * again.
 */
#include "preload/sdl_calls.h"
#include "preload/sdl_real.h"
#include "preload/sdl_slots.h"

#define EXPORT __attribute__((visibility("default")))

typedef unsigned egl_swap_call(void *display, void *surface);
typedef void glx_swap_call(void *display, unsigned long drawable);

egl_swap_call eglSwapBuffers;
glx_swap_call glXSwapBuffers;

static struct ar_sdl_entry egl_swap = {.name = "eglSwapBuffers", .call = AR_SDL_NO_CALL};
static struct ar_sdl_entry glx_swap = {.name = "glXSwapBuffers", .call = AR_SDL_NO_CALL};

EXPORT unsigned eglSwapBuffers(void *display, void *surface)
{
    egl_swap_call *real =
        ar_sdl_real(&egl_swap, __builtin_return_address(0), (const void *)eglSwapBuffers).function;
    bool outermost = ar_record_call_begin(AR_HOOK());
    unsigned result = real != NULL ? real(display, surface) : 0;

    ar_sdl_end_present(AR_HOOK(), outermost, DUMP_PRESENT_EGL);
    return result;
}

EXPORT void glXSwapBuffers(void *display, unsigned long drawable)
{
    glx_swap_call *real =
        ar_sdl_real(&glx_swap, __builtin_return_address(0), (const void *)glXSwapBuffers).function;
    bool outermost = ar_record_call_begin(AR_HOOK());

    if (real != NULL)
        real(display, drawable);
    ar_sdl_end_present(AR_HOOK(), outermost, DUMP_PRESENT_GLX);
}
