/* SPDX-License-Identifier: MIT */
/*
 * lock.h: the locks of the recorder. The first guards what all threads share: the tables of
 * modules, frames and stacks, the list of threads, the growth of the file. It is taken for a new
 * site, module or thread only, never for an allocation or poll whose stack is known.
 *
 * While one is held: signals are blocked (but where the program has forbidden itself to: then the
 * guard of thread.h alone keeps a handler from coming here again), and no code runs that could lock
 * or allocate (dl_iterate_phdr, dlsym, libc). libunwind runs under unwind.c's own, and calls
 * nothing but unwind.c's accessors.
 */
#ifndef AR_LOCK_H
#define AR_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct ar_held {
    uint64_t signals; /* the mask to go back to */
    bool blocked;     /* it has been left */
};

/* The thread's signals alone: blocks those of `signals` (bit n - 1: signal n) as well. Where the
 * program has forbidden itself to, they stay as they are. */
struct ar_held ar_signals_block(uint64_t signals);
void ar_signals_restore(struct ar_held held);

struct ar_held ar_lock(void);
void ar_unlock(struct ar_held held);

/* In a new child process: whoever held it is not here. */
void ar_lock_reset(void);

/* The same for a lock of one module's own; zero-initialised. */
struct ar_lock_word {
    uint32_t word; /* 0 free, 1 held, 2 held and waited for */
};
struct ar_held ar_lock_word(struct ar_lock_word *lock);
void ar_unlock_word(struct ar_lock_word *lock, struct ar_held held);
bool ar_lock_word_held(const struct ar_lock_word *lock);
void ar_lock_word_reset(struct ar_lock_word *lock);

#endif
