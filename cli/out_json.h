/* SPDX-License-Identifier: MIT */
/*
 * out_json.h: what the files of the JSON output share. Integers are exact: those above 2^63 - 1,
 * which JSON's readers cannot hold, are written as strings. Text that is no UTF-8 has U+FFFD in
 * place of each wrong byte. What is not known is null. Called by out_json*.c and out_html.
 */
#ifndef CLI_OUT_JSON_H
#define CLI_OUT_JSON_H

#include "cli/out.h"

#include <jansson.h>

void out_json_report(const struct out_request *request);
void out_json_sites(const struct out_request *request);
void out_json_polls(const struct out_request *request);
void out_json_info(const struct out_request *request, char *const *wrong, size_t wrong_count);
void out_json_compare(const struct out_compare *request);
void out_json_patches(const struct out_patches *request);
void out_json_fallback(const struct out_request *request, const struct fallback_language *language);

/* Each returns a new reference. */
json_t *out_json_number(uint64_t number);
json_t *out_json_text(const char *text); /* null for NULL and "" */
json_t *out_json_amount(const struct model_amount *amount);
json_t *out_json_phases(const struct model_amount *phases); /* an amount for each */
json_t *out_json_loop(const struct out_request *request, const struct model_loop *loop);
json_t *out_json_worst(const struct out_request *request, const struct model_worst *worst);
json_t *out_json_row(const struct out_request *request, const struct model_row *row);
json_t *out_json_threads(const struct model *model);
json_t *out_json_losses(const struct model *model);
json_t *out_json_patchfigures(const struct patchfigures *before, const struct patchfigures *after);
json_t *out_json_waits(const struct model_waits *waits);
json_t *out_json_patch(const struct model *model); /* null: nothing was patched */
json_t *out_json_blind(unsigned number);           /* code, reason, advice; null for 0 */
json_t *out_json_notes(const struct model *model);
/* count, sum, mean, least, most, zeros and quantiles, each with its bounds. */
json_t *out_json_histogram(const struct stats_histogram *histogram, bool buckets);

/* Sets "stack", its lines, and "named", the place in it of the line that names it; null for an
 * empty stack or NULL. */
void out_json_set_stack(json_t *object, const struct out_request *request,
                        const struct model_stack *stack);

/* The object that every command's output opens with: schema, versions, dump, program. */
json_t *out_json_head(const struct out_request *request);

/* Adds under `key`, with a new reference that it takes over. */
void out_json_set(json_t *object, const char *key, json_t *value);
void out_json_set_number(json_t *object, const char *key, uint64_t number);

/* Prints it and lets it go. */
void out_json_print(FILE *out, json_t *whole);

/*
 * The same in parts, for lists too long to be held in memory: members, then lists whose items are
 * printed one by one, each on a line of its own. Every json_t that is given is let go.
 */
struct out_json_stream {
    FILE *out;
    size_t items; /* of the list that is open */
};
struct out_json_stream out_json_start(FILE *out, json_t *members); /* at least one */
void out_json_list(struct out_json_stream *stream, const char *key);
void out_json_item(struct out_json_stream *stream, json_t *item);
void out_json_end_list(struct out_json_stream *stream);
/* `members`, at least one, stand behind the lists; NULL: none. */
void out_json_end(struct out_json_stream *stream, json_t *members);

#endif
