/* SPDX-License-Identifier: MIT */
/*
 * memory.h: the recorder's own memory: whole pages by direct system calls, never the program's
 * allocator. Pages are zero when new and cost nothing until touched. Any thread, no locks, safe in
 * signal handlers.
 */
#ifndef AR_MEMORY_H
#define AR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `bytes` are rounded up to pages. NULL when the kernel gives none. */
void *ar_pages(size_t bytes);
void ar_pages_free(void *pages, size_t bytes);

/* Gives back all but the first `kept` bytes, more than 0, of `bytes`; both in whole pages. */
void ar_pages_shrink(void *pages, size_t bytes, size_t kept);

/* As ar_pages, but a child process made by any kind of fork finds them zero. Where the kernel
 * cannot do that (before Linux 4.14) they are inherited. */
void *ar_pages_wiped_on_fork(size_t bytes);

/* Bytes of the recorder's pages that are in memory. It asks the kernel for each mapping: not for
 * the way of an allocation. */
uint64_t ar_pages_resident(void);

#endif
