/* SPDX-License-Identifier: MIT */
/*
 * verdict_private.h: what the files of the verdict share and nobody else sees: memory that goes
 * away with it, patterns matched to sites, sums of the sites that a budget means, and the steps in
 * their order.
 */
#ifndef CLI_VERDICT_PRIVATE_H
#define CLI_VERDICT_PRIVATE_H

#include "cli/verdict.h"

struct verdict_private {
    struct model *model;
    struct verdict_options options;
    size_t room; /* of verdict.items */
    void **blocks;
    size_t block_count;
    bool **budget_sites;    /* by budget, by site: its pattern matches; NULL: it has none */
    bool **allowance_sites; /* the same by allowance */
    bool *allowed;          /* by site: some allowance matches; NULL: there are none */
};

/* Zeroed memory, and text, that go away with the verdict. */
void *verdict_memory(struct verdict *verdict, size_t count, size_t size);
const char *verdict_text(struct verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new item of the verdict: valid until the next one is added. */
struct verdict_item *verdict_add(struct verdict *verdict, enum verdict_kind kind, const char *name);

/* verdict_match.c: fills budget_sites, allowance_sites and allowed. */
void verdict_match(struct verdict *verdict);
/* NULL, or why the thread, or a module of the pattern, cannot be meant: it never was there. */
const char *verdict_missing_thread(struct verdict *verdict, const struct budget *budget);
const char *verdict_missing_module(struct verdict *verdict, const struct glob *glob);
/* NULL, or which condition is not met. */
const char *verdict_unmet(struct verdict *verdict, const struct budget_when *when);

/* verdict_sum.c: what the sites that a budget means came to in its scope. */
struct verdict_sum {
    struct model_amount amount;
    __int128 growth; /* of live bytes in the scope */
    __int128 leaked; /* in use at the end */
    uint64_t sites;  /* that allocate in the scope */
    uint64_t new_sites;
    uint64_t polls_most, polls_sum;     /* polls of the scope that allocate: of one site, of all */
    uint64_t largest_most, largest_sum; /* bytes of single polls after startup */
    uint64_t largest_in_scope;  /* of these, those that are known to be in the scope: the most */
    bool shared;                /* several threads allocate at one of the sites */
    struct verdict_part *parts; /* in no order */
    size_t part_count;
};
struct verdict_sum verdict_sum(struct verdict *verdict, size_t budget, enum budget_metric metric);
bool verdict_has_sites(const struct verdict *verdict, const struct budget *budget);
bool verdict_thread_matches(const struct model_thread *thread, const char *pattern);
/* Whether the site's live bytes grow for good: see there. */
bool verdict_site_grows(const struct model *model, const struct model_site *site);
void verdict_sort_parts(struct verdict_item *item);

/* verdict_measure.c: the value of a metric. */
struct verdict_value {
    const char *unknown; /* why it cannot be told; NULL: it can */
    struct ratio least, most;
    enum verdict_unit unit;
    const char *per;
};
struct verdict_value verdict_measure(struct verdict *verdict, const struct budget *budget,
                                     enum budget_metric metric, const struct verdict_sum *sum);

/* How many polls, drains, frames or, with *scale 10^9, nanoseconds the scope has. */
uint64_t verdict_units(const struct model *model, enum budget_scope scope, enum budget_per per,
                       uint64_t *scale, const char **name);

/* verdict_show.c: values as text. */
const char *verdict_show(struct verdict *verdict, struct ratio value, enum verdict_unit unit,
                         const char *per, unsigned decimals);
void verdict_show_item(struct verdict *verdict, struct verdict_item *item);

/* The steps. */
void verdict_require(struct verdict *verdict);
void verdict_limits(struct verdict *verdict);
void verdict_allow(struct verdict *verdict);
void verdict_conclude(struct verdict *verdict);

#endif
