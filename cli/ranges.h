/* SPDX-License-Identifier: MIT */
/*
 * ranges.h: a table of address ranges, each with a number, looked up by address. Knows nothing of
 * what they are. Called by symbols.
 */
#ifndef CLI_RANGES_H
#define CLI_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t start;
    uint64_t end; /* first address behind it */
    size_t value;
    size_t order; /* a later one hides an earlier one of the same start */
};

struct ranges {
    size_t count;
    size_t room;
    struct range *items;
    bool sorted;
};

/* Empty ranges and those whose end comes before their start are left out. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, size_t value);

/* The value of the range with the greatest start that holds the address; false: none does. */
bool ranges_find(struct ranges *ranges, uint64_t address, size_t *value);

void ranges_free(struct ranges *ranges);

#endif
