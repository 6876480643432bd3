/* SPDX-License-Identifier: MIT */
/*
 * census.h: what the processes of a run tell of themselves (struct dump_census), by a file that is
 * made for it and named to them. They append to it and never wait for anybody; it is read when the
 * run is over. Prints nothing. Called by unseen.c.
 */
#ifndef CLI_CENSUS_H
#define CLI_CENSUS_H

#include "preload/dump_format.h"

#include <stddef.h>

/* Makes the file; the caller frees its path. NULL: it could not be made. */
char *census_make(void);

/* Its last record of each process; the caller frees. NULL with *count 0 if there is none. */
struct dump_census *census_read(const char *path, size_t *count);

#endif
