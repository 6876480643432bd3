/* SPDX-License-Identifier: MIT */
/*
 * Collapsed stacks, as FlameGraph's scripts and most viewers read them: a line for each stack, its
 * functions from the outermost on with ';' between them, a space, a number. Sorted, equal stacks
 * once.
 */
#include "cli/errors.h"
#include "cli/export.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *stack;
    uint64_t value;
};

/* A ';' in a name would be two functions. */
static char *frame_text(const char *name)
{
    char *text = text_escape(name, strlen(name), true);

    for (char *at = text; *at != '\0'; at++)
        if (*at == ';')
            *at = ',';
    return text;
}

static void append(FILE *stream, const char *name, bool first)
{
    char *text = frame_text(name);

    fprintf(stream, "%s%s", first ? "" : ";", text);
    free(text);
}

static char *stack_text(struct model *model, const struct model_stack *stack)
{
    const char *cut = export_cut(stack);
    size_t count, size;
    char *text = NULL;
    struct model_line *lines = model_lines(model, stack, &count);
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    if (cut != NULL)
        append(stream, cut, true);
    for (size_t i = count; i > 0; i--) {
        char *name = model_line_text(&lines[i - 1]);
        append(stream, name, i == count && cut == NULL);
        free(name);
    }
    fclose(stream);
    free(lines);
    return text;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->stack, ((const struct line *)b)->stack);
}

static void write_collapsed(struct export_request *request)
{
    struct line *lines = xcalloc(request->count + 1, sizeof *lines);
    size_t used = 0;

    for (size_t i = 0; i < request->count; i++) {
        int64_t value = export_value_of(&request->sites[i], request->value);
        request->left_out += value < 0;
        if (value > 0)
            lines[used++] =
                (struct line){stack_text(request->base.model, request->sites[i].row.site->stack),
                              (uint64_t)value};
    }
    if (used > 0)
        qsort(lines, used, sizeof *lines, compare);
    for (size_t i = 0; i < used; i++) {
        if (i + 1 < used && compare(&lines[i], &lines[i + 1]) == 0)
            lines[i + 1].value += lines[i].value;
        else
            fprintf(request->base.term.out, "%s %" PRIu64 "\n", lines[i].stack, lines[i].value);
    }
    for (size_t i = 0; i < used; i++)
        free(lines[i].stack);
    free(lines);
}

const struct export_format export_collapsed = {
    .name = "collapsed",
    .summary = "a line for each stack",
    .one_value = true,
    .write = write_collapsed,
};
