/* SPDX-License-Identifier: MIT */
#include "cli/model_private.h"

#include <inttypes.h>
#include <string.h>

static void read_arguments(struct model *model, const char *value, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += value[i] == '\0' || i + 1 == length;
    const char **arguments = model_alloc(model, count + 1, sizeof *arguments);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = strnlen(value + at, length - at);
        arguments[i] = model_text(model, value + at, size);
        at += size + 1;
    }
    model->argument_count = count;
    model->arguments = arguments;
}

static const char **info_field(struct model *model, uint16_t key)
{
    switch (key) {
    case DUMP_INFO_PROGRAM:
        return &model->program_path;
    case DUMP_INFO_DIRECTORY:
        return &model->directory;
    case DUMP_INFO_SDL_VERSION:
        return &model->sdl_version;
    case DUMP_INFO_SDL_PATH:
        return &model->sdl_path;
    case DUMP_INFO_VIDEO_DRIVER:
        return &model->video_driver;
    case DUMP_INFO_AUDIO_DRIVER:
        return &model->audio_driver;
    case DUMP_INFO_SUBSYSTEMS:
        return &model->subsystems;
    case DUMP_INFO_LIBC:
        return &model->libc;
    case DUMP_INFO_ALLOCATOR:
        return &model->allocator;
    case DUMP_INFO_UNWINDER:
        return &model->unwinder;
    case DUMP_INFO_BYPASS:
        return &model->bypass;
    default:
        return NULL;
    }
}

static void read_info(struct model *model, const struct dumpfile *file)
{
    for (uint16_t key = 0; key <= DUMP_INFO_BYPASS; key++) {
        const char **field = info_field(model, key);
        if (field)
            *field = "";
    }
    /* The last record of a key counts; hostile files have many, so only that one is kept. */
    const uint8_t *arguments = NULL;
    uint32_t arguments_length = 0;
    const uint8_t *last[DUMP_INFO_BYPASS + 1] = {0};
    uint32_t lengths[DUMP_INFO_BYPASS + 1] = {0};
    for (struct model_cursor cursor = {0}; model_next(file, DUMP_INFO, &cursor);) {
        struct dump_info info;
        dumpfile_copy(&cursor.record, &info, sizeof info);
        const uint8_t *value = cursor.record.bytes + offsetof(struct dump_info, value);
        if (info.key == DUMP_INFO_ARGUMENTS) {
            arguments = value;
            arguments_length = info.length;
        } else if (info.key <= DUMP_INFO_BYPASS) {
            last[info.key] = value;
            lengths[info.key] = info.length;
        }
    }
    for (uint16_t key = 0; key <= DUMP_INFO_BYPASS; key++) {
        const char **field = info_field(model, key);
        if (field && last[key])
            *field = model_text(model, last[key], lengths[key]);
    }
    read_arguments(model, (const char *)arguments, arguments_length);
    const char *slash = strrchr(model->program_path, '/');
    model->program_name = slash ? slash + 1 : model->program_path;
    if (!*model->program_name && model->argument_count) {
        slash = strrchr(model->arguments[0], '/');
        model->program_name = slash ? slash + 1 : model->arguments[0];
    }
}

void model_read_head(struct model *model, const struct dumpfile *file)
{
    const struct dump_header *header = &file->header;
    model->path = model_text(model, file->path, strlen(file->path));
    model->file_size = file->file_size;
    model->used = file->used;
    model->reserved = header->reserved;
    model->version = header->version;
    model->reader_minimum = header->reader_minimum;
    model->damaged = file->damaged;
    model->damaged_at = file->damaged_at;
    model->pid = header->pid;
    model->parent_pid = header->parent_pid;
    model->forked_from = header->forked_from;
    model->machine = header->machine;
    model->page_size = header->page_size;
    model->state = header->state;
    model->running = file->running;
    model->killed = header->state == DUMP_RUNNING && !file->running;
    model->start_realtime_ns = header->start_realtime_ns;
    model->first_poll_ns = header->first_poll_ns;
    model->last_ns = header->last_ns;
    model->stack_depth = header->stack_depth;
    model->sample = header->sample;
    model->live_peak_bytes = header->live_peak_bytes;
    model->recorder_bytes = header->recorder_bytes;
    model->frame_info.elsewhere = header->frames_elsewhere;
    model->recorder_version =
        model_text(model, header->recorder_version, sizeof header->recorder_version);
    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++) {
        model->loss[i] = header->loss[i];
        model->lossy = model->lossy || (header->loss[i] && i != DUMP_LOSS_UNKNOWN);
    }
    read_info(model, file);
}
