/* SPDX-License-Identifier: MIT */
#include "preload/memo.h"

#include "preload/memory.h"

/*
 * Sets of four, the most recent first. Entries lie one behind the other in a pool; when it is full,
 * all are forgotten and it is filled anew: what comes back is soon there again.
 */
#define SETS 1024u
#define WAYS 4u
#define POOL_WORDS                                                                                 \
    ((size_t)96 << 10) /* 768 KiB, touched as it fills: some 3,000 stacks of depth 20 */

struct entry {
    uintptr_t caller;
    uint32_t flags;
    uint32_t generation;
    struct ar_memo_value value;
    int32_t reach; /* the greatest offset of its words */
    uint16_t plain_count;
    uint16_t relative_count;
    /* plain_count + relative_count values, then as many offsets of 4 bytes */
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

static inline bool words_agree(const struct entry *entry, uintptr_t sp)
{
    unsigned plain = entry->plain_count;
    unsigned all = plain + entry->relative_count;
    const int32_t *offsets = (const int32_t *)(entry->values + all);
    unsigned i = 0;

    for (; i < plain; i++)
        if (*(const uintptr_t *)(sp + (uintptr_t)(intptr_t)offsets[i]) != entry->values[i])
            return false;
    for (; i < all; i++)
        if (*(const uintptr_t *)(sp + (uintptr_t)(intptr_t)offsets[i]) != sp + entry->values[i])
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
    entry->plain_count = (uint16_t)walk->plain_count;
    entry->relative_count = (uint16_t)walk->relative_count;
    entry->reach = 0;
    offsets = (int32_t *)(entry->values + all);
    for (unsigned i = 0; i < all; i++) {
        bool plain = i < walk->plain_count;

        offsets[i] = plain ? walk->plain[i].offset : walk->relative[i - walk->plain_count].offset;
        entry->values[i] =
            plain ? walk->plain[i].value : walk->relative[i - walk->plain_count].value;
        if (offsets[i] > entry->reach)
            entry->reach = offsets[i];
    }
    for (unsigned i = WAYS - 1; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = (uint32_t)memo->used;
    memo->used += words;
}
