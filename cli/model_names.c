/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"
#include "cli/model_private.h"
#include "cli/wrappers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct symbol *symbol_of(struct model *model, struct model_frame *frame)
{
    if (frame->symbol)
        return frame->symbol;
    struct symbol_module module = {.id = frame->module, .anonymous = true};
    if (frame->module != MODEL_NONE) {
        const struct model_module *known = &model->modules[frame->module];
        module.path = known->path;
        module.build_id = known->build_id_length ? known->build_id_bytes : NULL;
        module.build_id_length = known->build_id_length;
        module.anonymous = known->anonymous;
    }
    frame->symbol = symbols_find(model->symbols, &module, frame->offset, frame->exact);
    return frame->symbol;
}

void model_symbolise(struct model *model, void (*progress)(size_t done, size_t all, void *data),
                     void *data)
{
    for (size_t i = 0; i < model->frame_count; i++) {
        if (progress && i % 64 == 0)
            progress(i, model->frame_count, data);
        symbol_of(model, &model->frames[i]);
    }
    if (progress)
        progress(model->frame_count, model->frame_count, data);
}

static struct model_line line_of(const struct model *model, const struct model_frame *frame,
                                 const struct symbol_line *line)
{
    return (struct model_line){
        .module = frame->module == MODEL_NONE ? NULL : &model->modules[frame->module],
        .frame = frame,
        .offset = frame->offset,
        .function = line->function,
        .full = line->full,
        .file = line->file,
        .line = line->line,
        .inlined = line->inlined,
    };
}

struct model_line *model_lines(struct model *model, const struct model_stack *stack, size_t *count)
{
    *count = 0;
    if (!stack || stack->count == 0)
        return NULL;
    size_t all = 0;
    for (uint32_t i = 0; i < stack->count; i++)
        all += symbol_of(model, &model->frames[stack->frames[i]])->count;
    struct model_line *lines = xcalloc(all, sizeof *lines);
    for (uint32_t i = 0; i < stack->count; i++) {
        const struct model_frame *frame = &model->frames[stack->frames[i]];
        for (size_t k = 0; k < frame->symbol->count; k++)
            lines[(*count)++] = line_of(model, frame, &frame->symbol->lines[k]);
    }
    return lines;
}

bool model_name(struct model *model, const struct model_stack *stack, struct model_line *line)
{
    *line = (struct model_line){0};
    for (uint32_t i = 0; stack && i < stack->count; i++) {
        struct model_frame *frame = &model->frames[stack->frames[i]];
        const struct symbol *symbol = symbol_of(model, frame);
        for (size_t k = 0; k < symbol->count; k++) {
            struct model_line here = line_of(model, frame, &symbol->lines[k]);
            if (i == 0 && k == 0)
                *line = here;
            if (!wrappers_has(here.function)) {
                *line = here;
                return true;
            }
        }
    }
    return stack && stack->count;
}

char *model_line_text(const struct model_line *line)
{
    if (line->function)
        return xstrdup(line->function);
    if (line->module)
        return xasprintf("%s+0x%" PRIx64, line->module->name, line->offset);
    return xasprintf("0x%" PRIx64, line->offset);
}

void model_take_symbols(struct model *model, struct model *from)
{
    bool same = from->pid == model->pid && from->module_count <= model->module_count;

    for (size_t i = 0; same && i < from->module_count; i++)
        same = strcmp(from->modules[i].path, model->modules[i].path) == 0 &&
               strcmp(from->modules[i].build_id, model->modules[i].build_id) == 0;
    if (!same)
        return;
    symbols_free(model->symbols);
    model->symbols = from->symbols;
    from->symbols = NULL;
}

enum symbol_source model_symbol_source(const struct model *model, size_t module)
{
    return symbols_source(model->symbols, (uint32_t)module);
}

const char *model_symbol_note(const struct model *model, size_t module)
{
    return symbols_note(model->symbols, (uint32_t)module);
}
