/* SPDX-License-Identifier: MIT */
/*
 * dumpjson.h: every record of a dump as JSON, field by field, as the layout names them; integers
 * and text as in out_json.h. It interprets nothing. Called by cmd_dump.
 */
#ifndef CLI_DUMPJSON_H
#define CLI_DUMPJSON_H

#include "cli/dumpfile.h"

#include <stdio.h>

void dumpjson_print(FILE *out, const struct dumpfile *file);

#endif
