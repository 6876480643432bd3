/* SPDX-License-Identifier: MIT */
/*
 * walk.h: walks a stack by the rules of its frames, a few nanoseconds each, and notes the words of
 * the stack on which the way depended: if those words are the same again, so is the stack (memo.h).
 */
#ifndef AR_WALK_H
#define AR_WALK_H

#include "preload/config.h"
#include "preload/span.h"
#include "preload/unwind.h"

#define AR_FRAMES_MOST                                                                             \
    (AR_DEPTH_MOST + 16u) /* 16: of the recorder's own, or between two of its hooks */
#define AR_WORDS_MOST (2 * AR_FRAMES_MOST + 2)

struct ar_walk {
    uintptr_t addresses[AR_FRAMES_MOST]; /* innermost first: where each frame executes */
    unsigned count;
    bool outermost; /* the last one is the outermost */
    bool broken;    /* it ended early: a frame could not be left */
    bool memorable; /* the words below determine it */
    uint32_t exact; /* bit i: addresses[i] was interrupted by a signal (the first 32) */
    /* Stack words at sp + offset. The plain ones come first and are equal to `value`; the relative
     * ones, saved frame pointers, are equal to sp + value. */
    unsigned plain_count;
    unsigned relative_count;
    struct {
        int32_t offset;
        unsigned before; /* of a relative one: it was read before this one of the plain words */
        uintptr_t value;
    } plain[AR_FRAMES_MOST], relative[AR_FRAMES_MOST + 2];
};

/* Walks from `frame` (the hook's caller), at most `most` frames. */
void ar_walk(struct ar_walk *walk, struct ar_frame frame, struct ar_spans *spans, unsigned most);

/* The same by libunwind alone, for the self-check. */
void ar_walk_slowly(struct ar_walk *walk, struct ar_frame frame, struct ar_spans *spans,
                    unsigned most);

#endif
