/* SPDX-License-Identifier: MIT */
#include "preload/sdl3_calls.h"

#include "preload/sdl_calls.h"

#define SDL_APP_CONTINUE 0 /* SDL_AppResult, SDL_init.h of SDL 3 */

/* The command buffer of this thread that shows a window's texture; NULL: none. */
static __thread const void *shown;

/* The program's loop. SDL runs one at a time, on the main thread. */
static struct {
    struct ar_hook hook;
    const struct ar_sdl *sdl;
    ar_sdl3_init_call *init;
    ar_sdl3_iterate_call *iterate;
    ar_sdl3_event_call *event;
    bool open; /* a poll has begun and not ended */
    struct ar_poll_event poll;
} loop;

int ar_sdl3_gpu_acquire(ar_sdl3_acquire_call *real, void *commands, void *window, void **texture,
                        uint32_t *width, uint32_t *height)
{
    int result = real(commands, window, texture, width, height);

    if (ar_sdl_answered(result) && texture != NULL && *texture != NULL)
        shown = commands;
    return result;
}

void *ar_sdl3_gpu_submit(struct ar_hook hook, ar_sdl3_submit_call *real, void *commands)
{
    bool shows = commands != NULL && shown == commands;
    bool outermost;
    void *result;

    if (!shows)
        return real(commands);
    shown = NULL;
    outermost = ar_record_call_begin(hook);
    result = real(commands);
    ar_sdl_end_present(hook, outermost, DUMP_PRESENT_GPU);
    return result;
}

static void begin_poll(void)
{
    loop.poll = (struct ar_poll_event){.kind = DUMP_ITERATE};
    loop.open = ar_record_poll_begin(loop.hook, &loop.poll);
    if (!loop.open)
        ar_record_inner_end();
}

static void end_poll(void)
{
    if (!loop.open)
        return;
    loop.open = false;
    ar_record_poll_end(loop.hook, &loop.poll);
    ar_sdl_polled(loop.sdl);
}

static int init(void **state, int argc, char **argv)
{
    int result = loop.init(state, argc, argv);

    if (result == SDL_APP_CONTINUE)
        begin_poll();
    return result;
}

static int iterate(void *state)
{
    int result;

    end_poll();
    result = loop.iterate(state);
    if (!__atomic_load_n(&ar_sdl_presented, __ATOMIC_RELAXED)) {
        if (ar_record_call_begin(AR_HOOK()))
            ar_record_present_end(AR_HOOK(), DUMP_PRESENT_MARKED);
        else
            ar_record_inner_end();
    }
    if (result == SDL_APP_CONTINUE)
        begin_poll();
    return result;
}

static int event(void *state, void *told)
{
    ar_record_event(AR_HOOK(), *(const uint32_t *)told, loop.sdl->major);
    return loop.event(state, told);
}

int ar_sdl3_loop(struct ar_hook hook, const struct ar_sdl *sdl, ar_sdl3_loop_call *real, int argc,
                 char **argv, ar_sdl3_init_call *given_init, ar_sdl3_iterate_call *given_iterate,
                 ar_sdl3_event_call *given_event, ar_sdl3_quit_call *quit)
{
    int result;

    loop.hook = hook;
    loop.sdl = sdl;
    loop.init = given_init;
    loop.iterate = given_iterate;
    loop.event = given_event;
    loop.open = false;
    result = real(argc, argv, given_init != NULL ? init : NULL,
                  given_iterate != NULL ? iterate : NULL, given_event != NULL ? event : NULL, quit);
    end_poll();
    return result;
}
