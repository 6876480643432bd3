/* SPDX-License-Identifier: MIT */
/*
 * demangle.h: names of C++, Rust and D as their programmers wrote them. The only user of libiberty.
 * Called by symbols.
 */
#ifndef CLI_DEMANGLE_H
#define CLI_DEMANGLE_H

/* The whole name with its parameters; NULL: it is not mangled. The caller frees. */
char *demangle_full(const char *name);

/* The name without parameters and return type; NULL: it is not mangled. The caller frees. */
char *demangle_short(const char *name);

#endif
