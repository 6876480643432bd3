/* SPDX-License-Identifier: MIT */
/*
 * model_phases.h: cuts a tally of the dump into phases by the clock it goes by. A pure function.
 * Called by the model's other files, and by tests.
 */
#ifndef CLI_MODEL_PHASES_H
#define CLI_MODEL_PHASES_H

#include "cli/model_data.h"

struct model_parts {
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES]; /* add up to `all`, whatever the tally says */
    struct model_amount part[MODEL_PARTS];   /* add up to phase[MODEL_STEADY] */
    uint64_t polls_before_steady;            /* the marks' polls at the begin of the steady phase */
    bool contradicts; /* something had to be cut for that: the tally's history is not possible */
};

struct model_parts model_parts_of(const struct dump_tally *tally, const struct dump_clock *clock,
                                  uint64_t polls);

/* The polls of a thread that go by its own clock: all, and those of the steady phase. */
uint64_t model_clock_polls(const struct dump_clock *clock);
uint64_t model_clock_steady_polls(const struct dump_clock *clock);

/* The latter in the steady phase's parts, which add up to them. */
void model_clock_part_polls(const struct dump_clock *clock, uint64_t polls[MODEL_PARTS]);

#endif
