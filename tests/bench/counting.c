/* SPDX-License-Identifier: MIT */
/*
 * counting.so: the floor. A preload that counts allocations and requested bytes for each thread,
 * takes no stacks and keeps no blocks: what any interposer costs. Only for programs on glibc's
 * malloc, whose functions it calls by the names that glibc has for that.
 */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t count, size_t size);
EXPORT void *realloc(void *block, size_t size);
EXPORT void free(void *block);

struct counts {
    uint64_t allocations;
    uint64_t bytes;
    uint64_t frees;
};

static __thread struct counts counts __attribute__((tls_model("initial-exec")));

static void *counted(void *block, size_t size)
{
    if (block != NULL) {
        counts.allocations++;
        counts.bytes += size;
    }
    return block;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
    return counted(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size)
{
    counts.frees += block != NULL;
    return counted(__libc_realloc(block, size), size);
}

void free(void *block)
{
    counts.frees += block != NULL;
    __libc_free(block);
}
