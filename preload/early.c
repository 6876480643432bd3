/* SPDX-License-Identifier: MIT */
#include "preload/early.h"

#include "preload/lock.h"
#include "preload/sys.h"

#define ARENA_BYTES  ((size_t)8 << 20)
#define LEAST        16u
#define CLASS_COUNT  20u /* 16 bytes to 8 MiB in powers of two */
#define HEADER_BYTES 16u

struct early_header {
    size_t size;               /* usable bytes, LEAST << class */
    struct early_header *next; /* in its free list */
};

static char *arena; /* set once */
static size_t arena_used;
static struct early_header *released[CLASS_COUNT];
static struct ar_lock_word busy;

static unsigned class_of(size_t size)
{
    unsigned kind = 0;

    while (kind < CLASS_COUNT && ((size_t)LEAST << kind) < size)
        kind++;
    return kind;
}

static char *arena_pages(void)
{
    if (arena == NULL)
        arena = ar_sys_mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return arena;
}

static void *carve(size_t usable, size_t alignment)
{
    uintptr_t base = (uintptr_t)arena_pages();
    uintptr_t at;
    struct early_header *header;

    if (base == 0)
        return NULL;
    at = (base + arena_used + HEADER_BYTES + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (at - base > ARENA_BYTES || usable > ARENA_BYTES - (at - base))
        return NULL;
    arena_used = at - base + usable;
    header = (struct early_header *)(at - HEADER_BYTES);
    header->size = usable;
    return (void *)at;
}

void *ar_early_alloc(size_t size, size_t alignment)
{
    unsigned kind = class_of(size);
    struct ar_held held;
    void *block = NULL;

    if (kind >= CLASS_COUNT)
        return NULL;
    if (alignment < 16)
        alignment = 16;
    held = ar_lock_word(&busy);
    if (alignment == 16 && released[kind] != NULL) {
        block = (char *)released[kind] + HEADER_BYTES;
        released[kind] = released[kind]->next;
    } else {
        block = carve((size_t)LEAST << kind, alignment);
    }
    ar_unlock_word(&busy, held);
    if (block != NULL)
        for (size_t i = 0; i < size; i++)
            ((volatile char *)block)[i] = 0;
    return block;
}

static struct early_header *header_of(const void *block)
{
    return (struct early_header *)((uintptr_t)block - HEADER_BYTES);
}

void *ar_early_realloc(void *block, size_t size)
{
    size_t old = block != NULL ? header_of(block)->size : 0;
    void *grown;

    if (block != NULL && size <= old)
        return block;
    grown = ar_early_alloc(size, 16);
    if (grown != NULL && block != NULL) {
        for (size_t i = 0; i < old; i++)
            ((volatile char *)grown)[i] = ((char *)block)[i];
        ar_early_free(block);
    }
    return grown;
}

void ar_early_free(void *block)
{
    struct early_header *header = header_of(block);
    unsigned kind = class_of(header->size);
    struct ar_held held;

    held = ar_lock_word(&busy);
    header->next = released[kind];
    released[kind] = header;
    ar_unlock_word(&busy, held);
}

void ar_early_reset(void)
{
    ar_lock_word_reset(&busy);
}

size_t ar_early_usable_size(const void *block)
{
    return header_of(block)->size;
}

bool ar_early_owns(const void *block)
{
    return arena != NULL && (uintptr_t)block - (uintptr_t)arena < ARENA_BYTES;
}
