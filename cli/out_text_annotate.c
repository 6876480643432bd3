/* SPDX-License-Identifier: MIT */
/* Source lines with what they allocate beside them. */
#include "cli/annotate.h"
#include "cli/errors.h"
#include "cli/out_text.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT 2 /* lines shown around one that allocates */
#define TAB     8

/* Safe to print, with spaces for tabs. */
static char *shown_text(const struct term *term, const char *text)
{
    char *spread = xmalloc(TAB * strlen(text) + 1);
    size_t used = 0;

    for (; *text != '\0'; text++) {
        if (*text != '\t') {
            spread[used++] = *text;
            continue;
        }
        do
            spread[used++] = ' ';
        while (used % TAB != 0);
    }
    spread[used] = '\0';
    char *safe = out_text_safe(term, spread);
    free(spread);
    return safe;
}

static void print_numbers(const struct term *term, const struct annotate *annotate,
                          const struct annotate_line *line)
{
    bool own = line->own.bytes > 0;

    fprintf(
        term->out, "%10s %10s %12s",
        own && annotate->units > 0 ? format_cell(annotate_per_unit(annotate, line->own.steady)).text
                                   : "",
        annotate->units > 0 ? format_cell(annotate_per_unit(annotate, line->through.steady)).text
                            : "",
        own ? format_count(line->own.bytes).text : "");
}

static void print_line(const struct term *term, const struct annotate *annotate,
                       const struct annotate_line *line, uint32_t number, const char *text)
{
    char *shown = shown_text(term, text);

    if (line != NULL)
        print_numbers(term, annotate, line);
    else
        fprintf(term->out, "%34s", "");
    fprintf(term->out, " %s%6" PRIu32 "  %s%s\n",
            term_on(term, line != NULL && line->own.bytes > 0 ? TERM_BOLD : TERM_PLAIN), number,
            shown, term_off(term, line != NULL && line->own.bytes > 0 ? TERM_BOLD : TERM_PLAIN));
    free(shown);
}

/* The lines that allocate, and some around each. */
static void print_source(const struct term *term, const struct annotate *annotate,
                         const struct annotate_file *file)
{
    struct source source = source_read(file->found);
    uint32_t next = 1;

    for (size_t i = 0; i < file->count; i++) {
        const struct annotate_line *line = &annotate->lines[file->first + i];
        const char *text = source_line(&source, line->line);
        uint32_t until =
            i + 1 < file->count ? annotate->lines[file->first + i + 1].line : UINT32_MAX;
        uint32_t from = line->line > CONTEXT ? line->line - CONTEXT : 1;
        if (from > next && i > 0)
            fprintf(term->out, "%34s    ...\n", "");
        for (uint32_t n = from > next ? from : next; n < line->line; n++)
            if (source_line(&source, n) != NULL)
                print_line(term, annotate, NULL, n, source_line(&source, n));
        print_line(term, annotate, line, line->line,
                   text != NULL ? text : "(the file has no such line)");
        next = line->line + 1;
        for (uint32_t end = next + CONTEXT; next < end && next < until; next++)
            if (source_line(&source, next) != NULL)
                print_line(term, annotate, NULL, next, source_line(&source, next));
    }
    source_free(&source);
}

static void print_names(const struct term *term, const struct annotate *annotate,
                        const struct annotate_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct annotate_line *line = &annotate->lines[file->first + i];
        char *text =
            xasprintf("(in %s)", line->function != NULL ? line->function : "a nameless function");
        print_line(term, annotate, line, line->line, text);
        free(text);
    }
}

static void print_file(const struct term *term, const struct annotate *annotate,
                       const struct annotate_file *file)
{
    char *safe = out_text_safe(term, file->found != NULL ? file->found : file->file);

    fprintf(term->out, "\n%s%s%s%s\n", term_on(term, TERM_HEAD), safe, term_off(term, TERM_HEAD),
            file->found == NULL ? ": not at hand; --source-path says where"
            : file->newer       ? ": newer than the program, lines may have moved"
                                : "");
    if (file->found != NULL)
        print_source(term, annotate, file);
    else
        print_names(term, annotate, file);
    free(safe);
}

void out_text_annotate(const struct out_request *request, const struct annotate *annotate)
{
    const struct term *term = &request->term;
    char *head = xasprintf("B/%s", annotate->unit);

    if (annotate->all.sites == 0) {
        out_text_say(term, TERM_PLAIN, "no site matches");
        free(head);
        return;
    }
    out_text_say(term, TERM_BOLD, "%s lines of %s sites: %s bytes",
                 format_count(annotate->known).text, format_count(annotate->all.sites).text,
                 format_count(annotate->all.bytes).text);
    if (annotate->units > 0)
        out_text_say(term, TERM_PLAIN, "steady phase: %s bytes in %s %ss, %s bytes per %s",
                     format_count(annotate->all.steady).text, format_count(annotate->units).text,
                     annotate->unit,
                     format_short(annotate_per_unit(annotate, annotate->all.steady)).text,
                     annotate->unit);
    if (annotate->line_count < annotate->known)
        out_text_say(term, TERM_PLAIN, "the first %s lines (--limit N, --all for more)",
                     format_count(annotate->line_count).text);
    fprintf(term->out, "\n%10s %10s %12s %6s\n", head, "through it", "bytes", "line");
    for (size_t i = 0; i < annotate->file_count; i++)
        print_file(term, annotate, &annotate->files[i]);
    if (annotate->unplaced.sites > 0) {
        fputc('\n', term->out);
        out_text_say(term, TERM_PLAIN,
                     "%s sites of %s bytes have no line: no debugging information is at hand",
                     format_count(annotate->unplaced.sites).text,
                     format_count(annotate->unplaced.bytes).text);
    }
    free(head);
}
