/* SPDX-License-Identifier: MIT */
/*
 * sdl_queue.h: room in SDL's queue of events, made before the program needs it (a part of the
 * patched poll). SDL keeps the memory of as many events as its queue has held: so events of a type
 * that nobody has are put in, past all filters and watches, and taken out at once. Their memory is
 * of early.h, as all that the recorder makes SDL allocate. Called after SDL has started, and now
 * and then after a poll, for an SDL whose start was not seen; never in an allocation hook.
 */
#ifndef AR_SDL_QUEUE_H
#define AR_SDL_QUEUE_H

#include "preload/sdl_slots.h"

#include <stdbool.h>
#include <stdint.h>

/* Does SDL say that its events run? Asked before it is told to start them. */
bool ar_sdl_queue_runs(const struct ar_sdl_table *table);

/* The table's SDL may have started its events; `ran`: they ran before. */
void ar_sdl_queue_started(struct ar_sdl_table *table, bool ran);

/* A poll has ended: makes the room if that was never done for this SDL, which is one of
 * ar_sdl_tables or has no table. */
void ar_sdl_queue_polled(const struct ar_sdl *sdl);

#endif
