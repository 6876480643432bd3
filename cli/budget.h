/* SPDX-License-Identifier: MIT */
/*
 * budget.h: what a run may allocate: budgets, allowances, requirements, in plain values, as a
 * budget file says or as the default has it. It knows no model and evaluates nothing: verdict.h
 * does. The reader prints what is wrong with a file as "FILE:LINE:COLUMN: ..." and what was meant.
 *
 * Called by cmd_check, cmd_budget and the verdict.
 *
 * Units: bytes, nanoseconds, per cent. Numbers are exact fractions. Everything reachable from a
 * struct budget_file belongs to it and lives until budget_free; text is never NULL unless said.
 */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "cli/ratio.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glob; /* glob.h */

/* Where something stands in the file; line 0: in none (the default budget). */
struct budget_mark {
    unsigned line, column; /* from 1 */
};

/* The first four are those of enum model_phase. */
enum budget_scope {
    BUDGET_STARTUP = 0,
    BUDGET_WARMUP = 1,
    BUDGET_STEADY = 2,
    BUDGET_SHUTDOWN = 3,
    BUDGET_PROCESS = 4, /* the whole run */
    BUDGET_SCOPES = 5
};

enum budget_per {
    BUDGET_PER_NONE = 0, /* the whole scope */
    BUDGET_PER_POLL = 1,
    BUDGET_PER_DRAIN = 2,
    BUDGET_PER_FRAME = 3,
    BUDGET_PER_SECOND = 4
};

enum budget_metric {
    /* Each `per` of the budget, or in all if that is BUDGET_PER_NONE. */
    BUDGET_BYTES = 0,
    BUDGET_ALLOCATIONS = 1,
    BUDGET_REALLOCATIONS = 2,
    BUDGET_LIVE_GROWTH = 3, /* bytes: allocated less freed, of the same sites, in the scope */
    /* Of the windows of polls in the scope; a frame's or drain's if the budget is `per` these. */
    BUDGET_LARGEST = 4, /* bytes of the one with most */
    BUDGET_P99 = 5,     /* bytes */
    /* Whole numbers of the scope, whatever `per`. */
    BUDGET_ALLOCATING_POLLS = 6,
    BUDGET_ALLOCATING_SHARE = 7, /* the same in per cent of the scope's polls */
    BUDGET_TOTAL_BYTES = 8,
    BUDGET_TOTAL_ALLOCATIONS = 9,
    BUDGET_SITES = 10,     /* that allocate in the scope */
    BUDGET_NEW_SITES = 11, /* of these, not in the baseline */
    /* Of the process, whatever the scope. */
    BUDGET_STARTUP_BYTES = 12,
    BUDGET_PEAK_LIVE = 13, /* bytes */
    BUDGET_LEAKED = 14,    /* bytes: in use when the program ended */
    /* Times: warn unless the limit says that it fails. Nanoseconds, but for the first. */
    BUDGET_POLLS_PER_SECOND = 15,
    BUDGET_POLL_TIME_P50 = 16, /* inside the poll */
    BUDGET_POLL_TIME_P90 = 17,
    BUDGET_POLL_TIME_P99 = 18,
    BUDGET_POLL_TIME_MOST = 19,
    BUDGET_METRICS = 20
};

/* One limit, or up to four of one metric; equal passes. At least one of has_* is set. */
struct budget_limit {
    enum budget_metric metric;
    struct budget_mark mark;
    bool has_most, has_least;
    struct ratio most;  /* more is exceeded */
    struct ratio least; /* less: the budget is too loose (for POLLS_PER_SECOND: exceeded) */
    bool has_change;    /* more than the baseline's value and so many per cent is exceeded */
    struct ratio change;
    bool warns; /* what is exceeded is a warning */
};

/* A value of the recording that must match, as fnmatch; NULL: any. */
struct budget_when {
    const char *sdl;   /* "2.26.*" */
    const char *video; /* "dummy" */
    const char *arch;  /* "x86_64": the machine's name as `uname -m` has it */
    struct budget_mark mark;
};

/* budget.places: bits 1 << enum model_place */
#define BUDGET_IN_POLL 1u
#define BUDGET_BETWEEN 2u
#define BUDGET_OTHER   4u

struct budget {
    const char *name; /* unlike all others of the file */
    struct budget_mark mark;
    enum budget_scope scope;
    const char *thread; /* "loop": the threads that poll; "all"; else a glob of names */
    struct budget_mark thread_mark;
    unsigned places;         /* 0: everywhere */
    const struct glob *site; /* NULL: all sites */
    const char *site_text;   /* as written; NULL: all sites */
    struct budget_mark site_mark;
    unsigned cadences; /* bits 1 << enum cadence_kind: only sites of such cadences; 0: all */
    bool sustained;    /* only sites whose live bytes grow in every part of the steady phase */
    enum budget_per per;
    struct budget_when when; /* not met: the budget does not apply */
    struct budget_limit *limits;
    size_t limit_count; /* at least one */
};

/* Sites that may allocate so much: they are left out of the budgets that have no site of their own.
 */
struct budget_allowance {
    const char *site_text;
    const struct glob *site;
    struct budget_mark mark;
    enum budget_metric metric; /* BUDGET_BYTES or BUDGET_ALLOCATIONS, of the steady phase */
    enum budget_per per;
    struct ratio most;
    const char *reason;
    const char *expires; /* "2026-12-31": the last day on which it holds, UTC */
};

struct budget_require {
    struct budget_mark mark;
    uint64_t polls;   /* steady polls at least */
    bool has_dropped; /* at most so many allocations and polls were lost or booked elsewhere */
    uint64_t dropped;
    bool steady; /* the halves of the steady phase allocate alike */
};

struct budget_file {
    const char *path; /* NULL: the default budget */
    struct budget *budgets;
    size_t budget_count; /* at least one */
    struct budget_allowance *allowances;
    size_t allowance_count;
    struct budget_require require; /* what the file leaves out is as in the default budget */
    void *memory;
};

/* Reads and checks a file. NULL: it is no budget file, said why (exit EXIT_USAGE). */
struct budget_file *budget_read(const char *path);

/* The same from memory; `path` is for messages. NULL: *why (the caller frees) is the line. */
struct budget_file *budget_parse(const char *path, const char *text, size_t length, char **why);

/* What holds without a file. */
struct budget_file *budget_default(void);

void budget_free(struct budget_file *file); /* NULL is fine */

/* The words of the file: "steady", "poll", "bytes" ... */
const char *budget_scope_name(enum budget_scope scope);
const char *budget_per_name(enum budget_per per); /* "" for BUDGET_PER_NONE */
const char *budget_metric_name(enum budget_metric metric);

#endif
