/* SPDX-License-Identifier: MIT */
/*
 * demangle.h: names of C++, Rust and D as their programmers wrote them. The only user of libiberty.
 * Called by symbols.
 */
#ifndef CLI_DEMANGLE_H
#define CLI_DEMANGLE_H

#include <stddef.h>

/* The whole name with its parameters; NULL: it is not mangled. The caller frees. */
char *demangle_full(const char *name);

/* The name without parameters and return type; NULL: it is not mangled. The caller frees. */
char *demangle_short(const char *name);

/* For libiberty alone, whose own one would bring a second xmalloc with it. */
void *xrealloc(void *block, size_t size);

#endif
