/* SPDX-License-Identifier: MIT */
/*
 * strings.h: a table of distinct texts, numbered in the order in which they came, as formats want
 * them that name each text once. Prints nothing. Called by the exports.
 */
#ifndef CLI_STRINGS_H
#define CLI_STRINGS_H

#include <stddef.h>

struct strings;

struct strings *strings_new(void); /* empty */
void strings_free(struct strings *strings);

/* The number of the text, counted from 0; keeps a copy of a new one. */
size_t strings_add(struct strings *strings, const char *text);

size_t strings_count(const struct strings *strings);
const char *strings_text(const struct strings *strings, size_t number); /* until strings_free */

#endif
