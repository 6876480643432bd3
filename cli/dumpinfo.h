/* SPDX-License-Identifier: MIT */
/*
 * dumpinfo.h: single facts of a dump, for those who need no model of it. Prints nothing. Called by
 * settle and livefind.
 */
#ifndef CLI_DUMPINFO_H
#define CLI_DUMPINFO_H

#include "cli/dumpfile.h"

#include <stdint.h>

/* The text of the last INFO record of that key (enum dump_info_key), up to its first NUL; NULL:
 * there is none. The caller frees. */
char *dumpinfo_text(const struct dumpfile *file, uint16_t key);

#endif
