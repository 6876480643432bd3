/* SPDX-License-Identifier: MIT */
#include "preload/magazine.h"

#include "preload/memory.h"
#include "preload/real.h"

#include <string.h>

#define LEAST      24u   /* bytes of the first class */
#define STEP       16u   /* from one small class to the next */
#define SMALL_MOST 1032u /* bytes of the last small class */
#define HEAD       8u /* glibc's word before each block: sizes are this less than a multiple of 16 */
#define FIRST_BIT  10u /* larger classes: HEAD + 2^10 and up */
#define EACH_BITS  3u  /* 2^3 classes for each doubling */

/* What is far above the target is given back. */
#define SLACK(target) ((target) / 4 + 16)
#define ROOM(target)  (2 * (target) + 32)

static bool begin(struct ar_magazine *magazine)
{
    if (magazine->busy)
        return false;
    magazine->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return true;
}

static void end(struct ar_magazine *magazine)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    magazine->busy = false;
}

unsigned ar_magazine_class_of(size_t size)
{
    unsigned bit;

    if (size <= LEAST)
        return 0;
    if (size <= SMALL_MOST)
        return (unsigned)(size - LEAST + STEP - 1) / STEP;
    if (size > AR_MAGAZINE_LARGEST)
        return AR_MAGAZINE_CLASSES;
    size -= HEAD + 1;
    bit = 63 - (unsigned)__builtin_clzll(size);
    return AR_MAGAZINE_SMALL + ((bit - FIRST_BIT) << EACH_BITS) +
           (unsigned)((size - ((size_t)1 << bit)) >> (bit - EACH_BITS));
}

size_t ar_magazine_class_bytes(unsigned kind)
{
    unsigned bit = FIRST_BIT + ((kind - AR_MAGAZINE_SMALL) >> EACH_BITS);
    size_t place = (kind - AR_MAGAZINE_SMALL) & ((1u << EACH_BITS) - 1);

    if (kind < AR_MAGAZINE_SMALL)
        return LEAST + (size_t)kind * STEP;
    return HEAD + ((size_t)1 << bit) + ((place + 1) << (bit - EACH_BITS));
}

/* The class that a block can serve; AR_MAGAZINE_CLASSES: none. */
static unsigned class_for_block(const void *block, size_t usable)
{
    unsigned kind = ar_magazine_class_of(usable);

    if (((uintptr_t)block & 15) != 0 || usable < LEAST || kind == AR_MAGAZINE_CLASSES)
        return AR_MAGAZINE_CLASSES;
    return ar_magazine_class_bytes(kind) <= usable ? kind : kind - 1;
}

static void mark(struct ar_magazine *magazine, unsigned kind)
{
    magazine->touched = true;
    magazine->dirty[kind / 64] |= UINT64_C(1) << kind % 64;
}

/* Enough for the first polls under X11; what more is needed is learnt. */
static uint32_t first_target(unsigned kind)
{
    size_t bytes = ar_magazine_class_bytes(kind);

    return bytes <= 136          ? 256
           : bytes <= 520        ? 64
           : bytes <= SMALL_MOST ? 16
           : bytes <= 8200       ? 4
                                 : 2;
}

struct ar_magazine *ar_magazine_new(uint64_t limit_bytes)
{
    struct ar_magazine *magazine;
    size_t places = 0;
    void **blocks;

    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++)
        places += ROOM(first_target(kind));
    magazine = ar_pages(sizeof *magazine + places * sizeof *blocks);
    if (magazine == NULL)
        return NULL;
    magazine->limit_bytes = limit_bytes;
    blocks = (void **)(magazine + 1);
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++) {
        struct ar_magazine_class *each = &magazine->classes[kind];
        uint32_t target = first_target(kind);
        uint64_t bytes = (uint64_t)target * ar_magazine_class_bytes(kind);

        each->blocks = blocks;
        each->room = ROOM(target);
        blocks += each->room;
        mark(magazine, kind);
        if (magazine->planned_bytes + bytes > limit_bytes / 2)
            continue; /* the rest is for what is learnt */
        each->target = target;
        magazine->planned_bytes += bytes;
    }
    return magazine;
}

static void want(struct ar_magazine_class *each)
{
    if (++each->out > each->most_out)
        each->most_out = each->out;
}

static void miss(struct ar_magazine *magazine, unsigned kind)
{
    uint64_t bytes = ar_magazine_class_bytes(kind);

    if (bytes > magazine->missing_bytes) {
        magazine->missing_bytes = bytes;
        magazine->missing = 0;
    }
    magazine->missing += bytes == magazine->missing_bytes;
}

void *ar_magazine_take(struct ar_magazine *magazine, size_t size)
{
    unsigned kind = ar_magazine_class_of(size);
    struct ar_magazine_class *each = &magazine->classes[kind];
    void *block = NULL;

    if (kind == AR_MAGAZINE_CLASSES || !begin(magazine))
        return NULL;
    mark(magazine, kind);
    want(each);
    if (each->count > 0) {
        block = each->blocks[--each->count];
        magazine->held_blocks--;
        magazine->held_bytes -= ar_magazine_class_bytes(kind);
    } else {
        miss(magazine, kind);
    }
    end(magazine);
    return block;
}

static void keep(struct ar_magazine *magazine, unsigned kind, void *block)
{
    struct ar_magazine_class *each = &magazine->classes[kind];

    each->blocks[each->count] = block;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    each->count++;
    magazine->held_blocks++;
    magazine->held_bytes += ar_magazine_class_bytes(kind);
}

static bool wait_for_settle(struct ar_magazine *magazine, void *block, size_t usable)
{
    if (magazine->waiting_bytes + usable > AR_MAGAZINE_WAITING_MOST || usable < sizeof(void *))
        return false;
    magazine->touched = true;
    *(void **)block = magazine->waiting;
    magazine->waiting = block;
    magazine->waiting_bytes += usable;
    return true;
}

bool ar_magazine_put(struct ar_magazine *magazine, void *block, size_t usable)
{
    unsigned kind = class_for_block(block, usable);
    bool taken = true;

    if (!begin(magazine))
        return false;
    if (kind < AR_MAGAZINE_CLASSES) {
        mark(magazine, kind);
        magazine->classes[kind].out--;
    }
    if (kind < AR_MAGAZINE_CLASSES && magazine->classes[kind].count < magazine->classes[kind].room)
        keep(magazine, kind, block);
    else
        taken = wait_for_settle(magazine, block, usable);
    end(magazine);
    return taken;
}

bool ar_magazine_holds(const struct ar_magazine *magazine, const void *block, size_t usable)
{
    unsigned kind = class_for_block(block, usable);

    for (uint32_t i = 0; kind < AR_MAGAZINE_CLASSES && i < magazine->classes[kind].count; i++)
        if (magazine->classes[kind].blocks[i] == block)
            return true;
    for (void *const *each = magazine->waiting; each != NULL; each = *each)
        if (each == block)
            return true;
    return false;
}

/* Room for twice the target: blocks that come back find their place. */
static bool make_room(struct ar_magazine_class *each, uint32_t target)
{
    uint32_t room = ROOM(target);
    void **blocks;

    if (room <= each->room)
        return true;
    blocks = ar_pages(room * sizeof *blocks);
    if (blocks == NULL)
        return false;
    memcpy(blocks, each->blocks, each->count * sizeof *blocks);
    if (each->own_pages)
        ar_pages_free(each->blocks, each->room * sizeof *blocks);
    each->blocks = blocks;
    each->room = room;
    each->own_pages = true;
    return true;
}

/* The class needed `most_out` at once. */
static void learn(struct ar_magazine *magazine, unsigned kind)
{
    struct ar_magazine_class *each = &magazine->classes[kind];
    size_t bytes = ar_magazine_class_bytes(kind);
    uint64_t most = each->most_out > 0 ? (uint64_t)each->most_out : 0;
    uint64_t wanted = most + most / 4 + (most > 0);
    uint64_t allowed = each->target + (magazine->limit_bytes - magazine->planned_bytes) / bytes;

    each->out = each->most_out = 0;
    if (wanted > allowed)
        wanted = allowed;
    if (wanted <= each->target || !make_room(each, (uint32_t)wanted))
        return;
    magazine->planned_bytes += (wanted - each->target) * bytes;
    each->target = (uint32_t)wanted;
}

static void give_back(struct ar_magazine *magazine, void *block)
{
    ar_real.free(block);
    magazine->given_back++;
}

static void release_waiting(struct ar_magazine *magazine)
{
    void *block = magazine->waiting;

    magazine->waiting = NULL;
    magazine->waiting_bytes = 0;
    while (block != NULL) {
        void *next = *(void **)block;

        give_back(magazine, block);
        block = next;
    }
}

static void drop(struct ar_magazine *magazine, unsigned kind, uint32_t down_to)
{
    struct ar_magazine_class *each = &magazine->classes[kind];

    while (each->count > down_to) {
        magazine->held_blocks--;
        magazine->held_bytes -= ar_magazine_class_bytes(kind);
        give_back(magazine, each->blocks[--each->count]);
    }
}

/* How many blocks it got. */
static uint64_t fill(struct ar_magazine *magazine, unsigned kind)
{
    struct ar_magazine_class *each = &magazine->classes[kind];
    size_t bytes = ar_magazine_class_bytes(kind);
    uint64_t got = 0;

    while (each->count < each->target) {
        void *block = ar_real.malloc(bytes);

        if (block == NULL)
            break;
        if (((uintptr_t)block & 15) != 0) {
            ar_real.free(block);
            break;
        }
        keep(magazine, kind, block);
        got++;
    }
    return got;
}

void ar_magazine_settle(struct ar_magazine *magazine)
{
    uint64_t got = 0;

    if (!begin(magazine))
        return;
    release_waiting(magazine);
    for (unsigned word = 0; word < sizeof magazine->dirty / sizeof magazine->dirty[0]; word++)
        while (magazine->dirty[word] != 0) {
            unsigned kind = word * 64 + (unsigned)__builtin_ctzll(magazine->dirty[word]);
            uint32_t target;

            magazine->dirty[word] &= magazine->dirty[word] - 1;
            learn(magazine, kind);
            target = magazine->classes[kind].target;
            if (magazine->classes[kind].count > target + SLACK(target))
                drop(magazine, kind, target);
            got += fill(magazine, kind);
        }
    magazine->refills += got > 0;
    magazine->refilled += got;
    if (magazine->held_bytes > magazine->held_most_bytes)
        magazine->held_most_bytes = magazine->held_bytes;
    magazine->touched = false;
    end(magazine);
}

void ar_magazine_empty(struct ar_magazine *magazine)
{
    if (!begin(magazine))
        return;
    release_waiting(magazine);
    for (unsigned kind = 0; kind < AR_MAGAZINE_CLASSES; kind++) {
        drop(magazine, kind, 0);
        mark(magazine, kind);
    }
    end(magazine);
}
