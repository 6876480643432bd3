/* SPDX-License-Identifier: MIT */
/*
 * attack.h: what the programs have in common that attack the way in which stacks are recognised:
 * frames that no compiler takes apart, pseudo-random choices, a call that leaves no frame.
 */
#ifndef TESTS_ATTACK_H
#define TESTS_ATTACK_H

#include "tests/progs/target.h"

#include <stdbool.h>

/* A frame of its own, of one copy, whatever is known of the arguments. */
#if defined(__clang__)
#define ATTACK_FRAME __attribute__((noinline, used))
#else
#define ATTACK_FRAME __attribute__((noipa, used))
#endif

/* A function that leaves its frame by a call, and that call. */
#if defined(__clang__)
#define ATTACK_TAIL_CALLS
#define ATTACK_TAIL_CALL __attribute__((musttail)) return
#else
#define ATTACK_TAIL_CALLS __attribute__((optimize("O2", "optimize-sibling-calls")))
#define ATTACK_TAIL_CALL
#endif

/* A function that aligns its stack whatever it finds. */
#if defined(__x86_64__) && !defined(__clang__)
#define ATTACK_REALIGN __attribute__((force_align_arg_pointer))
#else
#define ATTACK_REALIGN
#endif

/* `object` is read and written by who knows whom. */
#define attack_escape(object) __asm__ volatile("" : : "r"(object) : "memory")

/* As target_keep, on any number of threads at once. */
static inline void *attack_keep(void *block)
{
    __asm__ volatile("" : "+r"(block) : : "memory");
    return block;
}

struct attack_random {
    unsigned long long state;
};

static inline struct attack_random attack_seed(unsigned long seed)
{
    struct attack_random random = {seed * 0x9e3779b97f4a7c15ull + 0x1234567};

    return random;
}

static inline unsigned attack_next(struct attack_random *random)
{
    random->state = random->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random->state >> 33);
}

static inline unsigned attack_hash(const unsigned char *bytes, unsigned count)
{
    unsigned hash = 2166136261u;

    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

#endif
