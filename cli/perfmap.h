/* SPDX-License-Identifier: MIT */
/*
 * perfmap.h: /tmp/perf-PID.map, in which programs that make code as they run tell where what is.
 * Read once, when first asked. Called by symbols.
 */
#ifndef CLI_PERFMAP_H
#define CLI_PERFMAP_H

#include <stdint.h>

struct perfmap;

/* Reads the map at `path`. NULL: there is none, or it names nothing. */
struct perfmap *perfmap_open(const char *path);
void perfmap_close(struct perfmap *map); /* NULL is fine */

/* The name of what is at the address, the map's; NULL: not known. */
const char *perfmap_find(struct perfmap *map, uint64_t address);

#endif
