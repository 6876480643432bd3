/* SPDX-License-Identifier: MIT */
/*
 * verdict.h: the one result model of the gate: what a run came to against budgets, from which every
 * output and the exit code are drawn. Reads the model and the budgets; prints nothing. Called by
 * cmd_check, cmd_run and the gate's outputs.
 *
 * All comparisons are of exact integers and their fractions; equal to a limit passes. What cannot
 * be told never passes.
 *
 * The model, the budgets and the baseline must live as long as the verdict, which owns all else
 * that is reachable from it. Text is raw: its control characters are for the output to escape.
 */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "cli/baseline.h"
#include "cli/budget.h"
#include "cli/model.h"
#include "cli/ratio.h"

enum verdict_status {
    VERDICT_PASS = 0,
    VERDICT_SKIPPED = 1, /* does not apply to this run: its `when` is not met */
    VERDICT_BETTER = 2,  /* less than the lower bound, or than the baseline */
    VERDICT_WARN = 3,
    VERDICT_FAIL = 4,
    VERDICT_UNKNOWN = 5, /* cannot be told */
    VERDICT_WRONG = 6,   /* names what was not in the process */
    VERDICT_STATUSES = 7
};

enum verdict_kind { VERDICT_REQUIREMENT = 0, VERDICT_LIMIT = 1, VERDICT_ALLOWANCE = 2 };

enum verdict_unit {
    VERDICT_BYTES = 0,
    VERDICT_COUNT = 1,
    VERDICT_PERCENT = 2,
    VERDICT_NANOSECONDS = 3
};

/* What one site adds to an item. */
struct verdict_part {
    const struct model_site *site;
    struct model_amount amount; /* in the item's scope, on its threads */
    int64_t growth;             /* of live bytes in it, by all threads */
    int64_t weight;             /* by which the parts are sorted: what the item counts */
};

/* One comparison. */
struct verdict_item {
    enum verdict_kind kind;
    enum verdict_status status;
    int code;         /* the exit code that it alone would lead to, --strict taken into account */
    const char *name; /* "loop: allocations per poll"; unlike all others of the verdict */
    const char *text; /* one line: what it came to, and why where that needs words */
    struct budget_mark mark;
    const struct budget *budget;              /* of a limit, else NULL */
    const struct budget_limit *limit;         /* of a limit, else NULL */
    const struct budget_allowance *allowance; /* of an allowance, else NULL */

    enum verdict_unit unit;
    const char *per; /* "poll", "frame", "drain", "second", or "" */
    bool has_actual;
    struct ratio least, most; /* the true value lies in between; equal: it is exact */
    bool has_bound;
    bool lower; /* the bound is a lower one */
    struct ratio bound;
    const char *actual_text, *bound_text; /* with units; "" if there is none */
    const char *over_text;                /* how far it is beyond the bound, or within */

    struct verdict_part *parts; /* most first */
    size_t part_count;
    size_t excess_count; /* the first so many make up what is too much */
};

struct verdict {
    const struct model *model;
    const struct budget_file *file;
    bool strict;
    int code;             /* enum exit_code */
    const char *headline; /* "passes: ..." in one line */
    struct verdict_item *items;
    size_t item_count;
    size_t count[VERDICT_STATUSES]; /* items by status */
    size_t failing;                 /* items whose code is not 0 */

    uint64_t steady_polls;
    uint64_t warmup_polls;
    uint64_t half_polls[2]; /* the two parts of the steady phase that are compared */
    uint64_t half_bytes[2]; /* of recurring sites of the loop in them */
    struct verdict_private *private;
};

struct verdict_options {
    bool strict;
    const struct baseline *baseline; /* for relative limits and new sites; NULL: none */
    bool updates; /* the baseline is to be made: it need not be there, nor have every value */
    int64_t now;  /* seconds since 1970: allowances expire */
    const char *failure;            /* how the program failed; NULL: not known to */
    const char *const *differences; /* of the baseline's environment, a line each */
    size_t difference_count;
};

/* Never NULL. `model` is symbolised where patterns need it. */
struct verdict *verdict_of(struct model *model, const struct budget_file *file,
                           const struct verdict_options *options);
void verdict_free(struct verdict *verdict); /* NULL is fine */

/* Keeps in the baseline what each limit was measured as, where that is exact. */
void verdict_keep(const struct verdict *verdict, struct baseline *baseline);

const char *verdict_status_name(enum verdict_status status); /* "pass", "fail", ... */
const char *verdict_kind_name(enum verdict_kind kind);
const char *verdict_unit_name(enum verdict_unit unit); /* "bytes", "count", "percent", ... */
const char *verdict_code_name(int code);               /* "pass", "exceeded", "inconclusive", ... */

#endif
