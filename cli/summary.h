/* SPDX-License-Identifier: MIT */
/*
 * summary.h: the figures of the first screen, drawn from the model once for every output: of the
 * whole program, or of one loop. Prints nothing. Called by cmd_report and the outputs.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli/model.h"

enum summary_verdict {
    SUMMARY_NO_POLLS = 0,  /* nothing polled, so there is no loop */
    SUMMARY_NO_STEADY = 1, /* too few polls for a steady phase */
    SUMMARY_NOTHING = 2,   /* the steady loop allocates nothing */
    SUMMARY_ALLOCATES = 3,
    SUMMARY_BLIND = 4 /* summary_is_blind */
};

struct summary {
    struct model *model;
    const struct model_loop *loop; /* NULL: of the whole program */

    struct model_rate rate; /* all polls */
    uint64_t null, empty, events, allocating;
    uint64_t by_function[DUMP_POLL_KINDS];

    /* The steady phase. */
    uint64_t steady_polls;
    uint64_t steady_allocating; /* polls whose window allocated */
    const char *unit; /* what the rates of the steady phase are of: "frame", "drain", "poll" */
    uint64_t units;   /* so many of them */
    struct model_amount steady; /* of the loop's thread, in poll and between polls; of one loop only
                                   its allocations and bytes are known */
    enum summary_verdict verdict;
    size_t loop_sites; /* sites that the verdict counts */
    /* Of `steady`, what sites allocate that do so in every poll or periodically. */
    size_t recurring_sites;
    uint64_t recurring_allocations, recurring_bytes;

    /* Sites with allocations in the steady phase: first those that recur on threads that poll, then
     * those that recur elsewhere, then the others alike; within each, most bytes first. */
    struct model_row *rows;
    size_t row_count;

    /* By enum dump_series; never NULL. */
    const struct stats_histogram *all_polls[DUMP_SERIES_LOOP_COUNT];
    const struct stats_histogram *steady_series[DUMP_SERIES_LOOP_COUNT];

    /* The poll that allocated most: of the steady ones if one of them did, else of all; NULL: none
     */
    const struct model_worst *worst;
};

/* summary_free frees what it holds; the model must live as long. */
struct summary summary_of(struct model *model, const struct model_loop *loop);
void summary_free(struct summary *summary);

/* Polls were seen, and not one allocation in the whole run: the program's allocations do not reach
 * the recorder (an allocator of its own, or one preloaded before), and nothing can be told of its
 * loop. */
bool summary_is_blind(const struct model *model);

/* In every poll, or periodically. */
bool summary_recurs(const struct model_site *site);

/* amount / units; 0 without units. */
double summary_per_unit(const struct summary *summary, uint64_t amount);

/* "no-polls", "no-steady-phase", "nothing", "allocates", "blind". */
const char *summary_verdict_name(enum summary_verdict verdict);

#endif
