/* SPDX-License-Identifier: MIT */
/*
 * memo.h: the verified stack memo of one thread. In an event loop the same stacks come back in
 * every turn. An entry holds the words of the stack on which the walk of it depended, at their
 * offsets from the stack pointer; when the stack holds the same words again, the walk would go the
 * same way, step by step, and end in the same counter: no walk is needed. Nothing is trusted that
 * was not compared.
 *
 * Read only inside the thread's own stack; entries of another generation of modules do not match.
 */
#ifndef AR_MEMO_H
#define AR_MEMO_H

#include "preload/dump_format.h"
#include "preload/walk.h"

struct ar_memo;

/* What the stack is looked up by. */
struct ar_memo_key {
    uintptr_t caller; /* return address of the hook */
    uintptr_t sp;     /* the caller's stack pointer */
    uint64_t kind;    /* ar_memo_kind */
};

/* DUMP_STACK_IN_POLL or DUMP_STACK_POLL, and the generation of modules: one word, since both are
 * compared each time. */
static inline uint64_t ar_memo_kind(uint32_t flags, uint32_t generation)
{
    return (uint64_t)generation << 32 | flags;
}

/* NULL: no memory. */
struct ar_memo *ar_memo_new(void);

/* What is remembered of a stack. */
struct ar_memo_value {
    uint32_t number;              /* of the stack; never 0 */
    struct dump_counter *counter; /* this thread's of that site, once its owner has put it here */
};

/* The value for the stack as it is now, or NULL. `span` is the stack's. It stays valid until the
 * next ar_memo_add or ar_memo_forget. */
struct ar_memo_value *ar_memo_find(struct ar_memo *memo, const struct ar_memo_key *key,
                                   const struct ar_span *span);

/* Remembers `number` for a walk that is memorable. */
void ar_memo_add(struct ar_memo *memo, const struct ar_memo_key *key, const struct ar_walk *walk,
                 uint32_t number);

/* Forgets all. */
void ar_memo_forget(struct ar_memo *memo);

#endif
