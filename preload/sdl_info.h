/* SPDX-License-Identifier: MIT */
/*
 * sdl_info.h: asks the SDL that answers the program's polls for its version, drivers and
 * subsystems, by functions that neither allocate nor set an error. Called after a poll, never
 * inside an allocation hook.
 */
#ifndef AR_SDL_INFO_H
#define AR_SDL_INFO_H

/* A poll by `poll_function`, which lies in that SDL, has ended. Now and then, what is new is
 * recorded. The first time for an SDL its functions are looked up, which may wait for the loader;
 * later they are only called. */
void ar_sdl_polled(const void *poll_function);

/* In a new child process: nothing is recorded yet. */
void ar_sdl_info_reset(void);

#endif
