/* SPDX-License-Identifier: MIT */
#include "cli/ratio.h"

#include <assert.h>
#include <string.h>

#define CHANGE_MOST 1000000000u /* per cent */
#define WHOLE_MOST  1000000000u /* of a change */

struct ratio ratio_of(uint64_t part, uint64_t whole)
{
    assert(whole > 0);
    return (struct ratio){part, whole, false};
}

struct ratio ratio_signed(int64_t part, uint64_t whole)
{
    assert(whole > 0);
    return (struct ratio){part < 0 ? 0 - (uint64_t)part : (uint64_t)part, whole, part < 0};
}

/* Euclid's algorithm on both fractions at once: nothing is multiplied, so nothing overflows. */
static int compare_sizes(struct ratio a, struct ratio b)
{
    for (int sign = 1;; sign = -sign) {
        unsigned __int128 x = a.part / a.whole;
        unsigned __int128 y = b.part / b.whole;

        if (x != y)
            return x < y ? -sign : sign;
        a.part %= a.whole;
        b.part %= b.whole;
        if (a.part == 0 || b.part == 0)
            return a.part == b.part ? 0 : a.part == 0 ? -sign : sign;
        /* Their inverses compare the other way round. */
        a = (struct ratio){a.whole, a.part, false};
        b = (struct ratio){b.whole, b.part, false};
    }
}

int ratio_compare(struct ratio a, struct ratio b)
{
    bool a_below = a.negative && a.part != 0;
    bool b_below = b.negative && b.part != 0;

    if (a_below != b_below)
        return a_below ? -1 : 1;
    return a_below ? compare_sizes(b, a) : compare_sizes(a, b);
}

/* Small enough to be multiplied by 2^64; of what is too large the least digits are lost. */
static struct ratio cut(struct ratio a)
{
    while (a.part > UINT64_MAX || a.whole > UINT64_MAX) {
        a.part >>= 1;
        a.whole = a.whole > 1 ? a.whole >> 1 : 1;
    }
    return a;
}

struct ratio ratio_changed(struct ratio base, struct ratio change)
{
    bool grows = !change.negative;

    base = cut(base);
    change = cut(change);
    while (change.whole > WHOLE_MOST) {
        change.part >>= 1;
        change.whole >>= 1;
    }
    unsigned __int128 hundred = 100 * change.whole;
    unsigned __int128 more = change.part;
    if (more > CHANGE_MOST * change.whole)
        more = CHANGE_MOST * change.whole;
    /* Factors are below 2^64: 10^9 * 10^9 + 10^11. What is below zero comes nearer to it by
     * growing. */
    bool away = grows != base.negative;
    if (!away && more > hundred)
        return (struct ratio){base.negative ? base.part * (more - hundred) : 0,
                              base.whole * hundred, false};
    return (struct ratio){base.part * (away ? hundred + more : hundred - more),
                          base.whole * hundred, base.negative};
}

struct ratio ratio_distance(struct ratio a, struct ratio b)
{
    unsigned __int128 x, y, whole;
    unsigned __int128 size;

    while (__builtin_mul_overflow(a.part, b.whole, &x) ||
           __builtin_mul_overflow(b.part, a.whole, &y) ||
           __builtin_mul_overflow(a.whole, b.whole, &whole) ||
           __builtin_add_overflow(x, y, &size)) {
        struct ratio *finer = a.whole > b.whole ? &a : &b;

        finer->part >>= 1;
        finer->whole = finer->whole > 1 ? finer->whole >> 1 : 1;
    }
    if (a.negative == b.negative)
        size = x > y ? x - y : y - x;
    return (struct ratio){size, whole, false};
}

double ratio_double(struct ratio a)
{
    double size = (double)a.part / (double)a.whole;

    return a.negative ? -size : size;
}

/* Writes the digits of `number` in front of `end`; returns where they begin. */
static char *put_digits(char *end, unsigned __int128 number, unsigned least, bool commas)
{
    for (unsigned count = 0; number > 0 || count < least; count++) {
        if (commas && count > 0 && count % 3 == 0)
            *--end = ',';
        *--end = (char)('0' + (unsigned)(number % 10));
        number /= 10;
    }
    return end;
}

struct ratio_shown ratio_text(struct ratio a, unsigned decimals)
{
    struct ratio_shown shown;
    char *end = shown.text + sizeof shown.text - 1;
    unsigned __int128 scale = 1;

    assert(decimals <= 9);
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    while (a.whole > ((unsigned __int128)1 << 90)) {
        a.part >>= 1;
        a.whole >>= 1;
    }
    unsigned __int128 whole = a.part / a.whole;
    unsigned __int128 rest = (a.part % a.whole * scale + a.whole / 2) / a.whole;
    if (rest == scale) {
        whole++;
        rest = 0;
    }
    for (; rest != 0 && rest % 10 == 0; rest /= 10)
        decimals--;
    bool negative = a.negative && (whole != 0 || rest != 0);

    *end = '\0';
    char *begin = end;
    if (rest != 0) {
        begin = put_digits(begin, rest, decimals, false);
        *--begin = '.';
    }
    begin = put_digits(begin, whole, 1, true);
    if (negative)
        *--begin = '-';
    memmove(shown.text, begin, (size_t)(end - begin) + 1);
    return shown;
}
