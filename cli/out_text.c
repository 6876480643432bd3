/* SPDX-License-Identifier: MIT */
#include "cli/out_text.h"

#include "cli/errors.h"
#include "cli/rows.h"
#include "cli/table.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct out_format out_text = {
    .report = out_text_report,
    .sites = out_text_sites,
    .polls = out_text_polls,
    .info = out_text_info,
    .compare = out_text_compare,
    .fallback = out_text_fallback,
    .patches = out_text_patches,
};

static __attribute__((format(printf, 1, 0))) char *format_all(const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    return text != NULL ? text : xstrdup("");
}

struct cursor {
    const struct term *term;
    size_t at, indent;
    bool fresh; /* nothing stands on the line yet */
};

static void next_line(struct cursor *cursor)
{
    fprintf(cursor->term->out, "\n%*s", (int)cursor->indent, "");
    cursor->at = cursor->indent;
    cursor->fresh = true;
}

static void put_word(struct cursor *cursor, const char *word)
{
    size_t columns = text_columns(word);

    if (!cursor->fresh && cursor->at + 1 + columns > cursor->term->columns)
        next_line(cursor);
    fprintf(cursor->term->out, "%s%s", cursor->fresh ? "" : " ", word);
    cursor->at += columns + !cursor->fresh;
    cursor->fresh = false;
}

/* Prints from column `at` on, further lines from column `indent` on. Lines break between words;
 * rather behind a semicolon, where what follows fits in a line. Frees the text. */
static void print_wrapped(const struct term *term, char *text, size_t at, size_t indent)
{
    struct cursor cursor = {term, at, indent, true};

    for (char *part = text; part != NULL;) {
        char *end = strstr(part, "; ");
        if (end != NULL)
            end[1] = '\0';
        size_t columns = text_columns(part);
        if (!cursor.fresh && cursor.at + 1 + columns > term->columns &&
            indent + columns <= term->columns)
            next_line(&cursor);
        for (char *word = strtok(part, " "); word != NULL; word = strtok(NULL, " "))
            put_word(&cursor, word);
        part = end != NULL ? end + 2 : NULL;
    }
    free(text);
}

void out_text_line(const struct term *term, const char *label, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = format_all(format, arguments);
    va_end(arguments);
    fprintf(term->out, "%-*s", OUT_TEXT_LABEL, label);
    print_wrapped(term, text, OUT_TEXT_LABEL, OUT_TEXT_LABEL);
    fputc('\n', term->out);
}

void out_text_say(const struct term *term, enum term_style style, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = format_all(format, arguments);
    va_end(arguments);
    fputs(term_on(term, style), term->out);
    print_wrapped(term, text, 0, 2);
    fprintf(term->out, "%s\n", term_off(term, style));
}

char *out_text_safe(const struct term *term, const char *text)
{
    return text_escape(text, strlen(text), term->utf8);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Every stack has these outermost: they tell nothing. */
static bool is_root(const char *function)
{
    static const char *const roots[] = {"main",   "_start",    "start_thread", "clone",
                                        "clone3", "call_init", "_dl_init"};

    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (strcmp(function, roots[i]) == 0)
            return true;
    return strncmp(function, "__libc_start", strlen("__libc_start")) == 0;
}

/* The innermost function of the stack outside `from` that has a name, or NULL. */
static char *named_caller(const struct out_request *request, const struct model_stack *stack,
                          const struct model_frame *from)
{
    size_t count;
    struct model_line *lines = model_lines(request->model, stack, &count);
    char *name = NULL;
    bool outside = false;

    for (size_t i = 0; i < count && name == NULL; i++) {
        outside = outside || lines[i].frame == from;
        if (outside && lines[i].function != NULL && !is_root(lines[i].function))
            name = xstrdup(lines[i].function);
    }
    free(lines);
    return name;
}

char *out_text_name(const struct out_request *request, const struct model_stack *stack)
{
    struct model_line line;

    if (!model_name(request->model, stack, &line))
        return xstrdup("(no stack)");

    char *name = model_line_text(&line);
    char *caller = line.function == NULL ? named_caller(request, stack, line.frame) : NULL;
    char *whole;
    if (caller != NULL)
        whole = xasprintf("%s >\t%s", caller, name);
    else if (line.function != NULL && line.file != NULL && line.line > 0)
        whole = xasprintf("%s\t%s:%" PRIu32, name, last_part(line.file), line.line);
    else if (line.function != NULL && line.module != NULL)
        whole = xasprintf("%s\t[%s]", name, line.module->name);
    else
        whole = xstrdup(name);

    char *tab = strchr(whole, '\t');
    char *safe = tab == NULL ? out_text_safe(&request->term, whole) : NULL;
    if (tab != NULL) {
        *tab = '\0';
        char *front = out_text_safe(&request->term, whole);
        char *back = out_text_safe(&request->term, tab + 1);
        safe = xasprintf("%s\t%s", front, back);
        free(front);
        free(back);
    }
    free(whole);
    free(caller);
    free(name);
    return safe;
}

char *out_text_function(const struct out_request *request, const struct model_stack *stack)
{
    char *name = out_text_name(request, stack);
    char *tab = strchr(name, '\t');

    if (tab != NULL)
        *tab = tab > name && tab[-1] == '>' ? ' ' : '\0';
    return name;
}

char *out_text_site(const struct out_request *request, const struct model_site *site)
{
    static const char *const marks[] = {
        [MODEL_IN_POLL] = "in poll: ", [MODEL_BETWEEN] = "", [MODEL_OTHER] = "other: "};
    char *name = out_text_name(request, site->stack);
    char *whole = xasprintf("%s%s", marks[rows_place(request->model, site)], name);

    free(name);
    return whole;
}

struct shown out_text_bytes(struct stats_range range)
{
    if (range.most == 0)
        return (struct shown){"0"};
    if (range.least == range.most)
        return format_around("", format_count(range.least).text, " B");
    return format_around("~", format_bytes(range.least).text, "");
}

struct shown out_text_percent(uint64_t part, uint64_t n)
{
    struct shown shown = {"0 %"};

    if (n == 0 || part == 0)
        return shown;
    double percent = 100.0 * (double)part / (double)n;
    if (part < n && percent > 99)
        percent = 99;
    if (percent < 1)
        percent = 1;
    snprintf(shown.text, sizeof shown.text, "%.0f %%", percent);
    return shown;
}

struct shown out_text_time(struct stats_range range)
{
    return format_duration(range.least);
}

char *out_text_command(const struct out_request *request, const char *command)
{
    char *path = text_shell(request->model->path);
    char *safe = out_text_safe(&request->term, path);
    char *whole = xasprintf("allocreport %s %s", command, safe);

    free(safe);
    free(path);
    return whole;
}

void out_text_warnings(const struct out_request *request, size_t most)
{
    const struct model *model = request->model;
    size_t left = most;

    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++) {
        const char *text = model_loss_text(i);
        if (model->loss[i] == 0 || left == 0)
            continue;
        out_text_line(&request->term, "lost", "%s %s", format_count(model->loss[i]).text,
                      text != NULL ? text : "of a kind that this reader does not know");
        left--;
    }
    for (size_t i = 0; i < model->note_count; i++) {
        if (!model->notes[i].bad || left == 0)
            continue;
        char *safe = out_text_safe(&request->term, model->notes[i].text);
        out_text_line(&request->term, "note", "%s", safe);
        free(safe);
        left--;
    }
}

/* A loop that stands for many stacks is named after its call, if it has even that. */
static char *loop_name(const struct out_request *request, const struct model_loop *loop)
{
    char *name = out_text_name(request, loop->stack);

    if (!model_loop_is_shared(loop))
        return name;
    char *whole =
        loop->stack->count > 0 ? xasprintf("other stacks: %s", name) : xstrdup("other calls");
    free(name);
    return whole;
}

void out_text_loops(const struct out_request *request, size_t most)
{
    const struct model *model = request->model;
    size_t shown = model->loop_count < most ? model->loop_count : most;
    char head[160];
    const struct table_column columns[] = {
        {"loop", TABLE_LEFT},     {"polls", TABLE_RIGHT},    {"bytes/poll", TABLE_RIGHT},
        {"polls/s", TABLE_RIGHT}, {"allocate", TABLE_RIGHT}, {head, TABLE_NAME},
    };
    struct table *table = table_new(columns, 6, 0);

    snprintf(head, sizeof head, "where it polls (%s of %s)", format_count(shown).text,
             format_count(model->loop_count).text);
    for (size_t i = 0; i < shown; i++) {
        const struct model_loop *loop = &model->loops[i];
        char *name = loop_name(request, loop);
        table_cell(table, format_count(loop->id).text);
        table_cell(table, format_count(loop->polls).text);
        table_cell(table, format_cell(model_bytes_per_poll(&loop->rate)).text);
        table_cell(table, format_cell(model_polls_per_second(&loop->rate)).text);
        table_cell(table, format_percent(loop->allocating_windows, loop->polls).text);
        table_cell(table, name);
        free(name);
    }
    table_print(table, &request->term);
}
