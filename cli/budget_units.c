/* SPDX-License-Identifier: MIT */
#include "cli/budget_units.h"

#include "cli/errors.h"

#include <string.h>
#include <strings.h>

#define DIGITS   "0123456789"
#define DECIMALS 9u /* most behind the point: ratio_changed needs a whole of 10^9 at most */

static const struct {
    const char *name;
    enum budget_units kind;
    uint64_t factor;
} units[] = {
    {"", BUDGET_UNITS_COUNT, 1},
    {"B", BUDGET_UNITS_BYTES, 1},
    {"kB", BUDGET_UNITS_BYTES, 1000},
    {"MB", BUDGET_UNITS_BYTES, 1000000},
    {"GB", BUDGET_UNITS_BYTES, 1000000000},
    {"KiB", BUDGET_UNITS_BYTES, UINT64_C(1) << 10},
    {"MiB", BUDGET_UNITS_BYTES, UINT64_C(1) << 20},
    {"GiB", BUDGET_UNITS_BYTES, UINT64_C(1) << 30},
    {"ns", BUDGET_UNITS_TIME, 1},
    {"us", BUDGET_UNITS_TIME, 1000},
    {"\xc2\xb5s", BUDGET_UNITS_TIME, 1000},
    {"ms", BUDGET_UNITS_TIME, 1000000},
    {"s", BUDGET_UNITS_TIME, 1000000000},
    {"%", BUDGET_UNITS_PERCENT, 1},
};

/* What is wrong with a unit that is none of them. */
static char *wrong_unit(const char *unit)
{
    if (strcmp(unit, "KB") == 0 || strcmp(unit, "Kb") == 0 || strcmp(unit, "kb") == 0 ||
        strcmp(unit, "K") == 0 || strcmp(unit, "k") == 0)
        return xasprintf("'%s' may mean two things: write kB (1000 bytes) or KiB (1024 bytes)",
                         unit);
    if (strcmp(unit, "mb") == 0 || strcmp(unit, "Mb") == 0 || strcmp(unit, "M") == 0 ||
        strcmp(unit, "m") == 0)
        return xasprintf("'%s' may mean two things: write MB (10^6 bytes) or MiB (2^20 bytes)",
                         unit);
    if (strcmp(unit, "gb") == 0 || strcmp(unit, "Gb") == 0 || strcmp(unit, "G") == 0 ||
        strcmp(unit, "g") == 0)
        return xasprintf("'%s' may mean two things: write GB (10^9 bytes) or GiB (2^30 bytes)",
                         unit);
    if (*unit == ',')
        return xstrdup("a comma is no decimal point: write '1.5', and '1000' without commas");
    if (strncasecmp(unit, "byte", 4) == 0)
        return xasprintf("'%s' is no unit; did you mean 'B'?", unit);
    for (size_t i = 1; i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(units[i].name, unit) == 0)
            return xasprintf("'%s' is no unit; did you mean '%s'?", unit, units[i].name);
    return xasprintf(
        "'%s' is no unit: there are B, kB, MB, GB, KiB, MiB, GiB, ns, us, ms, s and %%", unit);
}

/* Reads the digits; *text is behind them. NULL, or what is wrong. */
static char *read_number(const char **text, uint64_t *part, uint64_t *whole)
{
    const char *begin = *text;
    size_t digits = strspn(begin, DIGITS);
    size_t decimals = begin[digits] == '.' ? strspn(begin + digits + 1, DIGITS) : 0;

    *part = 0;
    *whole = 1;
    if (digits == 0)
        return xasprintf("'%s' is no number; write it like '12', '1.5 KiB' or '+5 %%'", begin);
    if (begin[digits] == '.' && decimals == 0)
        return xstrdup("digits are missing behind the point");
    if (decimals > DECIMALS)
        return xasprintf("more than %u digits behind the point", DECIMALS);
    for (size_t i = 0; i < digits + decimals; i++) {
        const char *digit = begin + i + (i >= digits);

        if (__builtin_mul_overflow(*part, 10, part) ||
            __builtin_add_overflow(*part, (uint64_t)(*digit - '0'), part))
            return xstrdup("the number is too large");
        *whole *= i >= digits ? 10 : 1;
    }
    *text = begin + digits + decimals + (decimals > 0);
    return NULL;
}

char *budget_units_parse(const char *text, enum budget_units *kind, struct ratio *value)
{
    bool has_sign = *text == '+' || *text == '-';
    bool negative = *text == '-';
    uint64_t part;
    uint64_t whole;

    text += has_sign;
    char *why = read_number(&text, &part, &whole);
    if (why != NULL)
        return why;
    while (*text == ' ')
        text++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i].name, text) != 0)
            continue;
        if (has_sign && units[i].kind != BUDGET_UNITS_PERCENT)
            return xstrdup("a sign is for what is relative to the baseline: '+5 %'");
        if (__builtin_mul_overflow(part, units[i].factor, &part))
            return xstrdup("the number is too large");
        *kind = has_sign ? BUDGET_UNITS_CHANGE : units[i].kind;
        *value = (struct ratio){part, whole, negative && part != 0};
        return NULL;
    }
    return wrong_unit(text);
}
