/* SPDX-License-Identifier: MIT */
/*
 * out_html_data.h: the data of the HTML page: the JSON of the other commands, made smaller without
 * loss: lines of stacks stand once in a list, lists of objects become objects of lists, and
 * members that are zero, false or null are left out. Called by out_html*.c alone.
 */
#ifndef CLI_OUT_HTML_DATA_H
#define CLI_OUT_HTML_DATA_H

#include "cli/out_json.h"

/* Distinct values, and the number of each. */
struct out_html_lines {
    json_t *list;
    json_t *numbers; /* by the value's text */
    size_t size;     /* bytes of the list's text */
};
struct out_html_lines out_html_lines_new(void);
/* The number of `line`, which it lets go. */
json_t *out_html_lines_add(struct out_html_lines *lines, json_t *line);

/* For out_request: the line without what the page does not show becomes its number; `data` is the
 * struct out_html_lines. */
json_t *out_html_shorten(void *data, json_t *line);

/* Takes out of objects, at any depth, what the page reads as nothing when it is not there. */
void out_html_drop_nothings(json_t *data);

/* All but the sites: report, polls. Stacks are in `lines`. */
json_t *out_html_run(const struct out_request *request, struct out_html_lines *lines);

/* Adds the sites, as many as fit into `room` bytes with the lines that they add, steady bytes
 * first; and the sum of those that do not. */
void out_html_add_sites(json_t *run, const struct out_request *request,
                        struct out_html_lines *lines, size_t room);

/* The comparison; null for NULL. */
json_t *out_html_compare(const struct out_compare *compare);

/* The text that stands in the page; the caller frees. */
char *out_html_text(const json_t *data);

#endif
