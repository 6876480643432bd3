/* SPDX-License-Identifier: MIT */
#include "preload/index.h"

#include "preload/memory.h"

#define SLOTS_AT_START 4096u

/* With each entry that is added. A table that has doubled takes half of its old size before it
 * doubles again: two slots each time would do. */
#define SLOTS_MOVED    8u
#define SLOTS_GIVEN_UP 4096u /* 64 KiB: some microseconds of the kernel's */

static size_t bytes_of(uint64_t slots)
{
    return slots * sizeof(struct ar_index_slot);
}

bool ar_index_start(struct ar_index *index)
{
    if (index->slots != NULL)
        ar_pages_free(index->slots, bytes_of(index->size));
    if (index->old != NULL)
        ar_pages_free(index->old, bytes_of(index->old_size));
    *index = (struct ar_index){.slots = ar_pages(bytes_of(SLOTS_AT_START)), .size = SLOTS_AT_START};
    return index->slots != NULL;
}

static void put(struct ar_index *index, struct ar_index_slot entry)
{
    uint64_t at = entry.hash & (index->size - 1);

    while (index->slots[at].value != 0)
        at = (at + 1) & (index->size - 1);
    index->slots[at] = entry;
}

static bool is_moving(const struct ar_index *index)
{
    return index->old != NULL && index->moved < index->size / 2;
}

/* Entries stay in `old` too: to take one out would break the chains of others. */
static void move_some(struct ar_index *index)
{
    for (unsigned i = 0; i < SLOTS_MOVED && is_moving(index); i++) {
        struct ar_index_slot entry = index->old[index->moved++];

        if (entry.value != 0)
            put(index, entry);
    }
}

static void give_up_some(struct ar_index *index)
{
    if (index->old_size > SLOTS_GIVEN_UP) {
        uint64_t kept = index->old_size - SLOTS_GIVEN_UP;

        ar_pages_shrink(index->old, bytes_of(index->old_size), bytes_of(kept));
        index->old_size = kept;
        return;
    }
    ar_pages_free(index->old, bytes_of(index->old_size));
    index->old = NULL;
}

static bool grow(struct ar_index *index)
{
    struct ar_index_slot *slots = ar_pages(bytes_of(index->size * 2));

    if (slots == NULL)
        return false;
    index->old = index->slots;
    index->old_size = index->size;
    index->moved = 0;
    index->slots = slots;
    index->size *= 2;
    return true;
}

bool ar_index_add(struct ar_index *index, uint64_t hash, uint64_t value)
{
    if (is_moving(index))
        move_some(index);
    else if (index->old != NULL)
        give_up_some(index);
    else if (index->used * 2 >= index->size && !grow(index))
        return false;
    put(index, (struct ar_index_slot){hash, value});
    index->used++;
    return true;
}

uint64_t ar_index_next(const struct ar_index *index, struct ar_index_probe *probe)
{
    for (;;) {
        const struct ar_index_slot *slots = probe->in_old ? index->old : index->slots;
        uint64_t size = probe->in_old ? index->old_size : index->size;
        const struct ar_index_slot *slot = &slots[(probe->hash + probe->step) & (size - 1)];

        probe->step++;
        if (slot->value == 0) {
            if (probe->in_old || !is_moving(index))
                return 0;
            *probe = (struct ar_index_probe){probe->hash, 0, true};
        } else if (slot->hash == probe->hash) {
            return slot->value;
        }
    }
}
