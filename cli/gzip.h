/* SPDX-License-Identifier: MIT */
/*
 * gzip.h: writes bytes compressed as a gzip file without name and time, so that the same bytes make
 * the same file. The only user of zlib but for its version. Called by export_pprof.
 */
#ifndef CLI_GZIP_H
#define CLI_GZIP_H

#include <stddef.h>
#include <stdio.h>

/* Whether it was written is for ferror(out) to tell. */
void gzip_write(FILE *out, const void *bytes, size_t size);

#endif
