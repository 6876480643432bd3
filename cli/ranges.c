/* SPDX-License-Identifier: MIT */
#include "cli/ranges.h"
#include "cli/errors.h"

#include <stdlib.h>

/* Ranges may lie within others; deeper nesting than that is not looked through. */
#define MOST_NESTED 32

void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, size_t value)
{
    if (start >= end)
        return;
    if (ranges->count == ranges->room) {
        ranges->room = ranges->room * 2 + 16;
        ranges->items = xreallocarray(ranges->items, ranges->room, sizeof *ranges->items);
    }
    ranges->items[ranges->count] = (struct range){start, end, value, ranges->count};
    ranges->count++;
    ranges->sorted = false;
}

static int compare(const void *a, const void *b)
{
    const struct range *x = a;
    const struct range *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

bool ranges_find(struct ranges *ranges, uint64_t address, size_t *value)
{
    if (!ranges->sorted && ranges->count)
        qsort(ranges->items, ranges->count, sizeof *ranges->items, compare);
    ranges->sorted = true;
    size_t low = 0;
    size_t high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = 0; i < MOST_NESTED && i < low; i++) {
        const struct range *range = &ranges->items[low - 1 - i];
        if (address < range->end) {
            *value = range->value;
            return true;
        }
    }
    return false;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct ranges){0};
}
