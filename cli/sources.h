/* SPDX-License-Identifier: MIT */
/*
 * sources.h: finds the source files that debugging information names, and reads them line by line.
 * Trusts no path: only regular files are opened, and at most SOURCES_MOST bytes of one are read.
 * Prints nothing; knows no dump. Called by annotate and what prints it.
 */
#ifndef CLI_SOURCES_H
#define CLI_SOURCES_H

#include <stddef.h>
#include <stdint.h>

#define SOURCES_MOST (16u << 20) /* no source that people read is longer */

struct sources;

/* `directories`: searched in turn, with ':' between them; NULL or "": none. */
struct sources *sources_new(const char *directories);
void sources_free(struct sources *sources);

/* Where the file is: the path itself if it is absolute and there, else below a directory, with as
 * many of its last parts as are found there. NULL: not at hand. Lives as long as `sources`. */
const char *sources_find(struct sources *sources, const char *path);

struct source {
    char *text;
    size_t count;
    char **lines; /* without their ends, NUL-terminated; the first one is line 1 */
};

/* Lines are none where it cannot be read. source_free frees them. */
struct source source_read(const char *path);
void source_free(struct source *source);

/* The line with that number, from 1 on; NULL: it has no such line. */
const char *source_line(const struct source *source, uint32_t number);

#endif
