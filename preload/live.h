/* SPDX-License-Identifier: MIT */
/*
 * live.h: the blocks in use: for each, its requested size, its site and the tick at which it was
 * made. A pointer has one owner at a time, so that no lock is needed: the thread that got it from
 * the allocator puts it here, and the one that gives it back takes it out before it does.
 *
 * A two-level table indexed by address: for each 16 bytes of heap one word of 8 bytes, mapped when
 * touched. A block of up to 16 bytes takes one word, a larger one two. Blocks at odd multiples of 8
 * (allocators that pack blocks of 8 bytes) stand in a second table of the same shape. Never
 * allocates from the program's heap. Any thread, signal handlers.
 */
#ifndef AR_LIVE_H
#define AR_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AR_SITES_MOST ((UINT32_C(1) << 22) - 1) /* sites fit in 22 bits of a word */
#define AR_TICK_MASK                                                                               \
    ((UINT64_C(1) << 36) - 1) /* ticks in 36: they wrap after 68 thousand million */

struct ar_live_block {
    uint64_t size; /* requested bytes */
    uint64_t tick; /* modulo AR_TICK_MASK + 1 */
    uint32_t site;
};

/* False: no memory. */
bool ar_live_start(void);

/* Gives the memory back; nothing is kept any more. */
void ar_live_stop(void);

/* In a new child process: forgets all blocks. */
void ar_live_reset(void);

/* False when it cannot be kept: no memory for the table, or an address it does not cover. */
bool ar_live_put(const void *block, const struct ar_live_block *what);

/* As ar_live_take, and leaves it there. */
bool ar_live_peek(const void *block, struct ar_live_block *what);

/* Takes the block out. False when it is not there: it was never put. */
bool ar_live_take(const void *block, struct ar_live_block *what);

#endif
