/* SPDX-License-Identifier: MIT */
/*
 * early.h: blocks for two kinds of callers: those that come before the real allocator is known
 * (IFUNC resolvers, dlsym at start), and the loader and the unwinder while they work for the
 * recorder, whose blocks are not the program's and reach neither its allocator nor its counts.
 * Released blocks are kept for the next of their size. Works before relocation: no calls through
 * the PLT, no thread-local data.
 */
#ifndef AR_EARLY_H
#define AR_EARLY_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed block, `alignment` a power of two; NULL when the few MiB are used up. */
void *ar_early_alloc(size_t size, size_t alignment);
void *ar_early_realloc(void *block, size_t size);
void ar_early_free(void *block);
size_t ar_early_usable_size(const void *block);

/* In a new child process: a thread that is not here may have been at work here. */
void ar_early_reset(void);

/* Is `block` one of these? Cheap; any pointer may be asked about. */
bool ar_early_owns(const void *block);

#endif
