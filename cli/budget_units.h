/* SPDX-License-Identifier: MIT */
/*
 * budget_units.h: numbers with units, as people write them in budget files, exactly: "4 KiB" is
 * 4096, "1.5 kB" is 1500, "+5 %" is 5 per cent more. A point whatever the locale. Pure functions.
 * Called by the reader of budget files.
 */
#ifndef CLI_BUDGET_UNITS_H
#define CLI_BUDGET_UNITS_H

#include "cli/budget.h"

enum budget_units {
    BUDGET_UNITS_COUNT, /* a number without a unit */
    BUDGET_UNITS_BYTES, /* B, kB, MB, GB, KiB, MiB, GiB */
    BUDGET_UNITS_TIME,  /* ns, us, ms, s: in nanoseconds */
    BUDGET_UNITS_PERCENT,
    BUDGET_UNITS_CHANGE /* in per cent, with a sign */
};

/* NULL: *kind and *value say what the text is. Else what is wrong with it; the caller frees. */
char *budget_units_parse(const char *text, enum budget_units *kind, struct ratio *value);

#endif
