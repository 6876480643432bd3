/* SPDX-License-Identifier: MIT */
/*
 * text.h: text that nobody vouches for (names, paths, arguments) made fit for terminals, shells and
 * columns. Pure functions; they print nothing. Called by the outputs and commands.
 */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Text from a dump or a symbol table, safe for a terminal: control characters, bytes that are no
 * UTF-8, and characters that change the direction of writing become \xNN; so does all that is not
 * ASCII unless `utf8`. The caller frees.
 */
char *text_escape(const char *text, size_t length, bool utf8);

/* The same text with each byte that is no UTF-8 replaced by U+FFFD; the caller frees. */
char *text_valid(const char *text);

/* The same, and characters beyond ASCII that change the order or hide themselves become U+FFFD too.
 * The caller frees. */
char *text_harmless(const char *text);

/* A word for a shell: as it is, or in single quotes. The caller frees. */
char *text_shell(const char *word);

/* Columns that UTF-8 text takes on a terminal. */
size_t text_columns(const char *text);

/* Shortens text to at most `columns`, in the middle, where a mark then stands ("...", or one
 * character if `utf8`). The caller frees. */
char *text_fit(const char *text, size_t columns, bool utf8);

/* The same, but it is the begin that is left out: for paths. */
char *text_fit_end(const char *text, size_t columns, bool utf8);

/* The begin of the text that fits into `columns`, without a mark. The caller frees. */
char *text_cut(const char *text, size_t columns);

#endif
