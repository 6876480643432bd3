/* SPDX-License-Identifier: MIT */
/*
 * format.h: numbers and units as people read them. Pure functions of their arguments; they print
 * nothing. Called by the outputs and commands.
 *
 * Exact integers have thousands separators. Units of bytes are powers of ten (kB, MB, GB); powers
 * of two are only ever shown as KiB, MiB, GiB. A value in a unit has three significant digits.
 */
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include <stdint.h>

/* Returned by value, so that it can stand in an argument list: format_count(n).text */
struct shown {
    char text[48];
};

struct shown format_count(uint64_t number);            /* "12,345" */
const char *format_plural(uint64_t count);             /* "s", or "" of 1 */
struct shown format_signed(int64_t number);            /* "+12,345", "-3", "0" */
struct shown format_bytes(uint64_t bytes);             /* "999 B", "33.5 MB" */
struct shown format_bytes_signed(int64_t bytes);       /* "+33.5 MB", "-12 B", "0 B" */
struct shown format_bytes_binary(uint64_t bytes);      /* "999 B", "16.0 MiB" */
struct shown format_bytes_real(double bytes);          /* "0.34 B", "33.5 MB" */
struct shown format_real(double number, int decimals); /* "90,909.10" */
struct shown format_cell(double number);               /* as format_short; "<0.01" below */
struct shown format_precise(double number);            /* at least 7 digits: "0.272", "52,867.07" */
struct shown format_short(double number);              /* "368.02", "0.0034", "1,235", "0" */
struct shown format_duration(uint64_t ns);             /* "64 ns", "1.90 s", "1 h 02 min" */
struct shown format_percent(uint64_t part, uint64_t n); /* "12.3 %"; 0 and 100 only if exact */
struct shown format_share(double share);                /* 0.003 as "0.3 %" */

/* Text with something in front and behind; cut if it gets too long. */
struct shown format_around(const char *before, const char *text, const char *behind);

#endif
