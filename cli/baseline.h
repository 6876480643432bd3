/* SPDX-License-Identifier: MIT */
/*
 * baseline.h: what one run allocated, in exact integers, apart from its dump: made from a model,
 * kept as a JSON file in a repository, compared with later runs. It judges nothing: compare.h and
 * verdict.h do. Of the budgets it only knows what names a limit's value.
 *
 * Called by cmd_check, cmd_compare, the comparison and the verdict.
 *
 * Units: bytes, nanoseconds. Sites are known by the names of modules and functions, never by
 * addresses or lines, so that they are the same in a rebuilt program. Everything reachable from a
 * struct baseline belongs to it and lives until baseline_free; text is never NULL unless said.
 */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli/budget.h"
#include "cli/model.h"
#include "cli/patchfigures.h"

/* What the numbers mean: one more when a number's meaning changes, and older files are refused. */
#define BASELINE_DEFINITION 1

/* Fewer steady polls cannot be compared: of what none of 30 does, up to 10 % may
 * (stats_zero_bound). */
#define BASELINE_STEADY_LEAST 30u

/* "" where it is not known. */
struct baseline_environment {
    const char *program;  /* name of the executable */
    const char *build_id; /* its, in hexadecimal */
    const char *arch;     /* as `uname -m` has it: "x86_64" */
    const char *sdl;      /* "2.26.5" */
    const char *video;    /* "dummy" */
    const char *libc;     /* "glibc 2.36" */
};

/* One histogram's figures; all but the quantiles are exact. */
struct baseline_series {
    uint64_t count;
    uint64_t sum;
    uint64_t zeros;
    uint64_t least; /* 0 if count == 0 */
    uint64_t most;
    struct stats_range p50, p90, p99;
};

/* A phase, or the whole run. What it may be divided by is known of BUDGET_STEADY and BUDGET_PROCESS
 * only, and 0 elsewhere. */
struct baseline_scope {
    struct model_amount all;
    struct model_amount place[MODEL_PLACES]; /* adds up to `all` */
    uint64_t polls;
    uint64_t drains;
    uint64_t frames;
    uint64_t ns;               /* of loop time */
    uint64_t allocating_polls; /* whose windows allocated */
    /* By enum dump_series. */
    struct baseline_series series[DUMP_SERIES_COUNT];
};

/* A line of a stack. Inlined functions have lines of their own; a function repeated directly is one
 * line, as deeper recursion is no other site. */
struct baseline_line {
    const char *module;   /* the file's name; "" if not known */
    const char *function; /* "+0xoffset" if it has no name; "" if nothing is known */
};

/* A stack at a place: no two of a baseline are the same. */
struct baseline_site {
    enum model_place place;
    const struct baseline_line *lines; /* innermost first */
    size_t line_count;                 /* 0: the stack is not known */
    size_t named;                      /* the line that names the site, < line_count if that > 0 */
    struct model_amount phase[MODEL_PHASES];
    uint64_t polls_steady; /* steady polls in which it allocated */
    uint64_t most_bytes;   /* in one poll, after startup */
    enum cadence_kind cadence;
};

/* What a limit of a budget was measured as. */
struct baseline_value {
    const char *budget; /* its name */
    const char *metric; /* budget_metric_name */
    const char *of;     /* what is counted, so that a changed budget's old value is not taken */
    struct ratio value;
};

struct baseline {
    const char *path; /* of the file or the dump it was made of */
    bool of_dump;     /* it is a dump's */
    struct baseline_environment environment;
    struct patchfigures patch; /* of a dump alone */

    /* Why it can not be compared; all false: it can. */
    bool blind;     /* allocations were not seen */
    bool no_polls;  /* nothing polled */
    bool no_steady; /* there is no steady phase */
    bool damaged;   /* a part of the dump is missing, and may have held more; never so of a file */
    bool ended;     /* the program ended by itself, so that `leaked` is known */

    uint64_t lost;   /* allocations and polls lost or booked elsewhere */
    uint32_t sample; /* one stack of so many was taken; 1: all */
    struct baseline_scope scope[BUDGET_SCOPES];
    uint64_t peak_live; /* bytes */
    uint64_t leaked;    /* bytes in use at the end */

    size_t site_count;
    struct baseline_site *sites; /* sorted by baseline_compare_sites */
    size_t value_count;
    struct baseline_value *values; /* sorted by budget, metric, of */
    size_t module_count;
    struct baseline_module {
        const char *name;
        const char *build_id;
    } * modules; /* of those whose lines have no names; sorted by name */

    struct baseline_private *private;
};

/* --- making one ----------------------------------------------------------------------------- */

/* From a model, which is symbolised for it and not needed afterwards. Holds no values yet. Never
 * NULL, prints nothing. */
struct baseline *baseline_of(struct model *model);

/* Reads a baseline's file. NULL: said why in one line (exit EXIT_UNREADABLE), which a dump is too,
 * and a file of another definition version. */
struct baseline *baseline_read(const char *path);

/* The same from memory. NULL: *why (the caller frees) is the line, without the path. */
struct baseline *baseline_parse(const char *text, size_t length, char **why);

/* A baseline's file or a dump, whichever it is; NULL: said why (exit EXIT_UNREADABLE). */
struct baseline *baseline_open(const char *path);

void baseline_free(struct baseline *baseline); /* NULL is fine */

/* --- keeping it ----------------------------------------------------------------------------- */

/* The file's text; the same for the same content. The caller frees. */
char *baseline_text(const struct baseline *baseline);

/* Writes it under another name, then renames it to `path` (through symbolic links to the file that
 * they mean), so that the file is always a whole one. -1: said why. */
int baseline_write(const struct baseline *baseline, const char *path);

/* Makes `old` what neither of the two exceeds: each value the lower one, and the run (scopes,
 * sites) that of `now` if `now_is_better`, else as it was. Values that only `now` has are taken. */
void baseline_tighten(struct baseline *old, const struct baseline *now, bool now_is_better);

/* --- asking it ------------------------------------------------------------------------------ */

/* The value of that limit when the baseline was made; false: it has none of a budget that counts
 * the same. */
bool baseline_value(const struct baseline *baseline, const struct budget *budget,
                    enum budget_metric metric, struct ratio *value);

/* Keeps it; replaces an earlier one. */
void baseline_set_value(struct baseline *baseline, const struct budget *budget,
                        enum budget_metric metric, struct ratio value);

/* Whether the baseline has a site with this whole stack of names, at whatever place, that allocated
 * in `scope`; another build matches. The model stays the same one for many calls in a row. */
bool baseline_has_site(const struct baseline *baseline, struct model *model,
                       const struct model_site *site, enum budget_scope scope);

/* Why its run cannot be compared: "it polled nothing"; NULL: it can. */
const char *baseline_unknown(const struct baseline *baseline);

/* How two environments differ, a line for each: "SDL 2.26.5, was 2.30.0". Another build of the
 * program is no difference. Returns how many; the caller frees each, and the array. */
size_t baseline_differences(const struct baseline *now, const struct baseline *was, char ***lines);

/* Whether the line's function is known by a name. */
bool baseline_has_name(const struct baseline_line *line);

/* Below, at or above zero: by place, then line by line from the innermost. */
int baseline_compare_sites(const struct baseline_site *a, const struct baseline_site *b);

#endif
