/* SPDX-License-Identifier: MIT */
/*
 * outfile.h: the file that a command writes its result to, instead of standard output. Called by
 * the commands.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <stdio.h>

/* Opens it for writing, a file that exists anew; standard output for NULL and "-". Never the file
 * `dump`: it may be a running program's memory. NULL: printed why not. */
FILE *outfile_open(const char *path, const char *dump);

/* -1, having printed it, if `path` is the file `dump`; outfile_open asks it for one dump. */
int outfile_check(const char *path, const char *dump);

/* Closes it; what was written to standard output is for main to check. -1: not all of it arrived,
 * printed why. */
int outfile_close(FILE *out, const char *path);

#endif
