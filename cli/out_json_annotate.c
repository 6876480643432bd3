/* SPDX-License-Identifier: MIT */
/* JSON of `sites --annotate`. */
#include "cli/annotate.h"
#include "cli/out_json.h"

static void set_amount(json_t *object, const struct annotate *annotate,
                       const struct annotate_amount *amount)
{
    out_json_set_number(object, "sites", amount->sites);
    out_json_set_number(object, "bytes", amount->bytes);
    out_json_set_number(object, "steady_bytes", amount->steady);
    out_json_set(object, "steady_bytes_per_unit",
                 json_real(annotate_per_unit(annotate, amount->steady)));
}

static json_t *amount_of(const struct annotate *annotate, const struct annotate_amount *amount)
{
    json_t *object = json_object();

    set_amount(object, annotate, amount);
    return object;
}

static json_t *line_of(const struct annotate *annotate, const struct annotate_line *line,
                       const char *text)
{
    json_t *object = json_object();

    out_json_set(object, "line", json_integer(line->line));
    out_json_set(object, "function", out_json_text(line->function));
    out_json_set(object, "source", out_json_text(text));
    set_amount(object, annotate, &line->own);
    out_json_set(object, "through", amount_of(annotate, &line->through));
    return object;
}

static json_t *file_of(const struct annotate *annotate, const struct annotate_file *file)
{
    json_t *object = json_object();
    json_t *lines = json_array();
    struct source source = {0};

    if (file->found != NULL)
        source = source_read(file->found);
    out_json_set(object, "file", out_json_text(file->file));
    out_json_set(object, "found", out_json_text(file->found));
    out_json_set(object, "newer_than_program", json_boolean(file->newer));
    set_amount(object, annotate, &file->own);
    for (size_t i = 0; i < file->count; i++) {
        const struct annotate_line *line = &annotate->lines[file->first + i];
        json_array_append_new(lines, line_of(annotate, line, source_line(&source, line->line)));
    }
    out_json_set(object, "lines", lines);
    source_free(&source);
    return object;
}

void out_json_annotate(const struct out_request *request, const struct annotate *annotate)
{
    json_t *whole = out_json_head(request);
    json_t *files = json_array();

    out_json_set(whole, "unit", json_string(annotate->unit));
    out_json_set_number(whole, "units", annotate->units);
    out_json_set(whole, "all", amount_of(annotate, &annotate->all));
    out_json_set(whole, "without_line", amount_of(annotate, &annotate->unplaced));
    for (size_t i = 0; i < annotate->file_count; i++)
        json_array_append_new(files, file_of(annotate, &annotate->files[i]));
    out_json_set(whole, "files", files);
    out_json_print(request->term.out, whole);
}
