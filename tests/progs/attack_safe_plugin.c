/* SPDX-License-Identifier: MIT */
/*
 * attack_safe_plugin: an allocator that may be interrupted anywhere and called again by the handler
 * (libc's may not), to stand behind a recorder. Blocks of powers of two from one region, in lists
 * without locks; a block that is released is the next one to be given out.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define REGION  ((size_t)4 << 30)
#define UNIT    ((size_t)16)
#define CLASSES 32u

/* The unit before each block. */
struct head {
    uint32_t class;
    uint32_t next; /* in its list: the number of the head's unit */
    uint64_t spare;
};

static char *region;
static uint64_t used = UNIT;    /* bytes */
static uint64_t lists[CLASSES]; /* change count << 32 | number of the first head's unit */

static char *region_start(void)
{
    char *made = __atomic_load_n(&region, __ATOMIC_ACQUIRE);
    char *none = NULL;

    if (made != NULL)
        return made;
    made = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    if (__atomic_compare_exchange_n(&region, &none, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    munmap(made, REGION);
    return none;
}

static struct head *head_at(uint32_t unit)
{
    return (struct head *)(region + unit * UNIT);
}

static struct head *pop(unsigned class)
{
    uint64_t first = __atomic_load_n(&lists[class], __ATOMIC_ACQUIRE);

    while ((uint32_t)first != 0) {
        struct head *head = head_at((uint32_t)first);
        uint64_t next = ((first >> 32) + 1) << 32 | __atomic_load_n(&head->next, __ATOMIC_RELAXED);

        if (__atomic_compare_exchange_n(&lists[class], &first, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return head;
    }
    return NULL;
}

static void push(struct head *head)
{
    uint64_t first = __atomic_load_n(&lists[head->class], __ATOMIC_ACQUIRE);
    uint64_t unit = (uint64_t)((char *)head - region) / UNIT;

    do
        __atomic_store_n(&head->next, (uint32_t)first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&lists[head->class], &first,
                                        ((first >> 32) + 1) << 32 | unit, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
}

void *malloc(size_t size)
{
    unsigned class = 0;
    struct head *head;

    while (class < CLASSES && UNIT << class < size)
        class ++;
    if (class == CLASSES || region_start() == NULL)
        return NULL;
    head = pop(class);
    if (head == NULL) {
        uint64_t bytes = UNIT + (UNIT << class);
        uint64_t at = __atomic_fetch_add(&used, bytes, __ATOMIC_RELAXED);

        if (at + bytes > REGION) {
            errno = ENOMEM;
            return NULL;
        }
        head = (struct head *)(region + at);
        head->class = class;
    }
    return head + 1;
}

void free(void *block)
{
    if (block != NULL)
        push((struct head *)block - 1);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    void *block = __builtin_mul_overflow(count, size, &bytes) ? NULL : malloc(bytes);

    return block != NULL ? memset(block, 0, bytes) : NULL;
}

void *realloc(void *block, size_t size)
{
    void *grown;

    if (block != NULL && UNIT << ((struct head *)block - 1)->class >= size)
        return block;
    grown = malloc(size);
    if (grown != NULL && block != NULL) {
        memcpy(grown, block, UNIT << ((struct head *)block - 1)->class);
        free(block);
    }
    return grown;
}
