/* SPDX-License-Identifier: MIT */
/*
 * cadence.h: in which polls a site allocates, in a word. A pure function of a few counts; knows no
 * dump. Called by the model.
 */
#ifndef CLI_CADENCE_H
#define CLI_CADENCE_H

#include <stdbool.h>
#include <stdint.h>

enum cadence_kind {
    CADENCE_STARTUP = 0,    /* never after the first poll */
    CADENCE_WARMUP = 1,     /* after the first poll, never in the steady phase nor at shutdown */
    CADENCE_ONCE = 2,       /* in one poll of the whole run */
    CADENCE_GROWTH = 3,     /* in ever longer gaps, as a doubling array does */
    CADENCE_BURST = 4,      /* in less than 1 % of the steady polls */
    CADENCE_PERIODIC = 5,   /* about every `period`-th poll */
    CADENCE_EVERY_POLL = 6, /* in at least half of the steady polls */
    CADENCE_SHUTDOWN = 7    /* only after the last poll */
};

/* Of the counter with most allocations, all after startup. */
struct cadence_facts {
    uint64_t allocations;        /* in the whole run, startup too */
    uint64_t after_startup;      /* allocations after the first poll */
    uint64_t steady_allocations; /* in the steady phase */
    uint64_t shutdown_allocations;
    uint64_t polls;        /* in which it allocated */
    uint64_t polls_steady; /* of these, in the steady phase */
    uint64_t steady_polls; /* all polls of the steady phase */
    uint64_t gap_least;
    uint64_t gap_most;
    uint64_t gaps_growing;
    uint64_t steady_frames; /* frames (or drains) of the steady phase; 0: not known */
};

struct cadence {
    enum cadence_kind kind;
    uint64_t period;  /* of CADENCE_PERIODIC, in polls; else 0 */
    double per_frame; /* steady allocations for each steady frame; 0 if not known */
    char words[40];   /* "every poll", "periodic 12", "growth", ... */
};

struct cadence cadence_of(const struct cadence_facts *facts);

/* "startup", "warm-up", "once", "growth", "burst", "periodic", "every poll", "shutdown". */
const char *cadence_name(enum cadence_kind kind);

#endif
