/* SPDX-License-Identifier: MIT */
/*
 * table.h: rows of text set in aligned columns that fit the terminal. Knows nothing of what the
 * cells say. Called by the text outputs.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/term.h"

#include <stddef.h>

#define TABLE_COLUMNS 12

enum table_align {
    TABLE_LEFT,
    TABLE_RIGHT,
    /* Left, and shortened when the line would be too long; at most one such column in a table. */
    TABLE_NAME, /* first what follows a tab is left out, then something in the middle */
    TABLE_PATH  /* its begin is left out */
};

struct table_column {
    const char *head;
    enum table_align align;
};

struct table;

/* `columns` must outlive the table. `indent`: spaces in front of each line. */
struct table *table_new(const struct table_column *columns, size_t count, unsigned indent);

/* Puts a copy of `text` in the next cell; rows fill from the left, one after the other. A tab in it
 * stands for two spaces. */
void table_cell(struct table *table, const char *text);

/* Prints the heads, if any has one, and all rows; frees the table. A column that is empty in every
 * row is left out. */
void table_print(struct table *table, const struct term *term);

#endif
