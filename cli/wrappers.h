/* SPDX-License-Identifier: MIT */
/*
 * wrappers.h: which functions only pass an allocation on, so that their caller is the one to name.
 * One table of names; knows no dump. Called by the model.
 */
#ifndef CLI_WRAPPERS_H
#define CLI_WRAPPERS_H

#include <stdbool.h>

/* `function`: a demangled name without parameters. False for NULL: a name that is not known may be
 * anything. */
bool wrappers_has(const char *function);

#endif
