/* SPDX-License-Identifier: MIT */
/*
 * fallback.h: the poll that allocates nothing, in several languages, and where in a program it
 * would save something: drawn from the model once for every output. Prints nothing. Called by
 * cmd_fallback and the outputs.
 */
#ifndef CLI_FALLBACK_H
#define CLI_FALLBACK_H

#include "cli/model.h"

struct fallback_language {
    const char *name;    /* "c" */
    const char *comment; /* what opens a line of comment */
    const char *text;    /* the source */
};
extern const struct fallback_language fallback_languages[]; /* `name` NULL ends it */
extern const char *const fallback_names[];                  /* in the same order; NULL ends it */

/*
 * A place that calls SDL_PollEvent, and what its function itself allocates beside these polls in
 * at least half of the steady ones: at most that would be saved. All three numbers are of the
 * steady phase, `polls` those of all places of that function, so that allocations / polls is what
 * one poll would save.
 */
struct fallback_site {
    const struct model_loop *loop;
    uint64_t polls;
    uint64_t allocations;
    uint64_t bytes;
};

/* Most polls first; the caller frees. NULL with *count 0: nothing calls SDL_PollEvent. */
struct fallback_site *fallback_sites(struct model *model, size_t *count);

#endif
