/* SPDX-License-Identifier: MIT */
#include "cli/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Puts a separator between each three digits in front of the point. */
static struct shown separate(const char *plain)
{
    struct shown shown = {""};
    size_t sign = *plain == '-' || *plain == '+';
    size_t digits = strspn(plain + sign, "0123456789");
    size_t at = 0;

    for (size_t i = 0; plain[i] != '\0' && at + 2 < sizeof shown.text; i++) {
        if (i > sign && i < sign + digits && (sign + digits - i) % 3 == 0)
            shown.text[at++] = ',';
        shown.text[at++] = plain[i];
    }
    shown.text[at] = '\0';
    return shown;
}

const char *format_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

struct shown format_count(uint64_t number)
{
    char plain[24];

    snprintf(plain, sizeof plain, "%" PRIu64, number);
    return separate(plain);
}

struct shown format_signed(int64_t number)
{
    char plain[24];

    snprintf(plain, sizeof plain, number > 0 ? "+%" PRId64 : "%" PRId64, number);
    return separate(plain);
}

struct shown format_real(double number, int decimals)
{
    char plain[40];

    if (!isfinite(number))
        return (struct shown){"n/a"};
    if (fabs(number) >= 1e18) {
        struct shown shown;
        snprintf(shown.text, sizeof shown.text, "%.3g", number);
        return shown;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals, number);
    return separate(plain);
}

/* Decimals that leave at least three significant digits, at most `most`. */
static int decimals_for(double number, int most)
{
    int decimals = 0;

    number = fabs(number);
    if (!(number > 0) || number >= 100)
        return 0;
    for (double scaled = number; scaled < 99.95 && decimals < most; scaled *= 10)
        decimals++;
    return decimals;
}

struct shown format_short(double number)
{
    double size = fabs(number);
    struct shown shown;

    if (!(size > 0))
        return (struct shown){"0"};
    if (size >= 1)
        return format_real(number, size >= 1000 ? 0 : 2);
    if (size < 1e-9) {
        snprintf(shown.text, sizeof shown.text, "%.1e", number);
        return shown;
    }
    snprintf(shown.text, sizeof shown.text, "%.*f", (int)ceil(-log10(size)) + 1, number);
    return shown;
}

struct shown format_cell(double number)
{
    if (number > 0 && number < 0.01)
        return (struct shown){"<0.01"};
    if (number >= 0.01 && number < 1)
        return format_real(number, 2);
    return format_short(number);
}

struct shown format_precise(double number)
{
    int decimals = 2;

    for (double size = fabs(number); size > 0 && size < 10000 && decimals < 9; size *= 10)
        decimals++;
    struct shown shown = format_real(number, decimals);
    size_t length = strlen(shown.text);
    const char *point = strchr(shown.text, '.');
    while (point != NULL && shown.text + length > point + 3 && shown.text[length - 1] == '0')
        shown.text[--length] = '\0';
    return shown;
}

static struct shown in_units(double number, double base, const char *const *units)
{
    int unit = 0;
    struct shown shown;

    /* 999.5 would be printed as 1000. */
    while (fabs(number) >= base - base / 2000 && units[unit + 1] != NULL) {
        number /= base;
        unit++;
    }
    int decimals = unit > 0 ? decimals_for(number, 2) : 0;
    if (unit == 0 && number != floor(number))
        decimals = decimals_for(number, 4);
    snprintf(shown.text, sizeof shown.text, "%.*f %s", decimals, number, units[unit]);
    return shown;
}

static const char *const decimal_units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", NULL};
static const char *const binary_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL};

struct shown format_bytes(uint64_t bytes)
{
    return in_units((double)bytes, 1000, decimal_units);
}

struct shown format_bytes_real(double bytes)
{
    if (!isfinite(bytes))
        return (struct shown){"n/a"};
    return in_units(bytes, 1000, decimal_units);
}

struct shown format_bytes_signed(int64_t bytes)
{
    struct shown shown = in_units((double)bytes, 1000, decimal_units);

    return bytes > 0 ? format_around("+", shown.text, "") : shown;
}

struct shown format_bytes_binary(uint64_t bytes)
{
    return in_units((double)bytes, 1024, binary_units);
}

struct shown format_duration(uint64_t ns)
{
    struct shown shown;
    uint64_t seconds = ns / 1000000000 + (ns % 1000000000 >= 500000000);

    if (seconds >= 3600)
        snprintf(shown.text, sizeof shown.text, "%" PRIu64 " h %02" PRIu64 " min", seconds / 3600,
                 seconds / 60 % 60);
    else if (seconds >= 120)
        snprintf(shown.text, sizeof shown.text, "%" PRIu64 " min %02" PRIu64 " s", seconds / 60,
                 seconds % 60);
    else
        return in_units((double)ns, 1000, (const char *const[]){"ns", "us", "ms", "s", NULL});
    return shown;
}

struct shown format_percent(uint64_t part, uint64_t n)
{
    struct shown shown;

    if (n == 0)
        return (struct shown){"n/a"};
    if (part == 0 || part >= n) {
        snprintf(shown.text, sizeof shown.text, "%d %%", part == 0 ? 0 : 100);
        return shown;
    }

    double percent = 100.0 * (double)part / (double)n;
    if (percent < 0.1)
        return (struct shown){"<0.1 %"};
    if (percent > 99.9)
        return (struct shown){">99.9 %"};
    snprintf(shown.text, sizeof shown.text, "%.1f %%", percent);
    return shown;
}

struct shown format_share(double share)
{
    return format_around("", format_short(100 * share).text, " %");
}

struct shown format_around(const char *before, const char *text, const char *behind)
{
    const char *parts[] = {before, text, behind};
    struct shown shown;
    size_t at = 0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const char *c = parts[i]; *c != '\0' && at + 1 < sizeof shown.text; c++)
            shown.text[at++] = *c;
    shown.text[at] = '\0';
    return shown;
}
