/* SPDX-License-Identifier: MIT */
/*
 * compare_private.h: what the files of the comparison share and nobody else sees: the two sides,
 * and how figures of their runs are judged.
 */
#ifndef CLI_COMPARE_PRIVATE_H
#define CLI_COMPARE_PRIVATE_H

#include "cli/baseline_key.h"
#include "cli/compare.h"

enum { COMPARE_BEFORE = 0, COMPARE_AFTER = 1, COMPARE_SIDES = 2 };

struct compare_job {
    struct compare *out;
    struct baseline_runs side[COMPARE_SIDES];
    struct baseline_runs all; /* both, those before first */
    const struct compare_options *options;
};

/* A count of one run, and what it may be at least and at most, since a run may end anywhere. */
struct compare_figure {
    struct ratio value, low, high;
};

/* part / whole, known up to `one` more or less; whole > 0. */
struct compare_figure compare_figure(uint64_t part, uint64_t one, uint64_t whole);

/* COMPARE_SAME, COMPARE_WORSE (more) or COMPARE_BETTER: see compare.h. */
enum compare_change compare_judge(const struct compare_figure *before, size_t before_count,
                                  const struct compare_figure *after, size_t after_count,
                                  struct ratio percent, struct ratio slack);

/* The values, sorted; compare_free_counts frees. */
struct compare_counts compare_counts(const struct compare_figure *figures, size_t count);
void compare_free_counts(struct compare_counts *counts);

/* Units of a scope of a run. */
uint64_t compare_units(const struct compare *compare, const struct baseline_scope *scope);

/* The steps. */
void compare_metrics(struct compare_job *job);
void compare_sites(struct compare_job *job);
void compare_times(struct compare_job *job);

#endif
