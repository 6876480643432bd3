/* SPDX-License-Identifier: MIT */
/*
 * The format of pprof: a gzipped message of its profile.proto. Numbers of fields are that file's.
 * A location is a frame of the dump, with a line for each function inlined there; its address is
 * that of the call.
 */
#include "cli/errors.h"
#include "cli/export.h"
#include "cli/gzip.h"
#include "cli/protobuf.h"
#include "cli/rows.h"
#include "cli/strings.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14
};

#define VALUES 6
static const struct {
    const char *type, *unit;
} types[VALUES] = {{"alloc_objects", "count"},  {"alloc_space", "bytes"},
                   {"inuse_objects", "count"},  {"inuse_space", "bytes"},
                   {"steady_objects", "count"}, {"steady_space", "bytes"}};

struct profile {
    struct model *model;
    struct protobuf message;
    struct strings *strings;   /* 0 is "" */
    struct strings *functions; /* by name, signature and file; number + 1 is the id */
    bool *locations;           /* by frame of the model: written */
    uint32_t *mappings;        /* by module of the model: id, 0: not used */
    uint32_t mapping_count;
    struct strings *ends; /* texts of export_cut, as locations behind those of the frames */
};

static uint64_t text_of(struct profile *profile, const char *text)
{
    char *valid = text_valid(text != NULL ? text : "");
    size_t number = strings_add(profile->strings, valid);

    free(valid);
    return number;
}

/* The first of all is the program itself: viewers take that for the main binary. */
static void write_mapping(struct profile *profile, size_t place)
{
    const struct model_module *module = &profile->model->modules[place];
    enum symbol_source source = model_symbol_source(profile->model, place);
    struct protobuf mapping = {0};

    if (profile->mappings[place] != 0)
        return;
    profile->mappings[place] = ++profile->mapping_count;
    protobuf_number(&mapping, 1, profile->mappings[place]);
    protobuf_number(&mapping, 2, module->start);
    protobuf_number(&mapping, 3, module->end);
    protobuf_number(&mapping, 5,
                    text_of(profile, *module->path != '\0' ? module->path : module->name));
    protobuf_number(&mapping, 6, text_of(profile, module->build_id));
    protobuf_number(&mapping, 7, true); /* else a viewer looks for names by itself, and says so */
    protobuf_number(&mapping, 8, source == SYMBOL_SOURCE_DWARF);
    protobuf_number(&mapping, 9, source == SYMBOL_SOURCE_DWARF);
    protobuf_number(&mapping, 10, source == SYMBOL_SOURCE_DWARF);
    protobuf_message(&profile->message, PROFILE_MAPPING, &mapping);
    protobuf_free(&mapping);
}

static uint64_t function_of(struct profile *profile, const char *name, const char *full,
                            const char *file)
{
    char *key = xasprintf("%s\n%s\n%s", name, full, file);
    size_t known = strings_count(profile->functions);
    size_t number = strings_add(profile->functions, key);
    struct protobuf function = {0};

    free(key);
    if (number < known)
        return number + 1;
    protobuf_number(&function, 1, number + 1);
    protobuf_number(&function, 2, text_of(profile, name));
    protobuf_number(&function, 3, text_of(profile, full));
    protobuf_number(&function, 4, text_of(profile, file));
    protobuf_message(&profile->message, PROFILE_FUNCTION, &function);
    protobuf_free(&function);
    return number + 1;
}

static void write_line(struct profile *profile, struct protobuf *location, const char *name,
                       const struct model_line *known)
{
    const char *full = known != NULL && known->full != NULL ? known->full : name;
    const char *file = known != NULL && known->file != NULL ? known->file : "";
    struct protobuf line = {0};

    protobuf_number(&line, 1, function_of(profile, name, full, file));
    protobuf_number(&line, 2, known != NULL ? known->line : 0);
    protobuf_message(location, 4, &line);
    protobuf_free(&line);
}

static uint64_t frame_location(struct profile *profile, uint32_t number)
{
    const struct model_frame *frame = &profile->model->frames[number];
    const struct model_stack stack = {.count = 1, .frames = &number};
    struct protobuf location = {0};
    uint64_t bias = 0;
    size_t count;

    if (profile->locations[number])
        return number + UINT64_C(1);
    profile->locations[number] = true;
    struct model_line *lines = model_lines(profile->model, &stack, &count);
    protobuf_number(&location, 1, number + UINT64_C(1));
    if (frame->module != MODEL_NONE) {
        write_mapping(profile, frame->module);
        protobuf_number(&location, 2, profile->mappings[frame->module]);
        if (!profile->model->modules[frame->module].anonymous)
            bias = profile->model->modules[frame->module].bias;
    }
    protobuf_number(&location, 3, bias + frame->offset - !frame->exact);
    for (size_t i = 0; i < count; i++) {
        char *name = model_line_text(&lines[i]);
        write_line(profile, &location, name, &lines[i]);
        free(name);
    }
    protobuf_message(&profile->message, PROFILE_LOCATION, &location);
    protobuf_free(&location);
    free(lines);
    return number + UINT64_C(1);
}

static uint64_t end_location(struct profile *profile, const char *text)
{
    size_t known = strings_count(profile->ends);
    size_t number = strings_add(profile->ends, text);
    uint64_t id = profile->model->frame_count + 1 + number;
    struct protobuf location = {0};

    if (number < known)
        return id;
    protobuf_number(&location, 1, id);
    write_line(profile, &location, text, NULL);
    protobuf_message(&profile->message, PROFILE_LOCATION, &location);
    protobuf_free(&location);
    return id;
}

static void write_label(struct profile *profile, struct protobuf *sample, const char *key,
                        const char *text, uint64_t number)
{
    struct protobuf label = {0};

    protobuf_number(&label, 1, text_of(profile, key));
    protobuf_number(&label, 2, text_of(profile, text));
    protobuf_number(&label, 3, number);
    protobuf_message(sample, 3, &label);
    protobuf_free(&label);
}

static void write_sample(struct profile *profile, const struct export_site *site)
{
    const struct model_row *row = &site->row;
    const struct model_stack *stack = row->site->stack;
    const char *cut = export_cut(stack);
    uint64_t *ids = xcalloc(stack->count + UINT64_C(1), sizeof *ids);
    const uint64_t values[VALUES] = {row->amount.allocations,    row->amount.bytes,
                                     (uint64_t)row->live_blocks, (uint64_t)row->live_bytes,
                                     site->steady.allocations,   site->steady.bytes};
    struct protobuf sample = {0};
    size_t count = 0;

    for (uint32_t i = 0; i < stack->count; i++)
        ids[count++] = frame_location(profile, stack->frames[i]);
    if (cut != NULL)
        ids[count++] = end_location(profile, cut);
    protobuf_packed(&sample, 1, ids, count);
    protobuf_packed(&sample, 2, values, VALUES);
    write_label(profile, &sample, "where", model_place_name(rows_place(profile->model, row->site)),
                0);
    write_label(profile, &sample, "cadence", cadence_name(row->site->cadence.kind), 0);
    write_label(profile, &sample, "site", NULL, row->site->id);
    protobuf_message(&profile->message, PROFILE_SAMPLE, &sample);
    protobuf_free(&sample);
    free(ids);
}

static void write_head(struct profile *profile, const struct export_request *request)
{
    const struct model *model = profile->model;
    struct protobuf type = {0};

    for (size_t i = 0; i < VALUES; i++) {
        protobuf_number(&type, 1, text_of(profile, types[i].type));
        protobuf_number(&type, 2, text_of(profile, types[i].unit));
        protobuf_message(&profile->message, PROFILE_SAMPLE_TYPE, &type);
    }
    protobuf_free(&type);
    for (size_t i = 0; i < model->module_count; i++)
        if (model->modules[i].executable)
            write_mapping(profile, i);
    protobuf_number(&profile->message, PROFILE_TIME, model->start_realtime_ns);
    protobuf_number(&profile->message, PROFILE_DURATION, model->last_ns);
    bool steady = request->summary.units > 0 && request->summary.steady.bytes > 0;
    protobuf_number(&profile->message, PROFILE_DEFAULT_TYPE,
                    text_of(profile, steady ? "steady_space" : "alloc_space"));
}

static void write_comments(struct profile *profile, const struct export_request *request)
{
    char **remarks = export_remarks(request);
    uint64_t *numbers;
    size_t count = 0;

    while (remarks[count] != NULL)
        count++;
    numbers = xcalloc(count + 2, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = text_of(profile, remarks[i]);
    if (request->summary.units > 0) {
        char *divide = xasprintf("bytes per %s: pprof -sample_index=steady_space -divide_by=%llu",
                                 request->summary.unit, (unsigned long long)request->summary.units);
        numbers[count++] = text_of(profile, divide);
        free(divide);
    }
    protobuf_packed(&profile->message, PROFILE_COMMENT, numbers, count);
    free(numbers);
    export_remarks_free(remarks);
}

static void write_pprof(struct export_request *request)
{
    struct model *model = request->base.model;
    struct profile profile = {.model = model,
                              .strings = strings_new(),
                              .functions = strings_new(),
                              .ends = strings_new(),
                              .locations = xcalloc(model->frame_count + 1, sizeof(bool)),
                              .mappings = xcalloc(model->module_count + 1, sizeof(uint32_t))};

    strings_add(profile.strings, "");
    write_head(&profile, request);
    for (size_t i = 0; i < request->count; i++)
        write_sample(&profile, &request->sites[i]);
    write_comments(&profile, request);
    for (size_t i = 0; i < strings_count(profile.strings); i++)
        protobuf_text(&profile.message, PROFILE_STRING, strings_text(profile.strings, i));
    gzip_write(request->base.term.out, profile.message.bytes, profile.message.size);

    protobuf_free(&profile.message);
    strings_free(profile.strings);
    strings_free(profile.functions);
    strings_free(profile.ends);
    free(profile.locations);
    free(profile.mappings);
}

const struct export_format export_pprof = {
    .name = "pprof",
    .summary = "profile.proto, gzipped",
    .binary = true,
    .write = write_pprof,
};
