/* SPDX-License-Identifier: MIT */
/*
 * out_compare.h: what the text and the Markdown of a comparison say alike: its verdict in words,
 * figures with their units, names of sites. Called by out_*_compare.c.
 */
#ifndef CLI_OUT_COMPARE_H
#define CLI_OUT_COMPARE_H

#include "cli/compare.h"
#include "cli/format.h"
#include "cli/out.h"

/* "worse: 2 figures, 1 site"; the caller frees. */
char *out_compare_verdict(const struct compare *compare);

/* "3 new, 1 worse, 0 better, 2 gone, 4 the same"; the caller frees. */
char *out_compare_sites(const struct compare *compare);

/* "1,234.5", "12.3 %"; of several runs the median. */
struct shown out_compare_count(const struct compare_counts *counts, enum compare_kind kind);

/* "+12.3 %" of the medians; "" if they are equal, "new" and "gone" where one is zero. */
struct shown out_compare_change(const struct compare_counts *before,
                                const struct compare_counts *after);

/* "1.23 ms .. 1.45 ms" of the medians' interval, "" of one run. */
struct shown out_compare_interval(const struct compare_time *time,
                                  const struct compare_times_side *side);
struct shown out_compare_median(const struct compare_time *time,
                                const struct compare_times_side *side);

/* "in poll: draw_text" and, behind a tab, the module: raw text. The caller frees. */
char *out_compare_name(const struct compare_site *site);
/* A line of a stack: "draw_text in libgame.so"; raw text. The caller frees. */
char *out_compare_line(const struct baseline_line *line);

/* Whether the site stands in the list: it changed, or all are asked for. */
bool out_compare_is_listed(const struct out_compare *request, const struct compare_site *site);

/* Whether it is of two dumps, patched in different ways. */
bool out_compare_is_of_patch(const struct out_compare *request);

#endif
