/* SPDX-License-Identifier: MIT */
/*
 * magazine.h: blocks of the program's own allocator that stand ready, by size: one thread takes and
 * puts back blocks inside a poll without a call of the allocator, and between polls the magazine is
 * filled up again. Every block is one that the allocator beneath gave out and has not got back, so
 * that anybody may resize, measure or release it. The magazine knows nothing of polls, records or
 * hooks, counts for nobody but itself, and never calls the allocator but in ar_magazine_settle and
 * ar_magazine_empty. Called by patch.c.
 *
 * Belongs to one thread. A signal handler that comes while the magazine is at work finds it busy:
 * nothing is taken or put then.
 *
 * Invariants: of each class, count <= room, and blocks[0 .. count) can be used for class bytes and
 * are aligned to 16; held_bytes is the sum of count x class bytes; planned_bytes the sum of
 * target x class bytes, at most limit_bytes.
 */
#ifndef AR_MAGAZINE_H
#define AR_MAGAZINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes of 24, 40, 56 ... 1032 bytes, as glibc's malloc rounds (16 a step), then eight for each
 * doubling up to 64 KiB. */
#define AR_MAGAZINE_SMALL   64u
#define AR_MAGAZINE_CLASSES 112u
#define AR_MAGAZINE_LARGEST 65544u /* bytes of a block of the last class */

/* Blocks put into it that have no class or no place wait for the next settle, up to so much. */
#define AR_MAGAZINE_WAITING_MOST ((uint64_t)4 << 20)

struct ar_magazine_class {
    void **blocks;
    uint32_t count;
    uint32_t room;    /* of blocks[] */
    uint32_t target;  /* it is filled up to so many */
    int32_t out;      /* taken (or wanted in vain) less put, since the last settle */
    int32_t most_out; /* the most that this has been */
    bool own_pages;   /* blocks[] is a mapping of its own */
};

struct ar_magazine {
    bool busy;
    bool touched;                                    /* since the last settle */
    uint64_t dirty[(AR_MAGAZINE_CLASSES + 63) / 64]; /* a bit for each class */
    void *waiting; /* blocks to be released at the next settle, linked by their first word */
    uint64_t waiting_bytes;
    uint64_t limit_bytes;
    uint64_t planned_bytes;
    uint64_t held_blocks;
    uint64_t held_bytes;
    uint64_t held_most_bytes; /* after a settle */
    uint64_t missing_bytes;   /* of the largest class that had no block left; 0: none had */
    uint64_t missing;         /* how often that one had none */
    uint64_t refills;         /* settles that got blocks */
    uint64_t refilled;        /* blocks that they got */
    uint64_t given_back;      /* blocks given to the allocator */
    struct ar_magazine_class classes[AR_MAGAZINE_CLASSES];
};

/* The class whose blocks are large enough; AR_MAGAZINE_CLASSES: none is. */
unsigned ar_magazine_class_of(size_t size);

/* What a block of the class can be used for. */
size_t ar_magazine_class_bytes(unsigned kind);

/* An empty one, to be filled by ar_magazine_settle; at most `limit_bytes` of blocks. NULL: no
 * memory. It is never freed: a later thread takes it over. */
struct ar_magazine *ar_magazine_new(uint64_t limit_bytes);

/* A block of at least `size` bytes, its content undefined; NULL: no class, none left, or busy. */
void *ar_magazine_take(struct ar_magazine *magazine, size_t size);

/* Takes the block over, of which `usable` bytes can be used. False: it does not, since it is busy
 * or too much waits already. */
bool ar_magazine_put(struct ar_magazine *magazine, void *block, size_t usable);

/* Is the block in it? For one that is released twice; takes as long as its class is full. */
bool ar_magazine_holds(const struct ar_magazine *magazine, const void *block, size_t usable);

/*
 * Between polls: releases what waits, raises the target of each class to 5/4 of the most that it
 * lacked or gave since the last settle, fills up to the targets and gives back what is far above.
 * Calls the real malloc and free: never from an allocation hook.
 */
void ar_magazine_settle(struct ar_magazine *magazine);

/* Gives all blocks back; the targets stay, and ar_magazine_settle fills up to them again. */
void ar_magazine_empty(struct ar_magazine *magazine);

#endif
