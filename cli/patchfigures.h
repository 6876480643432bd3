/* SPDX-License-Identifier: MIT */
/*
 * patchfigures.h: the figures by which a run with the patched poll and one without are compared, in
 * the same units: drawn from the model, all of the steady phase. Called by baseline_model.c (for
 * `compare`), cmd_run.c and the outputs.
 */
#ifndef CLI_PATCHFIGURES_H
#define CLI_PATCHFIGURES_H

#include "cli/model.h"

struct patchfigures {
    bool known;           /* false: of no dump, all else is 0 */
    uint32_t modes;       /* DUMP_PATCH_*; 0: nothing was patched */
    uint64_t polls;       /* steady ones */
    uint64_t allocations; /* asked for in them */
    /* Allocations and releases in them that reached the heap; without the patched poll all that
     * were made there. */
    uint64_t heap_calls;
    struct stats_range p50_ns, p99_ns; /* time in a poll; {0, 0} without polls */
};

struct patchfigures patchfigures_of(const struct model *model);

/* Are both known, and was one patched and the other not? */
bool patchfigures_differ(const struct patchfigures *before, const struct patchfigures *after);

#endif
