/* SPDX-License-Identifier: MIT */
#include "cli/out_html_data.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS_MOST   50
#define THREADS_MOST 60
#define WORST_MOST   16
#define CHANGES_MOST 200 /* sites of a comparison */
#define NAME_MOST    200 /* bytes of a name in a line of a stack */

#define COMPACT (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17))

static char *dumped(const json_t *data)
{
    char *text = json_dumps(data, COMPACT | JSON_ENCODE_ANY);

    if (text == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    return text;
}

/* These can only stand in strings, where their numbers mean the same. Without '<' there is no
 * "</script>" and no "<!--"; jansson leaves DEL as it is. */
static bool is_numbered(char c)
{
    return c == '<' || c == '\x7f';
}

#define NUMBERED 6 /* characters of such a number: "\\u003c" */

char *out_html_text(const json_t *data)
{
    char *text = dumped(data);
    size_t length = 0;

    for (const char *at = text; *at != '\0'; at++)
        length += is_numbered(*at) ? NUMBERED : 1;
    char *safe = xmalloc(length + 1);
    char *end = safe;
    for (const char *at = text; *at != '\0'; at++) {
        if (is_numbered(*at))
            end += snprintf(end, NUMBERED + 1, "\\u%04x", (unsigned)*at);
        else
            *end++ = *at;
    }
    *end = '\0';
    free(text);
    return safe;
}

static bool is_nothing(const json_t *value)
{
    return json_is_null(value) || json_is_false(value) ||
           (json_is_integer(value) && json_integer_value(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0);
}

void out_html_drop_nothings(json_t *data)
{
    const char *key;
    json_t *value;
    void *next;
    size_t i;

    json_array_foreach(data, i, value) out_html_drop_nothings(value);
    json_object_foreach_safe(data, next, key, value)
    {
        out_html_drop_nothings(value);
        if (is_nothing(value))
            json_object_del(data, key);
    }
}

/* [{a: 1, b: 2}, {a: 3, b: 4}] becomes {a: [1, 3], b: [2, 4]}. */
static json_t *columns_of(const json_t *rows)
{
    json_t *columns = json_object();
    json_t *row, *value;
    const char *key;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        json_object_foreach(row, key, value)
        {
            json_t *column = json_object_get(columns, key);
            if (column == NULL) {
                column = json_array();
                out_json_set(columns, key, column);
            }
            json_array_append(column, value);
        }
    }
    return columns;
}

static void set_columns(json_t *object, const char *key)
{
    out_json_set(object, key, columns_of(json_object_get(object, key)));
}

/* Cuts a list, and says under `left` how many items went. */
static void cut(json_t *object, const char *key, size_t most, const char *left)
{
    json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list);

    while (json_array_size(list) > most)
        json_array_remove(list, json_array_size(list) - 1);
    if (count > most)
        out_json_set_number(object, left, count - most);
}

/* --- lines of stacks ------------------------------------------------------------------------ */

struct out_html_lines out_html_lines_new(void)
{
    return (struct out_html_lines){.list = json_array(), .numbers = json_object()};
}

json_t *out_html_lines_add(struct out_html_lines *lines, json_t *line)
{
    char *text = out_html_text(line);
    json_t *number = json_object_get(lines->numbers, text);

    if (number == NULL) {
        number = json_integer((json_int_t)json_array_size(lines->list));
        out_json_set(lines->numbers, text, number);
        json_array_append(lines->list, line);
        lines->size += strlen(text) + 1;
    }
    free(text);
    json_decref(line);
    return json_incref(number);
}

static void cut_name(json_t *line, const char *key)
{
    const char *name = json_string_value(json_object_get(line, key));

    if (name == NULL || strlen(name) <= NAME_MOST)
        return;
    char *fitted = text_fit(name, NAME_MOST, true);
    char *valid = text_valid(fitted);
    out_json_set(line, key, json_string(valid));
    free(valid);
    free(fitted);
}

/* Return addresses in one source line are one line. */
json_t *out_html_shorten(void *data, json_t *line)
{
    const char *function = json_string_value(json_object_get(line, "function"));
    const char *signature = json_string_value(json_object_get(line, "signature"));

    json_object_del(line, "build_id");
    if (function != NULL)
        json_object_del(line, "offset");
    if (function != NULL && signature != NULL && strcmp(function, signature) == 0)
        json_object_del(line, "signature");
    cut_name(line, "function");
    cut_name(line, "signature");
    cut_name(line, "file");
    cut_name(line, "module");
    out_html_drop_nothings(line);
    return out_html_lines_add(data, line);
}

/* --- a run ---------------------------------------------------------------------------------- */

/* What a command prints with --json. */
static json_t *captured(void (*print)(const struct out_request *),
                        const struct out_request *request)
{
    struct out_request inner = *request;
    char *text = NULL;
    size_t size = 0;

    inner.term.out = open_memstream(&text, &size);
    if (inner.term.out == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    print(&inner);
    fclose(inner.term.out);
    json_t *data = json_loadb(text, size, 0, NULL);
    free(text);
    return data != NULL ? data : json_object();
}

static void set_series(json_t *polls, const char *key)
{
    json_t *series = json_object_get(polls, key);
    const char *name;
    json_t *histogram;

    json_object_foreach(series, name, histogram) set_columns(histogram, "buckets");
}

json_t *out_html_run(const struct out_request *request, struct out_html_lines *lines)
{
    struct out_request whole = *request;
    json_t *run = json_object();

    whole.shorten = out_html_shorten;
    whole.shorten_data = lines;
    whole.limit = 0;
    json_t *report = captured(out_json.report, &whole);
    whole.limit = WORST_MOST;
    json_t *polls = captured(out_json.polls, &whole);

    json_object_del(report, "top_sites");
    cut(report, "loops", LOOPS_MOST, "loops_left_out");
    cut(report, "threads", THREADS_MOST, "threads_left_out");
    cut(json_object_get(report, "program"), "arguments", 64, "arguments_left_out");
    json_t *of_report[] = {json_object_get(report, "loops"), json_object_get(report, "threads")};
    for (size_t i = 0; i < sizeof of_report / sizeof of_report[0]; i++)
        out_html_drop_nothings(of_report[i]);

    static const char *const known[] = {"schema",  "allocreport", "dump",
                                        "program", "loop",        "loops"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        json_object_del(polls, known[i]);
    set_series(polls, "all");
    set_series(polls, "steady");
    set_columns(polls, "timeline");
    out_html_drop_nothings(json_object_get(polls, "worst"));
    out_html_drop_nothings(json_object_get(polls, "worst_steady"));

    out_json_set(run, "report", report);
    out_json_set(run, "polls", polls);
    return run;
}

/* --- a comparison --------------------------------------------------------------------------- */

static json_t *captured_compare(const struct out_compare *compare)
{
    struct out_compare inner = *compare;
    char *text = NULL;
    size_t size = 0;

    inner.limit = CHANGES_MOST;
    inner.same = false;
    inner.term.out = open_memstream(&text, &size);
    if (inner.term.out == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    out_json.compare(&inner);
    fclose(inner.term.out);
    json_t *data = json_loadb(text, size, 0, NULL);
    free(text);
    return data != NULL ? data : json_object();
}

json_t *out_html_compare(const struct out_compare *compare)
{
    if (compare == NULL)
        return json_null();

    json_t *data = captured_compare(compare);
    struct out_html_lines lines = out_html_lines_new();
    json_t *site;
    size_t i;

    json_array_foreach(json_object_get(data, "sites"), i, site)
    {
        json_t *stack = json_object_get(site, "stack");
        for (size_t k = 0; k < json_array_size(stack); k++) {
            json_t *line = json_deep_copy(json_array_get(stack, k));
            cut_name(line, "function");
            cut_name(line, "module");
            json_array_set_new(stack, k, out_html_lines_add(&lines, line));
        }
    }
    out_json_set(data, "lines", json_incref(lines.list));
    json_decref(lines.list);
    json_decref(lines.numbers);
    return data;
}
