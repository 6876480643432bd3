/* SPDX-License-Identifier: MIT */
/*
 * model_patch.h: what the patched poll did, as the model has it: all threads together. Filled by
 * model_patch.c; model_data.h includes it.
 */
#ifndef CLI_MODEL_PATCH_H
#define CLI_MODEL_PATCH_H

#include "preload/dump_format.h"

#include <stdbool.h>
#include <stdint.h>

struct model_patch {
    uint32_t modes; /* DUMP_PATCH_*; 0: nothing was patched, all else is 0 */
    uint64_t threads;
    uint64_t requests;             /* allocations asked for inside polls */
    uint64_t served;               /* of these, without the heap */
    uint64_t spilled[DUMP_SPILLS]; /* the others, by enum dump_spill */
    uint64_t releases;             /* blocks given back inside polls */
    uint64_t heap_allocations;     /* calls of the allocator inside polls: the sum of spilled[] */
    uint64_t heap_bytes;           /* requested by them */
    uint64_t heap_releases;        /* and releases that reached it */
    uint64_t steady_heap_calls;    /* both, in the steady phase */
    uint64_t missing_bytes;        /* of the largest class that had no block left; 0: none */
    uint64_t missing;              /* requests that found that class empty */
    uint64_t refills;              /* between polls, as are all that follow */
    uint64_t refilled;             /* blocks */
    uint64_t given_back;           /* blocks */
    uint64_t held_blocks;
    uint64_t held_bytes;
    uint64_t held_most_bytes; /* of the threads together, each at its own time */
    uint64_t limit_bytes;     /* of one thread */
    uint64_t queue_events;
    uint64_t uneven; /* threads whose requests are not what was counted in their polls */
};

/* "alignment over 16 bytes", ... */
const char *model_spill_name(enum dump_spill reason);

/* "alignment", "size", "empty_class", "other": in JSON. */
const char *model_spill_key(enum dump_spill reason);

#endif
