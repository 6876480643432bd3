/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *build_id_text(struct model *model, const uint8_t *bytes, size_t length)
{
    char *text = model_alloc(model, 2 * length + 1, 1);
    for (size_t i = 0; i < length; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return text;
}

static const char *module_name(const struct model_module *module)
{
    const char *slash = strrchr(module->path, '/');
    if (slash && slash[1])
        return slash + 1;
    if (*module->path)
        return module->path;
    return module->vdso ? "[vdso]" : "[anonymous]";
}

static void read_module(struct model *model, struct model_module *module,
                        const struct dumpfile_record *record)
{
    struct dump_module raw;
    dumpfile_copy(record, &raw, sizeof raw);
    size_t length = raw.build_id_length;
    if (length > sizeof raw.build_id)
        length = sizeof raw.build_id;
    *module = (struct model_module){
        .id = raw.id,
        .start = raw.start,
        .end = raw.end,
        .bias = raw.bias,
        .loaded_ns = raw.loaded_ns,
        .unloaded_ns = raw.unloaded_ns,
        .executable = raw.flags & DUMP_MODULE_EXECUTABLE,
        .anonymous = raw.flags & DUMP_MODULE_ANONYMOUS,
        .vdso = raw.flags & DUMP_MODULE_VDSO,
        .path =
            model_text(model, record->bytes + offsetof(struct dump_module, path), raw.path_length),
        .build_id = build_id_text(model, raw.build_id, length),
        .build_id_length = length,
    };
    memcpy(module->build_id_bytes, raw.build_id, length);
    module->name = module_name(module);
}

static void read_modules(struct model *model, const struct dumpfile *file)
{
    size_t count = model_count(file, DUMP_MODULE);
    model->modules = model_alloc(model, count, sizeof *model->modules);
    uint32_t *ids = xcalloc(count, sizeof *ids);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_MODULE, &cursor);) {
        size_t place = model->module_count++;
        read_module(model, &model->modules[place], &cursor.record);
        ids[place] = model->modules[place].id;
    }
    model_index_build(model, &model->private->modules, ids, count);
    free(ids);
}

static void read_frames(struct model *model, const struct dumpfile *file)
{
    model->frames = model_alloc(model, model_count(file, DUMP_FRAME), sizeof *model->frames);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_FRAME, &cursor);) {
        struct dump_frame raw;
        dumpfile_copy(&cursor.record, &raw, sizeof raw);
        model->frames[model->frame_count++] =
            (struct model_frame){.module = model_index_find(&model->private->modules, raw.module),
                                 .exact = raw.flags & DUMP_FRAME_EXACT,
                                 .offset = raw.offset};
    }
}

/* A stack ends before the first frame that is not there. */
static void read_stack(struct model *model, struct model_stack *stack,
                       const struct dumpfile_record *record)
{
    struct dump_stack raw;
    dumpfile_copy(record, &raw, sizeof raw);
    *stack = (struct model_stack){.id = raw.id, .flags = raw.flags};
    uint32_t *frames = model_alloc(model, raw.frames, sizeof *frames);
    if (raw.frames)
        memcpy(frames, record->bytes + offsetof(struct dump_stack, frame),
               raw.frames * sizeof *frames);
    while (stack->count < raw.frames && frames[stack->count] < model->frame_count)
        stack->count++;
    model->private->cut_stacks += stack->count < raw.frames;
    stack->frames = frames;
}

void model_read_stacks(struct model *model, const struct dumpfile *file)
{
    read_modules(model, file);
    read_frames(model, file);
    size_t count = model_count(file, DUMP_STACK);
    model->stacks = model_alloc(model, count, sizeof *model->stacks);
    uint32_t *ids = xcalloc(count, sizeof *ids);
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_STACK, &cursor);) {
        size_t place = model->stack_count++;
        read_stack(model, &model->stacks[place], &cursor.record);
        ids[place] = model->stacks[place].id;
    }
    model_index_build(model, &model->private->stacks, ids, count);
    free(ids);
}
