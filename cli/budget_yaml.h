/* SPDX-License-Identifier: MIT */
/*
 * budget_yaml.h: a strict part of YAML as a tree: mappings, sequences and scalars with their
 * places. Aliases, anchors, tags, duplicate keys, further documents and what is nested too deep are
 * refused. It knows nothing of budgets. Called by budget_read.
 */
#ifndef CLI_BUDGET_YAML_H
#define CLI_BUDGET_YAML_H

#include "cli/budget.h"

enum budget_yaml_kind { BUDGET_YAML_SCALAR, BUDGET_YAML_SEQUENCE, BUDGET_YAML_MAPPING };

/* Children of a mapping are keys, which are scalars, each with its value behind it. */
struct budget_yaml {
    enum budget_yaml_kind kind;
    struct budget_mark mark;
    char *text; /* of a scalar; never NULL then */
    struct budget_yaml **children;
    size_t count; /* children; of a mapping twice as many as it has keys */
};

/* What is read, and what is wrong with it: "PATH:LINE:COLUMN: ...", NULL as long as nothing is. The
 * caller frees `why`. */
struct budget_source {
    const char *path; /* for messages alone */
    char *why;
};

/* NULL: source->why says why. */
struct budget_yaml *budget_yaml_parse(struct budget_source *source, const char *text,
                                      size_t length);
void budget_yaml_free(struct budget_yaml *yaml); /* NULL is fine */

/* Sets source->why, unless it is set, to one line without hidden characters; returns -1. */
int budget_yaml_error(struct budget_source *source, struct budget_mark mark, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* The value of a key, or NULL. */
const struct budget_yaml *budget_yaml_get(const struct budget_yaml *mapping, const char *key);

#endif
