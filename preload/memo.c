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
    uint64_t kind;
    struct ar_memo_value value;
    int32_t reach; /* the greatest offset of its words */
    uint16_t word_count;
    uint16_t relative_count;
    /* word_count values in the order of the walk, then as many offsets of 4 bytes, then the places,
     * of 4 bytes, of those whose values are relative to sp. */
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

/* `count` plain words. Four at a time, since this is where the recorder spends its time. */
static inline bool run_agrees(const uintptr_t *values, const int32_t *offsets, uint32_t count,
                              uintptr_t sp)
{
    for (; count >= 4; count -= 4, values += 4, offsets += 4)
        if (word_at(sp, offsets[0]) != values[0] || word_at(sp, offsets[1]) != values[1] ||
            word_at(sp, offsets[2]) != values[2] || word_at(sp, offsets[3]) != values[3])
            return false;
    for (; count > 0; count--, values++, offsets++)
        if (word_at(sp, offsets[0]) != values[0])
            return false;
    return true;
}

/* The words are compared in the order in which the walk read them, each read only after those that
 * say that it is there. Most are plain; the relative ones, frame pointers, cut them into runs. */
static inline bool words_agree(const struct entry *entry, uintptr_t sp)
{
    const uintptr_t *values = entry->values;
    const int32_t *offsets = (const int32_t *)(values + entry->word_count);
    const int32_t *relative = offsets + entry->word_count;
    uint32_t done = 0;

    for (uint32_t i = 0; i < entry->relative_count; i++) {
        uint32_t place = (uint32_t)relative[i];

        if (!run_agrees(values + done, offsets + done, place - done, sp) ||
            word_at(sp, offsets[place]) != sp + values[place])
            return false;
        done = place + 1;
    }
    return run_agrees(values + done, offsets + done, entry->word_count - done, sp);
}

static inline bool entry_agrees(const struct entry *entry, const struct ar_memo_key *key,
                                const struct ar_span *span)
{
    return entry->caller == key->caller && entry->kind == key->kind &&
           key->sp + (uintptr_t)(intptr_t)entry->reach < span->high && words_agree(entry, key->sp);
}

/* Behind the first of its set. */
static __attribute__((noinline)) struct ar_memo_value *find_further(struct ar_memo *memo,
                                                                    uint32_t *set,
                                                                    const struct ar_memo_key *key,
                                                                    const struct ar_span *span)
{
    for (unsigned i = 1; i < WAYS && set[i] != 0; i++) {
        struct entry *entry = (struct entry *)&memo->pool[set[i]];
        uint32_t place = set[i];

        if (!entry_agrees(entry, key, span))
            continue;
        for (; i > 0; i--)
            set[i] = set[i - 1];
        set[0] = place;
        return &entry->value;
    }
    return NULL;
}

struct ar_memo_value *ar_memo_find(struct ar_memo *memo, const struct ar_memo_key *key,
                                   const struct ar_span *span)
{
    uint32_t *set = memo->set[set_of(key)];
    struct entry *first = (struct entry *)&memo->pool[set[0]];

    if (set[0] == 0)
        return NULL;
    if (__builtin_expect(entry_agrees(first, key, span), 1))
        return &first->value;
    return find_further(memo, set, key, span);
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
    size_t places = (all + walk->relative_count) * sizeof(int32_t);
    size_t words = sizeof(struct entry) / sizeof(uintptr_t) + all +
                   (places + sizeof(uintptr_t) - 1) / sizeof(uintptr_t);
    uint32_t *set = memo->set[set_of(key)];
    struct entry *entry;
    int32_t *offsets;

    if (memo->used + words > POOL_WORDS)
        ar_memo_forget(memo);
    entry = (struct entry *)&memo->pool[memo->used];
    entry->caller = key->caller;
    entry->kind = key->kind;
    entry->value = (struct ar_memo_value){number, NULL};
    entry->word_count = (uint16_t)all;
    entry->relative_count = (uint16_t)walk->relative_count;
    entry->reach = 0;
    offsets = (int32_t *)(entry->values + all);
    for (unsigned i = 0, plain = 0, relative = 0; i < all; i++) {
        bool is_relative = relative < walk->relative_count &&
                           (plain == walk->plain_count || walk->relative[relative].before <= plain);
        int32_t offset = is_relative ? walk->relative[relative].offset : walk->plain[plain].offset;

        entry->values[i] = is_relative ? walk->relative[relative].value : walk->plain[plain].value;
        offsets[i] = offset;
        if (is_relative)
            offsets[all + relative++] = (int32_t)i;
        plain += !is_relative;
        if (offset > entry->reach)
            entry->reach = offset;
    }
    for (unsigned i = WAYS - 1; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = (uint32_t)memo->used;
    memo->used += words;
}
