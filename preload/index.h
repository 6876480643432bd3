/* SPDX-License-Identifier: MIT */
/*
 * index.h: finds numbers by their hash: open addressing, at most half full. It doubles as it fills,
 * but a few entries at a time, since the thread that adds one is the game's: no ar_index_add does
 * work that grows with the table. It knows nothing of what the numbers stand for: equal hashes are
 * told apart by the caller.
 *
 * Called by stacks.c. Not thread-safe: the caller holds the recorder's lock.
 */
#ifndef AR_INDEX_H
#define AR_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ar_index_slot {
    uint64_t hash;
    uint64_t value; /* 0: empty */
};

/* `size` is a power of two, `used` at most half of it. While `old` is there, all entries are in
 * `old` that it had when it was full, those of its first `moved` slots in `slots` too, and all that
 * were added since in `slots` alone. Then it is given back from its end: `old_size` shrinks. */
struct ar_index {
    struct ar_index_slot *slots;
    uint64_t size, used;
    struct ar_index_slot *old;
    uint64_t old_size, moved;
};

/* Empties it; gives back what it had. False: no memory. */
bool ar_index_start(struct ar_index *index);

/* Adds an entry; `value` is not 0. False: no memory. */
bool ar_index_add(struct ar_index *index, uint64_t hash, uint64_t value);

/* The entries of a hash: for (probe = ar_index_probe(hash); (value = ar_index_next(index, &probe))
 * != 0;). An entry may come twice. Nothing may be added meanwhile. */
struct ar_index_probe {
    uint64_t hash;
    uint64_t step; /* slots that were looked at, in `slots` or in `old` */
    bool in_old;
};

static inline struct ar_index_probe ar_index_probe(uint64_t hash)
{
    return (struct ar_index_probe){hash, 0, false};
}

uint64_t ar_index_next(const struct ar_index *index, struct ar_index_probe *probe);

#endif
