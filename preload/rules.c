/* SPDX-License-Identifier: MIT */
#include "preload/rules.h"

#include "preload/memory.h"
#include "preload/modules.h"

/*
 * A table of sets of four, by address. An entry is written once and then replaced by: key 0, rule,
 * key; a reader that finds its key before and after the rule has the rule that belongs to it. Two
 * threads may write the same entry at once: the key is claimed by compare-and-exchange.
 */
#define SETS    ((size_t)1 << 13)
#define WAYS    4u
#define CLAIMED 1u /* no key: keys have the lowest bit clear or are odd addresses above a page */

struct entry {
    uint64_t key;
    uint64_t rule;
};

/*
 * A rule in a word, offsets in units of words:
 *   kind 3 | base 2 | word 12 | ra 10 | fp 12 | cfa 20     from bit 58 down
 * What does not fit is AR_RULE_SLOW.
 */
#define WORD      ((int32_t)sizeof(uintptr_t))
#define CFA_BITS  20
#define FP_BITS   12
#define RA_BITS   10
#define WORD_BITS 12
#define FP_SAME   (-(1 << (FP_BITS - 1))) /* the least value stands for AR_FP_SAME */

static struct entry (*table)[WAYS];

bool ar_rules_start(void)
{
    table = ar_pages(SETS * sizeof *table);
    return table != NULL;
}

static bool fits(int32_t offset, unsigned bits)
{
    int32_t units = offset / WORD;

    return offset % WORD == 0 && units > -(1 << (bits - 1)) && units < 1 << (bits - 1);
}

static uint64_t field(int32_t units, unsigned bits)
{
    return (uint64_t)(uint32_t)units & ((1u << bits) - 1);
}

static uint64_t pack(const struct ar_rule *rule)
{
    int32_t fp = rule->fp == AR_FP_SAME ? FP_SAME : rule->fp / WORD;
    uint64_t word = (uint64_t)rule->kind;

    if (rule->kind == AR_RULE_SIMPLE &&
        (!fits(rule->cfa, CFA_BITS) || (rule->fp != AR_FP_SAME && !fits(rule->fp, FP_BITS)) ||
         !fits(rule->ra, RA_BITS) || !fits(rule->word, WORD_BITS)))
        word = AR_RULE_SLOW;
    word = (word << 2) | (uint64_t)rule->base;
    word = (word << WORD_BITS) | field(rule->word / WORD, WORD_BITS);
    word = (word << RA_BITS) | field(rule->ra / WORD, RA_BITS);
    word = (word << FP_BITS) | field(fp, FP_BITS);
    return (word << CFA_BITS) | field(rule->cfa / WORD, CFA_BITS);
}

static inline int32_t take_field(uint64_t *word, unsigned bits)
{
    int32_t units = (int32_t)((uint32_t)*word << (32 - bits)) >> (32 - bits);

    *word >>= bits;
    return units;
}

static inline struct ar_rule unpack(uint64_t word)
{
    struct ar_rule rule;

    rule.cfa = take_field(&word, CFA_BITS) * WORD;
    rule.fp = take_field(&word, FP_BITS);
    rule.fp = rule.fp == FP_SAME ? AR_FP_SAME : rule.fp * WORD;
    rule.ra = take_field(&word, RA_BITS) * WORD;
    rule.word = take_field(&word, WORD_BITS) * WORD;
    rule.base = (enum ar_rule_base)(word & 3);
    rule.kind = (enum ar_rule_kind)(word >> 2);
    return rule;
}

static struct ar_rule ask(struct entry *set, uint64_t key, uintptr_t ip, bool exact)
{
    struct entry *entry = &set[(key >> 24) % WAYS];
    struct ar_rule rule = {.kind = AR_RULE_NONE};
    uint64_t packed;
    uint64_t before;

    if (!ar_unwind_may_ask())
        return rule;
    rule = ar_unwind_rule(ip, exact);
    packed = pack(&rule);
    for (unsigned i = 0; i < WAYS; i++)
        if (__atomic_load_n(&set[i].key, __ATOMIC_RELAXED) == 0)
            entry = &set[i];
    before = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
    if (before != CLAIMED && __atomic_compare_exchange_n(&entry->key, &before, CLAIMED, false,
                                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        __atomic_store_n(&entry->rule, packed, __ATOMIC_RELEASE);
        __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
    }
    return unpack(packed);
}

struct ar_rule ar_rules_for(uintptr_t ip, bool exact)
{
    /* User addresses end below 2^48; the generation's low bits keep those of unloaded code apart.
     */
    uint64_t key = (uint64_t)ip | ((uint64_t)(ar_modules_generation() & 0x7fff) << 48) |
                   ((uint64_t)exact << 63);
    struct entry *set = table[((ip >> 2) ^ (ip >> 15)) & (SETS - 1)];

    for (unsigned i = 0; i < WAYS; i++) {
        uint64_t packed;

        if (__atomic_load_n(&set[i].key, __ATOMIC_ACQUIRE) != key)
            continue;
        packed = __atomic_load_n(&set[i].rule, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&set[i].key, __ATOMIC_RELAXED) == key)
            return unpack(packed);
    }
    return ask(set, key, ip, exact);
}
