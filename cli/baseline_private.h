/* SPDX-License-Identifier: MIT */
/*
 * baseline_private.h: what the files of the baseline share and nobody else sees: memory that goes
 * away with it, and the words of its file.
 */
#ifndef CLI_BASELINE_PRIVATE_H
#define CLI_BASELINE_PRIVATE_H

#include "cli/baseline.h"
#include "cli/baseline_json.h"

/* Bytes of a baseline's file at most: 20,000 sites need half of that. */
#define BASELINE_FILE_MOST ((size_t)32 << 20)

struct baseline_private {
    void *texts; /* tree of tsearch: each text once */
    void **blocks;
    size_t block_count, block_room;
    /* Of baseline_has_site: what was asked last. */
    struct baseline *now; /* of that model; NULL: nothing was asked */
    const struct model *model;
    struct baseline_keys {
        char **keys; /* sorted */
        size_t count;
    } keys[BUDGET_SCOPES];
};

/* Empty, of the path (NULL: none). */
struct baseline *baseline_new(const char *path);

/* Zeroed memory that baseline_free frees; NULL for none. */
void *baseline_alloc(struct baseline *baseline, size_t count, size_t size);

/* The one copy of a text that the baseline keeps; each byte that is no UTF-8 is replaced. NULL is
 * "". */
const char *baseline_intern(struct baseline *baseline, const char *text);

/* The same for a module's name: '!', which ends it in the file, is replaced by '_'. */
const char *baseline_intern_module(struct baseline *baseline, const char *name);

/* Sets the lines of a site. */
void baseline_take_lines(struct baseline *baseline, struct model *model,
                         const struct model_stack *stack, struct baseline_site *site);

/* Frees what baseline_has_site keeps. */
void baseline_forget_keys(struct baseline *baseline);

/* Sorts the sites, and adds up those that are the same. Returns whether any were. */
bool baseline_merge_sites(struct baseline *baseline);

/* Puts the values in their order; false: two have the same key. */
bool baseline_sort_values(struct baseline *baseline);

/* Of the reader's files: they return false, having kept why. */
struct baseline_reader {
    struct baseline *baseline;
    struct baseline_json json;
};
extern const struct baseline_place baseline_top;
bool baseline_read_amount(struct baseline_reader *reader, const struct baseline_place *place,
                          const json_t *object, struct model_amount *amount);
bool baseline_read_scopes(struct baseline_reader *reader, const json_t *whole);
bool baseline_read_sites(struct baseline_reader *reader, const json_t *whole);

/* The file's words of the series, phases, places: never NULL for what exists. */
const char *baseline_series_name(unsigned series);
extern const char *const baseline_place_names[MODEL_PLACES];
extern const char *const baseline_amount_names[5]; /* in the order of struct model_amount */
uint64_t *baseline_amount_field(struct model_amount *amount, unsigned index);

#endif
