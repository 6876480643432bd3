/* SPDX-License-Identifier: MIT */
/*
 * glob.h: patterns of sites: `module!function` globs (without `module!`: of any module), callers in
 * front: `caller > site` is called directly by it, `caller >> site` at any depth. No offsets, no
 * lines: a pattern means the same in a rebuilt program. Pure functions; they print nothing. Called
 * by the budgets and the verdict.
 */
#ifndef CLI_GLOB_H
#define CLI_GLOB_H

#include <stdbool.h>
#include <stddef.h>

struct glob;

/* A line of a stack: the name of its module's file ("" if not known) and its function, or
 * "module+0xoffset" where that has no name. */
struct glob_line {
    const char *module;
    const char *function;
};

/* NULL: it is no pattern, and *why (the caller frees) says what is wrong with it. */
struct glob *glob_parse(const char *text, char **why);
void glob_free(struct glob *glob); /* NULL is fine */

/* Whether the stack's lines, innermost first, match. lines[site] is the one that names the site:
 * the pattern's last part must match it, or one of those inside it (they are wrappers of
 * allocators). */
bool glob_matches(const struct glob *glob, const struct glob_line *lines, size_t count,
                  size_t site);

/* The globs of modules that the pattern names, the i-th, or NULL behind the last. */
const char *glob_module(const struct glob *glob, size_t i);

#endif
