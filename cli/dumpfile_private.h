/* SPDX-License-Identifier: MIT */
/*
 * dumpfile_private.h: what the files of dumpfile share and nobody else sees.
 */
#ifndef CLI_DUMPFILE_PRIVATE_H
#define CLI_DUMPFILE_PRIVATE_H

#include "cli/dumpfile.h"
#include "cli/dumpfile_source.h"

/* Reads what the source has into *file, of which only the path is set. -1: it cannot be used,
 * file->message says why. The source stays the caller's. */
int dumpfile_load(struct dumpfile *file, struct dumpfile_source *source);

#endif
