/* SPDX-License-Identifier: MIT */
/*
 * annotate.h: what the sites of a request allocate, by line of source. A site is booked to the
 * innermost line of its stack whose source is at hand; else to the innermost one that is known at
 * all. Prints nothing. Called by cmd_sites; out_text_annotate and out_json_annotate print it.
 */
#ifndef CLI_ANNOTATE_H
#define CLI_ANNOTATE_H

#include "cli/out.h"
#include "cli/sources.h"

/* Bytes of what was asked for, and those of them in the steady phase. */
struct annotate_amount {
    uint64_t sites;
    uint64_t bytes;
    uint64_t steady;
};

struct annotate_line {
    const char *file; /* as the debugging information names it */
    uint32_t line;
    const char *function;
    struct annotate_amount own;     /* booked here */
    struct annotate_amount through; /* of all sites that have the line in their stacks */
};

struct annotate_file {
    const char *file;
    const char *found; /* where it is; NULL: not at hand */
    bool newer;        /* than the module that was built from it: lines may have moved */
    size_t first;      /* its lines are lines[first] .. lines[first + count - 1] */
    size_t count;
    struct annotate_amount own;
};

struct annotate {
    const char *unit; /* "frame", "drain" or "poll" */
    uint64_t units;   /* of the steady phase */
    struct annotate_amount all;
    struct annotate_amount unplaced; /* no line of the stack is known */
    size_t line_count;               /* chosen: at most the request's limit */
    size_t known;                    /* lines that there are */
    struct annotate_line *lines;     /* by file, then by line */
    size_t file_count;
    struct annotate_file *files; /* most steady bytes first, then most bytes */
    struct sources *sources;
};

/* `directories`: as sources_new. Texts are the model's; annotate_free frees the rest. */
struct annotate annotate_of(const struct out_request *request, const char *directories);
void annotate_free(struct annotate *annotate);

/* Bytes in each unit of the steady phase; 0 without one. */
double annotate_per_unit(const struct annotate *annotate, uint64_t steady);

void out_text_annotate(const struct out_request *request, const struct annotate *annotate);
void out_json_annotate(const struct out_request *request, const struct annotate *annotate);

#endif
