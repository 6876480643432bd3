/* SPDX-License-Identifier: MIT */
/*
 * sdl_info.h: asks the SDL that answers the program's polls for its version, drivers and
 * subsystems, by functions that neither allocate nor set an error. Called after a poll, never
 * inside an allocation hook.
 */
#ifndef AR_SDL_INFO_H
#define AR_SDL_INFO_H

/* `poll_function` lies in that SDL. Records what is new since the last call. The first call for an
 * SDL looks its functions up, which may wait for the loader; later ones only call them. */
void ar_sdl_describe(const void *poll_function);

/* In a new child process: nothing is recorded yet. */
void ar_sdl_info_reset(void);

#endif
