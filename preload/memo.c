/* SPDX-License-Identifier: MIT */
#include "preload/memo.h"

#include "preload/memory.h"

/*
 * Sets of four, the most recent first. Entries lie one behind the other in a pool; when it is full,
 * all are forgotten and it is filled anew: what comes back is soon there again.
 */
#define SETS     1024u
#define WAYS     4u
#define RELATIVE 1 /* in an offset, which is a multiple of 8: the value is relative to sp */
#define POOL_WORDS                                                                                 \
    ((size_t)96 << 10) /* 768 KiB, touched as it fills: some 3,000 stacks of depth 20 */

struct entry {
    uintptr_t caller;
    uint32_t flags;
    uint32_t generation;
    struct ar_memo_value value;
    int32_t reach; /* the greatest offset of its words */
    uint16_t word_count;
    uint16_t mixed; /* 1: some words are relative */
    /* word_count values, then as many offsets of 4 bytes, in the order of the walk */
    uintptr_t values[];
};

struct ar_memo {
    uint32_t set[SETS][WAYS]; /* places in the pool, in words; 0: none */
    size_t used;
    uintptr_t pool[POOL_WORDS];
};

struct ar_memo *ar_memo_new(void)
{
    struct ar_memo *memo = ar_pages(sizeof *memo);

    if (memo != NULL)
        memo->used = 1;
    return memo;
}

static inline size_t set_of(const struct ar_memo_key *key)
{
    /* Threads' stacks differ by whole pages: the same path has the same place in its page on each.
     */
    uint64_t hash = (key->caller ^ ((key->sp & 0xfff) << 20)) * UINT64_C(0x9fb21c651e98df25);

    return (size_t)(hash >> 54) & (SETS - 1);
}

static inline uintptr_t word_at(uintptr_t sp, int32_t offset)
{
    return *(const uintptr_t *)(sp + (uintptr_t)(intptr_t)offset);
}

/* With frame pointers among the words. */
static bool mixed_words_agree(const struct entry *entry, uintptr_t sp)
{
    const int32_t *offsets = (const int32_t *)(entry->values + entry->word_count);

    for (uint32_t i = 0; i < entry->word_count; i++) {
        uintptr_t base = (offsets[i] & RELATIVE) != 0 ? sp : 0;

        if (word_at(sp, offsets[i] & ~RELATIVE) != base + entry->values[i])
            return false;
    }
    return true;
}

/* The words are compared in the order in which the walk read them, each read only after those that
 * say that it is there. */
static inline bool words_agree(const struct entry *entry, uintptr_t sp)
{
    const int32_t *offsets = (const int32_t *)(entry->values + entry->word_count);

    if (entry->mixed != 0)
        return mixed_words_agree(entry, sp);
    for (uint32_t i = 0; i < entry->word_count; i++)
        if (word_at(sp, offsets[i]) != entry->values[i])
            return false;
    return true;
}

struct ar_memo_value *ar_memo_find(struct ar_memo *memo, const struct ar_memo_key *key,
                                   const struct ar_span *span)
{
    uint32_t *set = memo->set[set_of(key)];

    for (unsigned i = 0; i < WAYS && set[i] != 0; i++) {
        struct entry *entry = (struct entry *)&memo->pool[set[i]];
        uint32_t place = set[i];

        if (entry->caller != key->caller || entry->flags != key->flags ||
            entry->generation != key->generation ||
            key->sp + (uintptr_t)(intptr_t)entry->reach >= span->high ||
            !words_agree(entry, key->sp))
            continue;
        if (i > 0) {
            for (; i > 0; i--)
                set[i] = set[i - 1];
            set[0] = place;
        }
        return &entry->value;
    }
    return NULL;
}

void ar_memo_forget(struct ar_memo *memo)
{
    for (unsigned i = 0; i < SETS; i++)
        for (unsigned k = 0; k < WAYS; k++)
            memo->set[i][k] = 0;
    memo->used = 1;
}

void ar_memo_add(struct ar_memo *memo, const struct ar_memo_key *key, const struct ar_walk *walk,
                 uint32_t number)
{
    unsigned all = walk->plain_count + walk->relative_count;
    size_t words = sizeof(struct entry) / sizeof(uintptr_t) + all + (all + 1) / 2;
    uint32_t *set = memo->set[set_of(key)];
    struct entry *entry;
    int32_t *offsets;

    if (memo->used + words > POOL_WORDS)
        ar_memo_forget(memo);
    entry = (struct entry *)&memo->pool[memo->used];
    entry->caller = key->caller;
    entry->flags = key->flags;
    entry->generation = key->generation;
    entry->value = (struct ar_memo_value){number, NULL};
    entry->word_count = (uint16_t)all;
    entry->mixed = walk->relative_count > 0;
    entry->reach = 0;
    offsets = (int32_t *)(entry->values + all);
    for (unsigned i = 0, plain = 0, relative = 0; i < all; i++) {
        bool is_relative = relative < walk->relative_count &&
                           (plain == walk->plain_count || walk->relative[relative].before <= plain);
        int32_t offset = is_relative ? walk->relative[relative].offset : walk->plain[plain].offset;

        entry->values[i] = is_relative ? walk->relative[relative].value : walk->plain[plain].value;
        offsets[i] = is_relative ? offset | RELATIVE : offset;
        relative += is_relative;
        plain += !is_relative;
        if (offset > entry->reach)
            entry->reach = offset;
    }
    for (unsigned i = WAYS - 1; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = (uint32_t)memo->used;
    memo->used += words;
}
