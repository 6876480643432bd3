/* SPDX-License-Identifier: MIT */
#include "cli/out_json.h"

#include "cli/blind.h"
#include "cli/errors.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

const struct out_format out_json = {
    .report = out_json_report,
    .sites = out_json_sites,
    .polls = out_json_polls,
    .info = out_json_info,
    .compare = out_json_compare,
    .fallback = out_json_fallback,
    .patches = out_json_patches,
};

json_t *out_json_number(uint64_t number)
{
    if (number <= INT64_MAX)
        return json_integer((json_int_t)number);

    char *digits = xasprintf("%llu", (unsigned long long)number);
    json_t *text = json_string(digits);
    free(digits);
    return text;
}

json_t *out_json_text(const char *text)
{
    if (text == NULL || *text == '\0')
        return json_null();

    char *valid = text_valid(text);
    json_t *string = json_string(valid);
    free(valid);
    return string;
}

void out_json_set(json_t *object, const char *key, json_t *value)
{
    if (value == NULL || json_object_set_new(object, key, value) != 0) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
}

void out_json_set_number(json_t *object, const char *key, uint64_t number)
{
    out_json_set(object, key, out_json_number(number));
}

/* a - b, held within what fits. */
static json_t *difference(uint64_t a, uint64_t b)
{
    if (a >= b)
        return out_json_number(a - b);
    return json_integer(b - a > INT64_MAX ? INT64_MIN : -(json_int_t)(b - a));
}

json_t *out_json_amount(const struct model_amount *amount)
{
    json_t *object = json_object();

    out_json_set_number(object, "bytes", amount->bytes);
    out_json_set_number(object, "allocations", amount->allocations);
    out_json_set_number(object, "reallocations", amount->reallocations);
    out_json_set_number(object, "frees", amount->frees);
    out_json_set_number(object, "freed_bytes", amount->freed_bytes);
    out_json_set(object, "live_bytes", difference(amount->bytes, amount->freed_bytes));
    out_json_set(object, "live_blocks", difference(amount->allocations, amount->frees));
    return object;
}

static json_t *frame_of(const struct model_line *line)
{
    json_t *frame = json_object();
    const struct model_module *module = line->module;
    const char *path = module == NULL ? NULL : *module->path != '\0' ? module->path : module->name;

    out_json_set(frame, "module", out_json_text(path));
    out_json_set(frame, "build_id", out_json_text(module != NULL ? module->build_id : NULL));
    out_json_set_number(frame, "offset", line->offset);
    out_json_set(frame, "function", out_json_text(line->function));
    out_json_set(frame, "signature", out_json_text(line->full));
    out_json_set(frame, "file", out_json_text(line->file));
    out_json_set(frame, "line", line->line > 0 ? json_integer(line->line) : json_null());
    out_json_set(frame, "inlined", json_boolean(line->inlined));
    return frame;
}

void out_json_set_stack(json_t *object, const struct out_request *request,
                        const struct model_stack *stack)
{
    json_t *frames = json_array();
    json_t *named = NULL;
    struct model_line name;
    size_t count;
    struct model_line *lines = model_lines(request->model, stack, &count);

    model_name(request->model, stack, &name);
    for (size_t i = 0; i < count; i++) {
        json_t *frame = frame_of(&lines[i]);
        if (named == NULL && lines[i].frame == name.frame && lines[i].function == name.function)
            named = json_integer((json_int_t)i);
        json_array_append_new(
            frames, request->shorten ? request->shorten(request->shorten_data, frame) : frame);
    }
    free(lines);
    out_json_set(object, "stack", frames);
    out_json_set(object, "named", named != NULL ? named : json_null());
}

json_t *out_json_histogram(const struct stats_histogram *histogram, bool buckets)
{
    static const struct {
        const char *name;
        double share;
    } quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}};
    json_t *object = json_object();

    out_json_set_number(object, "count", histogram->count);
    out_json_set_number(object, "sum", histogram->sum);
    out_json_set(object, "mean", json_real(stats_mean(histogram)));
    out_json_set_number(object, "least", histogram->count > 0 ? histogram->least : 0);
    out_json_set_number(object, "most", histogram->most);
    out_json_set_number(object, "zeros", stats_zeros(histogram));
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        struct stats_range range = stats_quantile(histogram, quantiles[i].share);
        json_t *bounds = json_array();
        json_array_append_new(bounds, out_json_number(range.least));
        json_array_append_new(bounds, out_json_number(range.most));
        out_json_set(object, quantiles[i].name, bounds);
    }
    if (!buckets)
        return object;

    json_t *list = json_array();
    for (unsigned b = 0; b < STATS_BUCKETS; b++) {
        if (histogram->bucket[b] == 0)
            continue;
        json_t *bucket = json_object();
        out_json_set_number(bucket, "least", stats_bucket_range(b).least);
        out_json_set_number(bucket, "most", stats_bucket_range(b).most);
        out_json_set_number(bucket, "count", histogram->bucket[b]);
        json_array_append_new(list, bucket);
    }
    out_json_set(object, "buckets", list);
    return object;
}

json_t *out_json_losses(const struct model *model)
{
    json_t *losses = json_object();

    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++) {
        const char *key = model_loss_key(i);
        char *other = xasprintf("kind_%u", i);
        if (key != NULL || model->loss[i] > 0)
            out_json_set_number(losses, key != NULL ? key : other, model->loss[i]);
        free(other);
    }
    return losses;
}

json_t *out_json_blind(unsigned number)
{
    const struct blind_words *words = blind_words(number);
    json_t *blind = words != NULL ? json_object() : json_null();

    if (words == NULL)
        return blind;
    out_json_set(blind, "code", json_string(words->code));
    out_json_set(blind, "reason", json_string(words->reason));
    out_json_set(blind, "advice", json_string(words->advice));
    return blind;
}

json_t *out_json_notes(const struct model *model)
{
    json_t *notes = json_array();

    for (size_t i = 0; i < model->note_count; i++) {
        json_t *note = json_object();
        out_json_set(note, "bad", json_boolean(model->notes[i].bad));
        out_json_set(note, "text", out_json_text(model->notes[i].text));
        json_array_append_new(notes, note);
    }
    return notes;
}

static json_t *program_of(const struct model *model)
{
    json_t *program = json_object();
    json_t *arguments = json_array();

    for (size_t i = 0; i < model->argument_count; i++) {
        char *valid = text_valid(model->arguments[i]);
        json_array_append_new(arguments, json_string(valid));
        free(valid);
    }
    out_json_set(program, "name", out_json_text(model->program_name));
    out_json_set(program, "path", out_json_text(model->program_path));
    out_json_set(program, "arguments", arguments);
    out_json_set(program, "directory", out_json_text(model->directory));
    out_json_set_number(program, "pid", model->pid);
    out_json_set_number(program, "parent_pid", model->parent_pid);
    out_json_set(program, "state", json_string(model_state_name(model)));
    return program;
}

json_t *out_json_head(const struct out_request *request)
{
    const struct model *model = request->model;
    json_t *whole = json_object();
    json_t *dump = json_object();

    out_json_set(whole, "schema", json_integer(OUT_SCHEMA));
    out_json_set(whole, "allocreport", json_string(ALLOCREPORT_VERSION));
    out_json_set(dump, "path", out_json_text(model->path));
    out_json_set_number(dump, "version", model->version);
    out_json_set(dump, "recorder", out_json_text(model->recorder_version));
    out_json_set(dump, "damaged", json_boolean(model->damaged));
    out_json_set(dump, "damaged_at",
                 model->damaged ? out_json_number(model->damaged_at) : json_null());
    out_json_set(whole, "dump", dump);
    out_json_set(whole, "program", program_of(model));
    return whole;
}

#define PRETTY (JSON_INDENT(2) | JSON_REAL_PRECISION(17))

void out_json_print(FILE *out, json_t *whole)
{
    json_dumpf(whole, out, PRETTY);
    fputc('\n', out);
    json_decref(whole);
}

/* The members of an object, without the brackets around them and the line ends there. */
static void print_members(FILE *out, json_t *members)
{
    char *text = json_dumps(members, PRETTY);

    if (text == NULL || strlen(text) < 4) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    fprintf(out, "%.*s", (int)strlen(text) - 4, text + 2); /* "{\n" and "\n}" */
    free(text);
    json_decref(members);
}

struct out_json_stream out_json_start(FILE *out, json_t *members)
{
    fputs("{\n", out);
    print_members(out, members);
    return (struct out_json_stream){.out = out};
}

void out_json_list(struct out_json_stream *stream, const char *key)
{
    fprintf(stream->out, ",\n  \"%s\": [", key);
    stream->items = 0;
}

void out_json_item(struct out_json_stream *stream, json_t *item)
{
    fputs(stream->items++ > 0 ? ",\n    " : "\n    ", stream->out);
    json_dumpf(item, stream->out, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(item);
}

void out_json_end_list(struct out_json_stream *stream)
{
    fputs(stream->items > 0 ? "\n  ]" : "]", stream->out);
}

void out_json_end(struct out_json_stream *stream, json_t *members)
{
    if (members != NULL) {
        fputs(",\n", stream->out);
        print_members(stream->out, members);
    }
    fputs("\n}\n", stream->out);
}
