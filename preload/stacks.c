/* SPDX-License-Identifier: MIT */
#include "preload/stacks.h"

#include "preload/config.h"
#include "preload/index.h"
#include "preload/live.h"
#include "preload/lock.h"
#include "preload/mapfile.h"

#include <string.h>

#define FRAMES_PER_CHUNK  1024u
#define FRAME_CHUNKS_MOST 4096u
#define STACK_CHUNK_BYTES 65536u
#define FULL_OF_STACKS    640u /* of 1024 of the region: the rest is for counters and call sites */
#define FULL_OF_ALL       960u

static struct ar_index frames;                   /* of number + 1 */
static struct ar_index stacks;                   /* of the record's offset in the region */
static uint64_t frame_chunks[FRAME_CHUNKS_MOST]; /* offsets in the region */
static uint32_t frame_count;
static uint32_t stack_count;
static struct dump_chunk *stack_chunk;

bool ar_stacks_start(void)
{
    frame_count = stack_count = 0;
    stack_chunk = NULL;
    return ar_index_start(&frames) && ar_index_start(&stacks);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ (hash >> 29);
}

static struct dump_frame *frame_at(uint32_t number)
{
    struct dump_chunk *chunk = ar_region_at(frame_chunks[number / FRAMES_PER_CHUNK]);

    return (struct dump_frame *)(chunk + 1) + number % FRAMES_PER_CHUNK;
}

static bool add_frame(const struct ar_place *place, uint32_t *number)
{
    struct dump_chunk *chunk;
    struct dump_frame *frame;
    uint32_t in_chunk = frame_count % FRAMES_PER_CHUNK;

    if (frame_count / FRAMES_PER_CHUNK >= FRAME_CHUNKS_MOST)
        return false;
    if (in_chunk == 0) {
        chunk = ar_chunk_new(DUMP_FRAME, sizeof *frame, FRAMES_PER_CHUNK * sizeof *frame, 0);
        if (chunk == NULL)
            return false;
        frame_chunks[frame_count / FRAMES_PER_CHUNK] = ar_region_offset(chunk);
    }
    chunk = ar_region_at(frame_chunks[frame_count / FRAMES_PER_CHUNK]);
    frame = ar_chunk_place(chunk, sizeof *frame);
    *frame = (struct dump_frame){place->offset, place->module, place->exact ? DUMP_FRAME_EXACT : 0};
    ar_chunk_commit(chunk, sizeof *frame);
    *number = frame_count++;
    return true;
}

/* False: it is new, and there is no room for it or none `may` be added. */
static bool frame_number(const struct ar_place *place, bool may, uint32_t *number)
{
    uint64_t hash = mix(mix(1 + place->exact, place->module), place->offset);

    struct ar_index_probe probe = ar_index_probe(hash);
    uint64_t found;

    while ((found = ar_index_next(&frames, &probe)) != 0) {
        const struct dump_frame *frame = frame_at((uint32_t)found - 1);

        if (frame->module == place->module && frame->offset == place->offset &&
            (frame->flags & DUMP_FRAME_EXACT) == (place->exact ? DUMP_FRAME_EXACT : 0)) {
            *number = (uint32_t)found - 1;
            return true;
        }
    }
    return may && add_frame(place, number) && ar_index_add(&frames, hash, (uint64_t)*number + 1);
}

static uint32_t find_stack(uint64_t hash, const uint32_t *numbers, unsigned count, uint32_t flags)
{
    struct ar_index_probe probe = ar_index_probe(hash);
    uint64_t found;

    while ((found = ar_index_next(&stacks, &probe)) != 0) {
        const struct dump_stack *stack = ar_region_at(found);

        if (stack->flags == flags && stack->frames == count &&
            memcmp(stack->frame, numbers, count * sizeof numbers[0]) == 0)
            return stack->id;
    }
    return 0;
}

/* Polls and call sites may use the room that is kept for them. */
static bool has_room(uint32_t flags)
{
    if ((flags & (DUMP_STACK_CALL_SITE | DUMP_STACK_POLL)) != 0)
        return ar_region_fullness() < FULL_OF_ALL;
    return ar_region_fullness() < FULL_OF_STACKS && !ar_region_is_stuck();
}

static uint32_t add_stack(uint64_t hash, const uint32_t *numbers, unsigned count, uint32_t flags)
{
    uint32_t size = (uint32_t)(offsetof(struct dump_stack, frame) + count * 4u + 7) & ~7u;
    struct dump_stack *stack;

    if (!has_room(flags) || stack_count >= AR_SITES_MOST)
        return 0;
    stack_chunk = ar_region_moved(stack_chunk);
    stack = ar_chunk_place(stack_chunk, size);
    if (stack == NULL) {
        stack_chunk = ar_chunk_new(DUMP_STACK, 0, STACK_CHUNK_BYTES, 0);
        stack = ar_chunk_place(stack_chunk, size);
        if (stack == NULL)
            return 0;
    }
    stack->size = size;
    stack->id = ++stack_count;
    stack->flags = flags;
    stack->frames = count;
    memcpy(stack->frame, numbers, count * sizeof numbers[0]);
    ar_chunk_commit(stack_chunk, size);
    if ((flags & DUMP_STACK_BROKEN) != 0)
        ar_lose(DUMP_LOSS_UNWIND, 1);
    return ar_index_add(&stacks, hash, ar_region_offset(stack)) ? stack->id : 0;
}

uint32_t ar_stacks_number(const struct ar_place *places, unsigned count, uint32_t flags)
{
    uint32_t numbers[AR_DEPTH_MOST];
    uint64_t hash = mix(2, flags);
    struct ar_held held = ar_lock();
    bool may = has_room(flags);
    uint32_t id = 0;
    unsigned done = 0;

    while (done < count && frame_number(&places[done], may, &numbers[done])) {
        hash = mix(hash, numbers[done]);
        done++;
    }
    if (done == count) {
        id = find_stack(hash, numbers, count, flags);
        if (id == 0)
            id = add_stack(hash, numbers, count, flags);
    }
    ar_unlock(held);
    return id;
}
