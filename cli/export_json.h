/* SPDX-License-Identifier: MIT */
/*
 * export_json.h: what the exports that are JSON share: texts, and the frames of all stacks,
 * numbered. They print piece by piece: a dump's stacks together may be more than memory should
 * hold. Called by export_*.c alone.
 */
#ifndef CLI_EXPORT_JSON_H
#define CLI_EXPORT_JSON_H

#include "cli/export.h"

#include <stdio.h>

/* A text in quotes; what is no UTF-8 becomes U+FFFD. */
void export_json_text(FILE *out, const char *text);

/* "1234.567": nanoseconds as microseconds, exactly. */
void export_json_us(FILE *out, uint64_t ns);

/* A function of a stack, inlined ones too, or what stands for missing ones. */
struct export_frame {
    const char *text;       /* of export_cut; NULL: it is a line */
    struct model_line line; /* if `text` is NULL */
};

struct export_frames {
    size_t count;
    struct export_frame *frames;
    size_t *first; /* by the model's frame: the number of its innermost line plus 1, 0: none */
    size_t *lines; /* by the model's frame: how many */
    size_t room;
};

/* Numbers the lines of the stacks of all sites, from 0 on. The texts stay the model's. */
struct export_frames export_frames_of(const struct export_request *request);
void export_frames_free(struct export_frames *frames);

/* The numbers of a stack with its missing end, innermost first; the caller frees. */
size_t *export_frames_stack(const struct export_frames *frames, const struct model_stack *stack,
                            size_t *count);

#endif
