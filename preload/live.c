/* SPDX-License-Identifier: MIT */
#include "preload/live.h"

#include "preload/memory.h"

/*
 * A word of a block of up to 16 bytes:  1 | size 5 bits | site 22 bits | tick 36 bits
 * The words of a larger one:            0 | 1 | size 62 bits   and   0 | 0 | site.. as above
 * The second word stands in the block's own second 16 bytes and is left there when the block goes:
 * with its two upper bits clear it is nobody's first word. An unused word is 0.
 */
#define SMALL_FLAG (UINT64_C(1) << 63)
#define LARGE_FLAG (UINT64_C(1) << 62)
#define SMALL_MOST 16u
#define SIZE_SHIFT 58
#define SITE_SHIFT 36
#if UINTPTR_MAX > UINT32_MAX
#define ADDRESS_BITS 48 /* user addresses of x86-64 and aarch64, unless a program asks for more */
#define LEAF_BITS    26 /* bytes of heap that one leaf covers: 64 MiB, so 32 MiB of table */
#else
#define ADDRESS_BITS 32
#define LEAF_BITS    22 /* 4 MiB: there the table takes address space from the program */
#endif
#define LEAF_WORDS   ((size_t)1 << (LEAF_BITS - 4))
#define LEAF_LINK    (LEAF_WORDS + 1) /* behind the last block's second word: the leaf made before */
#define LEAF_BYTES   ((LEAF_WORDS + 2) * sizeof(uint64_t))
#define ROOT_ENTRIES ((size_t)1 << (ADDRESS_BITS - LEAF_BITS))

static uint64_t *newest_leaf;
static uint64_t **roots[2]; /* of addresses at even and at odd multiples of 8 */

bool ar_live_start(void)
{
    roots[0] = ar_pages(ROOT_ENTRIES * sizeof(uint64_t *));
    roots[1] = ar_pages(ROOT_ENTRIES * sizeof(uint64_t *));
    return roots[0] != NULL && roots[1] != NULL;
}

void ar_live_stop(void)
{
    while (newest_leaf != NULL) {
        uint64_t *leaf = newest_leaf;

        newest_leaf = (uint64_t *)(uintptr_t)leaf[LEAF_LINK];
        ar_pages_free(leaf, LEAF_BYTES);
    }
    for (unsigned i = 0; i < 2; i++) {
        ar_pages_free(roots[i], ROOT_ENTRIES * sizeof(uint64_t *));
        roots[i] = NULL;
    }
}

void ar_live_reset(void)
{
    ar_live_stop();
    ar_live_start();
}

/* The list of all leaves serves ar_live_reset alone. */
static void link_leaf(uint64_t *leaf)
{
    uint64_t *before = __atomic_load_n(&newest_leaf, __ATOMIC_RELAXED);

    do
        leaf[LEAF_LINK] = (uintptr_t)before;
    while (!__atomic_compare_exchange_n(&newest_leaf, &before, leaf, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

static __attribute__((noinline, cold)) uint64_t *leaf_for(uint64_t **slot)
{
    uint64_t *expected = NULL;
    uint64_t *leaf = ar_pages(LEAF_BYTES);

    if (leaf == NULL)
        return NULL;
    if (__atomic_compare_exchange_n(slot, &expected, leaf, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        link_leaf(leaf);
        return leaf;
    }
    ar_pages_free(leaf, LEAF_BYTES);
    return expected;
}

/* The first word of the block, or NULL: not covered, or no leaf yet and none is to be made. */
static inline uint64_t *word_of(const void *block, bool make)
{
    uintptr_t address = (uintptr_t)block;
    uint64_t **root = roots[(address >> 3) & 1];
    uint64_t *leaf;

    if ((uint64_t)address >> ADDRESS_BITS != 0 || (address & 7) != 0 || root == NULL)
        return NULL;
    leaf = __atomic_load_n(&root[address >> LEAF_BITS], __ATOMIC_ACQUIRE);
    if (leaf == NULL) {
        if (!make)
            return NULL;
        leaf = leaf_for(&root[address >> LEAF_BITS]);
        if (leaf == NULL)
            return NULL;
    }
    return &leaf[(address >> 4) & (LEAF_WORDS - 1)];
}

bool ar_live_put(const void *block, const struct ar_live_block *what)
{
    uint64_t *word = word_of(block, true);
    uint64_t rest = ((uint64_t)what->site << SITE_SHIFT) | (what->tick & AR_TICK_MASK);

    if (word == NULL)
        return false;
    if (what->size <= SMALL_MOST) {
        __atomic_store_n(word, SMALL_FLAG | (what->size << SIZE_SHIFT) | rest, __ATOMIC_RELAXED);
    } else {
        __atomic_store_n(word + 1, rest, __ATOMIC_RELAXED);
        __atomic_store_n(word, LARGE_FLAG | what->size, __ATOMIC_RELAXED);
    }
    return true;
}

/* The block's first word, or NULL: it is not there. */
static inline uint64_t *read_block(const void *block, struct ar_live_block *what)
{
    uint64_t *word = word_of(block, false);
    uint64_t first = word != NULL ? __atomic_load_n(word, __ATOMIC_RELAXED) : 0;
    uint64_t rest = first;

    if ((first & (SMALL_FLAG | LARGE_FLAG)) == 0)
        return NULL;
    if ((first & SMALL_FLAG) != 0) {
        what->size = (first >> SIZE_SHIFT) & 31;
    } else {
        what->size = first & (LARGE_FLAG - 1);
        rest = __atomic_load_n(word + 1, __ATOMIC_RELAXED);
    }
    what->site = (uint32_t)(rest >> SITE_SHIFT) & AR_SITES_MOST;
    what->tick = rest & AR_TICK_MASK;
    return word;
}

bool ar_live_peek(const void *block, struct ar_live_block *what)
{
    return read_block(block, what) != NULL;
}

bool ar_live_take(const void *block, struct ar_live_block *what)
{
    uint64_t *word = read_block(block, what);

    if (word == NULL)
        return false;
    __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    return true;
}
