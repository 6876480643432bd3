/* SPDX-License-Identifier: MIT */
/*
 * out.h: the output formats, one table of functions each. They read the model and what is drawn
 * from it, write to request.term.out, and know neither dumps nor libdw. Called by the commands.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include "cli/fallback.h"
#include "cli/model.h"
#include "cli/patchfigures.h"
#include "cli/summary.h"
#include "cli/term.h"

struct baseline;
struct compare;
struct json_t;

#define OUT_SCHEMA 1 /* of the JSON; one more when a name changes its meaning or goes */

/* What a command was asked for. */
struct out_request {
    struct model *model;
    struct term term;
    const struct model_loop *loop; /* NULL: all */
    size_t limit;                  /* lines of a list */
    bool stacks;                   /* whole stacks */
    bool by_event;                 /* of the polls: what drains allocate, by type of event */
    struct model_filter filter;
    unsigned places; /* bits 1 << enum model_place; 0: everywhere */
    enum model_order order;
    const char *order_name;
    /* What stands in the place of a line of a stack in JSON, a new reference for the one that is
     * taken over; NULL: the line itself. */
    struct json_t *(*shorten)(void *data, struct json_t *line);
    void *shorten_data;
};

/* What compare was asked for. */
struct out_compare {
    const struct compare *compare;
    struct baseline *const *before, *const *after;
    struct term term;
    size_t limit; /* sites of the list */
    bool same;    /* those that did not change too */
    bool stacks;
};

/* A run without the patch, and one with it. */
struct out_patches {
    const struct patchfigures *before, *after;
    struct term term;
};

struct out_format {
    void (*report)(const struct out_request *request);
    void (*sites)(const struct out_request *request);
    void (*polls)(const struct out_request *request);
    /* `wrong`: the lines of model_check. */
    void (*info)(const struct out_request *request, char *const *wrong, size_t wrong_count);
    void (*compare)(const struct out_compare *request);
    void (*patches)(const struct out_patches *request);
    /* request->model is NULL where no dump was given. */
    void (*fallback)(const struct out_request *request, const struct fallback_language *language);
};

extern const struct out_format out_text, out_json;

/* The comparison as Markdown: for a comment at a change. */
void out_markdown_compare(const struct out_compare *request);

#endif
