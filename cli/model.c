/* SPDX-License-Identifier: MIT */
#include "cli/model.h"
#include "cli/errors.h"
#include "cli/model_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model_block {
    struct model_block *next;
    max_align_t data[];
};

void *model_alloc(struct model *model, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        bytes = SIZE_MAX / 2; /* fails, as out of memory */
    struct model_block *block = xcalloc(1, sizeof *block + bytes);
    block->next = model->private->blocks;
    model->private->blocks = block;
    return block->data;
}

const char *model_text(struct model *model, const void *bytes, size_t length)
{
    size_t end = length ? strnlen(bytes, length) : 0;
    char *text = model_alloc(model, end + 1, 1);
    if (end)
        memcpy(text, bytes, end);
    return text;
}

void model_add_note(struct model *model, bool bad, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    struct model_private *private = model->private;
    if (model->note_count == private->note_room) {
        size_t room = private->note_room * 2 + 16;
        struct model_note *notes = model_alloc(model, room, sizeof *notes);
        if (model->note_count)
            memcpy(notes, model->notes, model->note_count * sizeof *notes);
        model->notes = notes;
        private->note_room = room;
    }
    struct model_note *notes = (struct model_note *)(uintptr_t)model->notes;
    notes[model->note_count++] = (struct model_note){bad, model_text(model, line, sizeof line)};
}

bool model_next(const struct dumpfile *file, uint32_t type, struct model_cursor *cursor)
{
    for (; cursor->chunk < file->chunk_count; cursor->chunk++) {
        const struct dumpfile_chunk *chunk = &file->chunks[cursor->chunk];
        if (chunk->type == type && dumpfile_next(chunk, &cursor->record))
            return true;
        cursor->record = (struct dumpfile_record){0};
    }
    return false;
}

size_t model_count(const struct dumpfile *file, uint32_t type)
{
    size_t count = 0;
    for (size_t i = 0; i < file->chunk_count; i++)
        if (file->chunks[i].type == type)
            count += file->chunks[i].count;
    return count;
}

static int compare_entries(const void *a, const void *b)
{
    const struct model_index_entry *x = a;
    const struct model_index_entry *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void model_index_build(struct model *model, struct model_index *index, const uint32_t *ids,
                       size_t count)
{
    index->count = count;
    index->entries = model_alloc(model, count, sizeof *index->entries);
    for (size_t i = 0; i < count; i++)
        index->entries[i] = (struct model_index_entry){ids[i], (uint32_t)i};
    if (count)
        qsort(index->entries, count, sizeof *index->entries, compare_entries);
}

uint32_t model_index_find(const struct model_index *index, uint32_t id)
{
    size_t low = 0;
    size_t high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->entries[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < index->count && index->entries[low].id == id;
    return found ? index->entries[low].place : MODEL_NONE;
}

struct model *model_build(const struct dumpfile *file)
{
    struct model *model = xcalloc(1, sizeof *model);
    model->private = xcalloc(1, sizeof *model->private);
    model_read_head(model, file);
    model_read_stacks(model, file);
    model_read_threads(model, file);
    model_read_loops(model, file);
    model_read_histograms(model, file);
    model_sum(model);
    model_read_sites(model, file);
    model_read_timeline(model, file);
    model_read_worst(model, file);
    model_read_events(model, file);
    model_read_patch(model, file);
    model_read_blind(model, file);
    model_write_notes(model, file);
    model->symbols = symbols_new(model->pid);
    return model;
}

struct model *model_open(const char *path)
{
    struct dumpfile file;
    if (dumpfile_open(&file, path) < 0)
        return NULL;
    struct model *model = model_build(&file);
    dumpfile_close(&file);
    return model;
}

void model_close(struct model *model)
{
    if (!model)
        return;
    symbols_free(model->symbols);
    struct model_block *block = model->private->blocks;
    while (block) {
        struct model_block *next = block->next;
        free(block);
        block = next;
    }
    free(model->private);
    free(model);
}
