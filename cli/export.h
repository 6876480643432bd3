/* SPDX-License-Identifier: MIT */
/*
 * export.h: the formats of other viewers: one file each (export_NAME.c), one table. They read the
 * model and what is drawn from it, write to request.term.out, and know neither dumps nor libdw.
 * They print no messages; what a format cannot hold is counted in `left_out`. Called by cmd_export.
 */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "cli/out.h"

/* What a viewer of one number is given. */
enum export_value {
    EXPORT_BYTES = 0,
    EXPORT_ALLOCATIONS = 1,
    EXPORT_LIVE = 2,      /* bytes in use at the end */
    EXPORT_TEMPORARY = 3, /* bytes of blocks freed in the poll that made them */
    EXPORT_VALUES = 4
};

/* A site that was asked for. The amount of the steady phase is zero where only another phase was.
 */
struct export_site {
    struct model_row row;
    struct model_amount steady;
};

struct export_request {
    struct out_request base;
    enum export_value value;
    struct summary summary; /* of the loop that was asked for, or of all */
    size_t count;
    struct export_site *sites; /* in the order asked for, at most base.limit */
    struct model_amount sum;   /* of all that match, also beyond the limit */
    size_t matching;
    size_t left_out; /* set by the format: sites whose value it cannot hold, being negative */
};

struct export_format {
    const char *name;
    const char *summary; /* what it is for, a few words */
    bool binary;         /* not for a terminal */
    bool one_value;      /* shows export_request.value alone */
    size_t limit;        /* sites, if it is not said; 0: all */
    void (*write)(struct export_request *request);
};

extern const struct export_format export_pprof, export_collapsed, export_speedscope, export_trace,
    export_dhat, export_csv, export_markdown;

/* All of them; NULL ends the array. */
extern const struct export_format *const export_formats[];
const struct export_format *export_find(const char *name); /* NULL: none */

/* Chooses the sites that `base` asks for. export_end frees them, and nothing else of the request.
 */
void export_begin(struct export_request *request);
void export_end(struct export_request *request);

/* Negative where more was freed than was seen made. */
int64_t export_value_of(const struct export_site *site, enum export_value value);
const char *export_value_name(enum export_value value);

/* Why the outermost frames of a stack are missing, in brackets, as a frame of its own: "[more
 * frames]"; NULL: they are not. */
const char *export_cut(const struct model_stack *stack);

/* "game --frames 3000"; the caller frees. */
char *export_program(const struct model *model);

/* What every format says of itself: lines of text, NULL at the end; the caller frees both. */
char **export_remarks(const struct export_request *request);
void export_remarks_free(char **lines);

#endif
