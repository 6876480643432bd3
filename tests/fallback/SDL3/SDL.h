/* SPDX-License-Identifier: MIT */
/*
 * SDL.h: what the polls to paste need of SDL 3's header, where that is not installed. The stand-in
 * of SDL 3 (tests/progs/bind/sdl.c) has these functions.
 */
#ifndef TESTS_FALLBACK_SDL3_H
#define TESTS_FALLBACK_SDL3_H

#include <stdbool.h>
#include <stdint.h>

#define SDL_MAJOR_VERSION 3
#define SDL_INIT_VIDEO    0x20u
#define SDL_EVENT_USER    0x8000

typedef union SDL_Event {
    uint32_t type;
    uint8_t padding[128];
} SDL_Event;

#ifdef __cplusplus
extern "C" {
#endif
bool SDL_Init(uint32_t flags);
bool SDL_PollEvent(SDL_Event *event);
bool SDL_PushEvent(SDL_Event *event);
#ifdef __cplusplus
}
#endif

#endif
