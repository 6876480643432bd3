/* SPDX-License-Identifier: MIT */
/*
 * ratio.h: exact fractions, for values that are compared with limits: bytes per poll, per cent of a
 * baseline. No floating point, no rounding but in what is shown. Pure functions; they print
 * nothing. Called by the gate.
 */
#ifndef CLI_RATIO_H
#define CLI_RATIO_H

#include <stdbool.h>
#include <stdint.h>

/* part / whole, below zero if `negative`; whole > 0. */
struct ratio {
    unsigned __int128 part;
    unsigned __int128 whole;
    bool negative;
};

struct ratio ratio_of(uint64_t part, uint64_t whole); /* whole > 0 */
struct ratio ratio_signed(int64_t part, uint64_t whole);

/* Below, at or above zero, as strcmp. Exact, whatever the sizes. */
int ratio_compare(struct ratio a, struct ratio b);

/* base + |base| * change / 100; what was not below 0 does not fall below it. Exact where `base` is
 * of two 64-bit numbers and `change` of one and of a whole of at most 10^9; a change is cut to 10^9
 * per cent. */
struct ratio ratio_changed(struct ratio base, struct ratio change);

/* |a - b|, to be shown: exact for fractions of 64-bit numbers, else nearly. */
struct ratio ratio_distance(struct ratio a, struct ratio b);

/* The nearest double, for JSON. */
double ratio_double(struct ratio a);

/*
 * "1,234.57": thousands apart by commas, a point whatever the locale, at most `decimals` (<= 9) of
 * them, rounded half up, zeros at the end left out. By value, so that it can be an argument.
 */
struct ratio_shown {
    char text[80];
};
struct ratio_shown ratio_text(struct ratio a, unsigned decimals);

#endif
