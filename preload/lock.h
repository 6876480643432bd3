/* SPDX-License-Identifier: MIT */
/*
 * lock.h: the one lock of the recorder. It guards what all threads share: the tables of modules,
 * frames and stacks, the list of threads, the growth of the file. It is taken for a new site,
 * module or thread only, never for an allocation or poll whose stack is known.
 *
 * While it is held: signals are blocked, and no code of anybody else runs (no libunwind,
 * dl_iterate_phdr, dlsym or libc function that could lock or allocate).
 */
#ifndef AR_LOCK_H
#define AR_LOCK_H

#include <stdint.h>

struct ar_held {
    uint64_t signals; /* the mask to go back to */
};

struct ar_held ar_lock(void);
void ar_unlock(struct ar_held held);

/* In a new child process: whoever held it is not here. */
void ar_lock_reset(void);

#endif
