/* SPDX-License-Identifier: MIT */
/*
 * sdl3_game.c: what SDL 3 alone has. loop: SDL_EnterAppMainCallbacks, 12 iterations, an event at
 * every third; present: the same, and each iteration presents; gpu: 10 frames, each with a command
 * buffer that shows a window and one that does not. It ends with 3.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int init_call(void **state, int argc, char **argv);
typedef int iterate_call(void *state);
typedef int event_call(void *state, void *event);
typedef void quit_call(void *state, int result);

bool SDL_Init(uint32_t flags);
bool SDL_PollEvent(void *event);
bool SDL_PushEvent(void *event);
bool SDL_RenderPresent(void *renderer);
int SDL_EnterAppMainCallbacks(int argc, char **argv, init_call *init, iterate_call *iterate,
                              event_call *event, quit_call *quit);
bool SDL_AcquireGPUSwapchainTexture(void *commands, void *window, void **texture, uint32_t *width,
                                    uint32_t *height);
bool SDL_WaitAndAcquireGPUSwapchainTexture(void *commands, void *window, void **texture,
                                           uint32_t *width, uint32_t *height);
bool SDL_SubmitGPUCommandBuffer(void *commands);
void *SDL_SubmitGPUCommandBufferAndAcquireFence(void *commands);

static bool presents;
static int iterations, events;

static int app_init(void **state, int argc, char **argv)
{
    presents = argc > 1 && strcmp(argv[1], "present") == 0;
    *state = &iterations;
    return SDL_Init(0x20) ? 0 : 2;
}

static int app_iterate(void *state)
{
    uint32_t event[32] = {0x8000};

    if (state != &iterations)
        return 2;
    free(malloc(70));
    if (++iterations % 3 == 0 && !SDL_PushEvent(event))
        return 2;
    if (presents && !SDL_RenderPresent(NULL))
        return 2;
    return iterations == 12 ? 1 : 0;
}

static int app_event(void *state, void *event)
{
    free(malloc(90));
    events++;
    return state == &iterations && *(uint32_t *)event == 0x8000 ? 0 : 2;
}

static void app_quit(void *state, int result)
{
    (void)state;
    printf("%d iterations, %d events, result %d\n", iterations, events, result);
}

static int gpu(void)
{
    static int shown, uploaded, window;
    uint32_t event[32];

    SDL_Init(0x20);
    for (int i = 0; i < 10; i++) {
        void *texture = NULL;

        SDL_PollEvent(event);
        if (!SDL_SubmitGPUCommandBuffer(&uploaded))
            return 1;
        if (i % 2 == 0) {
            if (!SDL_WaitAndAcquireGPUSwapchainTexture(&shown, &window, &texture, NULL, NULL) ||
                !SDL_SubmitGPUCommandBuffer(&shown))
                return 1;
        } else if (!SDL_AcquireGPUSwapchainTexture(&shown, &window, &texture, NULL, NULL) ||
                   SDL_SubmitGPUCommandBufferAndAcquireFence(&shown) != (char *)&shown + 1) {
            return 1;
        }
    }
    return 3;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "gpu") == 0)
        return gpu();
    return SDL_EnterAppMainCallbacks(argc, argv, app_init, app_iterate, app_event, app_quit) == 0
               ? 3
               : 1;
}
