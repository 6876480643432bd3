/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GAP        2  /* spaces between columns */
#define FLEX_LEAST 16 /* columns that the flexible one keeps however narrow the terminal is */

struct table {
    const struct table_column *columns;
    size_t count;
    unsigned indent;
    char **cells;
    size_t used, room;
    size_t width[TABLE_COLUMNS];
    bool empty[TABLE_COLUMNS];
};

struct table *table_new(const struct table_column *columns, size_t count, unsigned indent)
{
    struct table *table = xcalloc(1, sizeof *table);

    table->columns = columns;
    table->count = count < TABLE_COLUMNS ? count : TABLE_COLUMNS;
    table->indent = indent;
    return table;
}

void table_cell(struct table *table, const char *text)
{
    if (table->used == table->room) {
        table->room = table->room * 2 + 64;
        table->cells = xreallocarray(table->cells, table->room, sizeof *table->cells);
    }
    table->cells[table->used++] = xstrdup(text);
}

/* The columns of a cell; a tab is two. */
static size_t cell_columns(const char *text)
{
    return text_columns(text) + (strchr(text, '\t') != NULL);
}

static bool is_flexible(const struct table_column *column)
{
    return column->align == TABLE_NAME || column->align == TABLE_PATH;
}

/* The text of a cell as it is printed; the caller frees. */
static char *cell_text(const struct table_column *column, const char *cell, size_t width,
                       const struct term *term)
{
    const char *tab = strchr(cell, '\t');
    size_t columns = cell_columns(cell);
    int head = tab != NULL ? (int)(tab - cell) : 0;

    if (tab != NULL && (columns <= width || !is_flexible(column)))
        return xasprintf("%.*s  %s", head, cell, tab + 1);
    if (columns <= width || !is_flexible(column))
        return xstrdup(cell);
    if (column->align == TABLE_PATH)
        return text_fit_end(cell, width, term->utf8);
    char *name = tab != NULL ? xasprintf("%.*s", head, cell) : xstrdup(cell);
    char *fitted = text_fit(name, width, term->utf8);
    free(name);
    return fitted;
}

static void measure(struct table *table, const struct term *term)
{
    size_t all = table->indent;
    size_t flex = table->count;

    for (size_t c = 0; c < table->count; c++) {
        table->empty[c] = true;
        table->width[c] = text_columns(table->columns[c].head);
        for (size_t i = c; i < table->used; i += table->count) {
            size_t columns = cell_columns(table->cells[i]);
            if (columns > 0)
                table->empty[c] = false;
            if (columns > table->width[c])
                table->width[c] = columns;
        }
        if (table->empty[c])
            continue;
        if (is_flexible(&table->columns[c]))
            flex = c;
        all += table->width[c] + GAP;
    }

    all = all > GAP ? all - GAP : 0;
    if (all > term->columns && flex < table->count) {
        size_t over = all - term->columns;
        size_t width = table->width[flex];
        table->width[flex] = width > over + FLEX_LEAST ? width - over : FLEX_LEAST;
    }
}

static void print_line(const struct table *table, const struct term *term, char *const *cells)
{
    size_t behind = table->indent; /* spaces owed: none stand at the end of a line */

    for (size_t c = 0; c < table->count; c++) {
        const struct table_column *column = &table->columns[c];
        const char *cell = cells != NULL ? cells[c] : column->head;

        if (table->empty[c])
            continue;
        char *text = cells != NULL ? cell_text(column, cell, table->width[c], term) : xstrdup(cell);
        size_t columns = text_columns(text);
        size_t pad = table->width[c] > columns ? table->width[c] - columns : 0;
        if (column->align == TABLE_RIGHT)
            behind += pad;
        if (columns > 0) {
            fprintf(term->out, "%*s%s", (int)behind, "", text);
            behind = 0;
        }
        behind += GAP + (column->align == TABLE_RIGHT ? 0 : pad);
        free(text);
    }
    fputc('\n', term->out);
}

void table_print(struct table *table, const struct term *term)
{
    bool heads = false;

    measure(table, term);
    for (size_t c = 0; c < table->count; c++)
        heads = heads || (!table->empty[c] && *table->columns[c].head != '\0');
    if (heads) {
        fputs(term_on(term, TERM_DIM), term->out);
        print_line(table, term, NULL);
        fputs(term_off(term, TERM_DIM), term->out);
    }
    for (size_t i = 0; i + table->count <= table->used; i += table->count)
        print_line(table, term, table->cells + i);
    for (size_t i = 0; i < table->used; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
}
