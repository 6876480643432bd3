/* SPDX-License-Identifier: MIT */
/*
 * sdl3_calls.h: what is done around the functions that SDL 3 alone has: its GPU's command buffers,
 * and the loop that SDL runs itself and calls the program from. Called by sdl_slots.c.
 */
#ifndef AR_SDL3_CALLS_H
#define AR_SDL3_CALLS_H

#include "preload/record.h"
#include "preload/sdl_info.h"

typedef int ar_sdl3_acquire_call(void *commands, void *window, void **texture, uint32_t *width,
                                 uint32_t *height);
typedef void *ar_sdl3_submit_call(void *commands); /* a bool or a fence */

typedef int ar_sdl3_init_call(void **state, int argc, char **argv);
typedef int ar_sdl3_iterate_call(void *state);
typedef int ar_sdl3_event_call(void *state, void *event);
typedef void ar_sdl3_quit_call(void *state, int result);
typedef int ar_sdl3_loop_call(int argc, char **argv, ar_sdl3_init_call *init,
                              ar_sdl3_iterate_call *iterate, ar_sdl3_event_call *event,
                              ar_sdl3_quit_call *quit);

/* SDL_[WaitAnd]AcquireGPUSwapchainTexture: a command buffer that got a window's texture shows it
 * when it is submitted; others (uploads) show nothing. Both happen on one thread. */
int ar_sdl3_gpu_acquire(ar_sdl3_acquire_call *real, void *commands, void *window, void **texture,
                        uint32_t *width, uint32_t *height);

/* SDL_SubmitGPUCommandBuffer[AndAcquireFence]: a present, if the buffer shows a window's texture.
 */
void *ar_sdl3_gpu_submit(struct ar_hook hook, ar_sdl3_submit_call *real, void *commands);

/*
 * SDL_EnterAppMainCallbacks: each SDL_AppIterate ends one poll, which began when the one before it,
 * or SDL_AppInit, returned: SDL pumps between the two and hands each event to SDL_AppEvent. A
 * program that has not presented has its iterations for frames. `hook` is that of a function that
 * stays on the stack.
 */
int ar_sdl3_loop(struct ar_hook hook, const struct ar_sdl *sdl, ar_sdl3_loop_call *real, int argc,
                 char **argv, ar_sdl3_init_call *init, ar_sdl3_iterate_call *iterate,
                 ar_sdl3_event_call *event, ar_sdl3_quit_call *quit);

#endif
