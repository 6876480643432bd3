/* SPDX-License-Identifier: MIT */
/*
 * out_html.h: a run, or two runs compared, as one HTML page that needs nothing beside it. The page
 * (cli/html/) draws all its figures from one block of JSON in it: what `report --json`, `polls
 * --json`, `sites --json` and `compare --json` print, from the same writers. Called by cmd_html.
 *
 * Nothing of a dump is markup in it: the block is ASCII without '<', and the scripts make text
 * nodes only.
 */
#ifndef CLI_OUT_HTML_H
#define CLI_OUT_HTML_H

#include "cli/out.h"

#define OUT_HTML_MOST 950000u /* bytes of a page; sites beyond are added up and counted */

/*
 * The page; the caller frees. One run, or before and after with their comparison (else NULL). The
 * requests are for whole runs: only their models and terms are looked at. *size is without the NUL
 * byte that ends it.
 */
char *out_html_page(const struct out_request *runs, size_t count, const struct out_compare *compare,
                    size_t *size);

#endif
