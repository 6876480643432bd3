/* SPDX-License-Identifier: MIT */
/*
 * reading.h: what a running program's dump said at one time, small enough to be kept, and what
 * changed between two such times. Every figure is a difference of two that `report --json` and
 * `sites --json` would have shown then. Pure functions; they print nothing. Called by follow and
 * the outputs of `live`.
 */
#ifndef CLI_READING_H
#define CLI_READING_H

#include "cli/model.h"

struct reading_site {
    uint32_t id; /* dump_stack.id */
    uint64_t allocations;
    uint64_t bytes;
    int64_t live_bytes;
};

struct reading {
    uint64_t taken_ns;      /* CLOCK_MONOTONIC */
    struct model_rate rate; /* all polls: their windows, their time */
    uint64_t frames;        /* or drains, as model_frames.count */
    uint64_t live_bytes;
    size_t site_count;
    struct reading_site sites[]; /* by id */
};

/* The caller frees. */
struct reading *reading_of(const struct model *model, uint64_t taken_ns);

struct reading_change {
    uint64_t taken_ns; /* time between the two */
    struct model_rate rate;
    uint64_t frames;
    int64_t live_bytes;
};

/* What happened from `before` to `after`, which are of the same dump. Counters only grow: what
 * seems to have shrunk, since a thread was at work while it was read, is 0. */
struct reading_change reading_between(const struct reading *before, const struct reading *after);

struct reading_row {
    const struct model_site *site; /* of the model that was given */
    uint64_t allocations;
    uint64_t bytes;
    int64_t live_bytes; /* in use at `after` */
    int64_t change;     /* of that since `before` */
};

enum reading_order {
    READING_BY_BYTES = 0,
    READING_BY_ALLOCATIONS = 1,
    READING_BY_LIVE = 2,
    READING_BY_CHANGE = 3,
    READING_ORDERS = 4
};
extern const char *const reading_orders[]; /* their names; NULL ends them */

/* The sites where anything happened in between, greatest first, ties by bytes and then by id. With
 * READING_BY_LIVE also those that hold memory. `model` is the one that `after` was taken of. The
 * caller frees; NULL with *count 0 if none. */
struct reading_row *reading_rows(const struct reading *before, const struct reading *after,
                                 const struct model *model, enum reading_order order,
                                 size_t *count);

#endif
