/* SPDX-License-Identifier: MIT */
/*
 * sdl_info.h: asks the SDL that answers the program's polls for its version, drivers and
 * subsystems, by functions that neither allocate nor set an error. Called after a poll, never
 * inside an allocation hook.
 */
#ifndef AR_SDL_INFO_H
#define AR_SDL_INFO_H

/* `poll_function` lies in that SDL. Records what is new since the last call. */
void ar_sdl_describe(const void *poll_function);

#endif
