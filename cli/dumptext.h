/* SPDX-License-Identifier: MIT */
/*
 * dumptext.h: every record of a dump as text, field by field, as the layout names them. It
 * interprets nothing. Called by cmd_dump; sees dumpfile alone, never the model.
 *
 * A line for each chunk and each record, indented lines for the structs inside a record; values
 * follow their names and '='. The same dump gives the same bytes, in every locale.
 */
#ifndef CLI_DUMPTEXT_H
#define CLI_DUMPTEXT_H

#include "cli/dumpfile.h"

#include <stdio.h>

void dumptext_print(FILE *out, const struct dumpfile *file);

#endif
