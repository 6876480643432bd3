/* SPDX-License-Identifier: MIT */
#include "cli/dumpfile.h"
#include "cli/dumpfile_private.h"
#include "cli/errors.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((format(printf, 2, 3))) void set_message(struct dumpfile *file,
                                                              const char *format, ...)
{
    if (file->message)
        return;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&file->message, format, arguments) < 0)
        file->message = xstrdup("out of memory");
    va_end(arguments);
}

/* The first damage counts: nothing behind it is used. */
static __attribute__((format(printf, 3, 4))) void damage(struct dumpfile *file, uint64_t offset,
                                                         const char *format, ...)
{
    if (file->damaged)
        return;
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    file->damaged = true;
    file->damaged_at = offset;
    set_message(file, "'%s' is damaged at offset %" PRIu64 ": %s; its sound part is used",
                file->path, offset, text);
}

const char *dumpfile_type_name(uint32_t type)
{
    static const char *const names[] = {
        [DUMP_INFO] = "INFO",   [DUMP_MODULE] = "MODULE",       [DUMP_FRAME] = "FRAME",
        [DUMP_STACK] = "STACK", [DUMP_THREAD] = "THREAD",       [DUMP_COUNTER] = "COUNTER",
        [DUMP_LOOP] = "LOOP",   [DUMP_HISTOGRAM] = "HISTOGRAM", [DUMP_TIMELINE] = "TIMELINE",
        [DUMP_WORST] = "WORST", [DUMP_EVENT] = "EVENT",         [DUMP_PATCH] = "PATCH",
    };
    return type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

/* Bytes of a record of fixed size that this reader knows; 0: variable or not known. */
static uint32_t known_size(uint32_t type)
{
    switch (type) {
    case DUMP_FRAME:
        return sizeof(struct dump_frame);
    case DUMP_THREAD:
        return sizeof(struct dump_thread);
    case DUMP_COUNTER:
        return sizeof(struct dump_counter);
    case DUMP_LOOP:
        return sizeof(struct dump_loop);
    case DUMP_HISTOGRAM:
        return sizeof(struct dump_histogram);
    case DUMP_TIMELINE:
        return sizeof(struct dump_bucket);
    case DUMP_WORST:
        return sizeof(struct dump_worst);
    case DUMP_EVENT:
        return sizeof(struct dump_event);
    case DUMP_PATCH:
        return sizeof(struct dump_patch);
    default:
        return 0;
    }
}

static bool is_variable(uint32_t type)
{
    return type == DUMP_INFO || type == DUMP_MODULE || type == DUMP_STACK;
}

/* Bytes that the variable record must have by what it says itself, or 0 if it is too small to say.
 */
static uint64_t needed(uint32_t type, const uint8_t *bytes, size_t size)
{
    size_t fixed = 8;
    size_t count_at = 0;
    unsigned scale = 1;
    switch (type) {
    case DUMP_INFO:
        fixed = offsetof(struct dump_info, value);
        count_at = offsetof(struct dump_info, length);
        break;
    case DUMP_MODULE:
        fixed = offsetof(struct dump_module, path);
        count_at = offsetof(struct dump_module, path_length);
        break;
    case DUMP_STACK:
        fixed = offsetof(struct dump_stack, frame);
        count_at = offsetof(struct dump_stack, frames);
        scale = 4;
        break;
    default:
        return fixed;
    }
    if (size < fixed)
        return 0;
    uint32_t count;
    memcpy(&count, bytes + count_at, sizeof count);
    return fixed + (uint64_t)count * scale;
}

/* Checks the records one by one; cuts the chunk before the first bad one. */
static void check_variable(struct dumpfile *file, struct dumpfile_chunk *chunk)
{
    uint64_t at = 0;
    uint64_t number = 0;
    for (; number < chunk->count; number++) {
        uint32_t size = 0;
        uint64_t left = chunk->filled - at;
        /* The count was raised between the reads of the two. */
        if (left == 0 && file->header.state == DUMP_RUNNING)
            break;
        const uint8_t *bytes = left ? chunk->bytes + at : NULL;
        if (left >= sizeof size)
            memcpy(&size, bytes, sizeof size);
        uint64_t need = size <= left ? needed(chunk->type, bytes, size) : 0;
        if (size < 8 || size % 8 != 0 || size > left || need == 0 || need > size) {
            damage(file, chunk->offset + sizeof(struct dump_chunk) + at,
                   "record %" PRIu64 " of a chunk has a wrong size", number);
            break;
        }
        at += size;
    }
    chunk->count = number;
    chunk->filled = at;
}

static bool check_chunk(struct dumpfile *file, const struct dump_chunk *raw, uint64_t offset,
                        uint64_t end)
{
    if (raw->magic != DUMP_CHUNK_MAGIC) {
        damage(file, offset, "no chunk begins here");
        return false;
    }
    if (raw->size < sizeof *raw || raw->size % DUMP_ALIGN != 0 || raw->size > end - offset) {
        damage(file, offset, "a chunk of %" PRIu64 " bytes cannot be", raw->size);
        return false;
    }
    bool wrong_kind = dumpfile_type_name(raw->type) && is_variable(raw->type) != !raw->record_size;
    /* Tiny records would take many times the file's size in memory. */
    bool too_small = raw->record_size < known_size(raw->type) / DUMPFILE_SHORTEST;
    if (wrong_kind || too_small || raw->record_size % 8 != 0) {
        damage(file, offset, "records of %" PRIu32 " bytes cannot be", raw->record_size);
        return false;
    }
    return true;
}

/* Bytes of records that the chunk claims to have; false if it has no room for so many. */
static bool claimed_bytes(struct dumpfile *file, const struct dump_chunk *raw, uint64_t offset,
                          uint64_t *bytes)
{
    uint64_t room = raw->size - sizeof *raw;
    bool fits = raw->record_size ? raw->count <= room / raw->record_size : raw->filled <= room;
    if (!fits) {
        damage(file, offset, "a chunk says it holds more records than it has room for");
        return false;
    }
    *bytes = raw->record_size ? raw->count * raw->record_size : raw->filled;
    return true;
}

/* Reads the records of the chunk, of which the file has `there` bytes. */
static void read_records(struct dumpfile *file, struct dumpfile_source *source,
                         struct dumpfile_chunk *chunk, uint64_t bytes, uint64_t there)
{
    uint64_t data = chunk->offset + sizeof(struct dump_chunk);
    if (bytes > there)
        bytes = there;
    uint8_t *buffer = bytes ? xmalloc(bytes) : NULL;
    chunk->bytes = buffer;
    chunk->filled = bytes ? dumpfile_source_read(source, data, buffer, bytes) : 0;
    if (!chunk->record_size) {
        check_variable(file, chunk);
        return;
    }
    uint64_t whole = chunk->filled / chunk->record_size;
    if (whole < chunk->count) {
        chunk->count = whole;
        damage(file, data + whole * chunk->record_size, "the file ends within a record");
    }
    chunk->filled = chunk->count * chunk->record_size;
}

static void add_chunk(struct dumpfile *file, size_t *room, const struct dumpfile_chunk *chunk)
{
    if (file->chunk_count == *room) {
        *room = *room ? *room * 2 : 64;
        file->chunks = xreallocarray(file->chunks, *room, sizeof *file->chunks);
    }
    file->chunks[file->chunk_count++] = *chunk;
}

/* All chunks from the header's end to `used`, as far as they are sound. */
static void read_chunks(struct dumpfile *file, struct dumpfile_source *source)
{
    uint64_t end = file->header.used;
    uint64_t offset = file->header.header_size;
    uint64_t total = 0;
    uint64_t most = source->blocks * DUMPFILE_SPARSE;
    if (most < DUMPFILE_MOST)
        most = DUMPFILE_MOST;
    size_t room = 0;
    file->used = offset;
    bool unknown_end = end < offset || end % DUMP_ALIGN != 0 || end > UINT64_MAX / 2;
    if (unknown_end)
        end = source->size / DUMP_ALIGN * DUMP_ALIGN;
    while (offset < end && !file->damaged) {
        struct dump_chunk raw;
        if (dumpfile_source_read(source, offset, &raw, sizeof raw) < sizeof raw)
            break;
        if (!check_chunk(file, &raw, offset, end))
            return;
        uint64_t bytes;
        if (!claimed_bytes(file, &raw, offset, &bytes))
            return;
        if (bytes > most - total) {
            damage(file, offset, "more records than the file can have");
            return;
        }
        uint64_t data = offset + sizeof raw;
        struct dumpfile_chunk chunk = {.offset = offset,
                                       .size = raw.size,
                                       .type = raw.type,
                                       .record_size = raw.record_size,
                                       .owner = raw.owner,
                                       .count = raw.count};
        read_records(file, source, &chunk, bytes, source->size > data ? source->size - data : 0);
        total += chunk.filled;
        add_chunk(file, &room, &chunk);
        offset += raw.size;
        file->used = file->damaged ? file->damaged_at : offset;
    }
    if (unknown_end)
        damage(file, offsetof(struct dump_header, used), "%" PRIu64 " bytes cannot be in use",
               file->header.used);
    if (file->used > source->size)
        file->used = source->size;
    if (!unknown_end && source->size < end)
        damage(file, file->used,
               "the file is cut short: %" PRIu64 " bytes of %" PRIu64 " are there", source->size,
               end);
}

/* True if the header can be used; else the message is set. */
static bool check_header(struct dumpfile *file, size_t got)
{
    const struct dump_header *header = &file->header;
    const char *path = file->path;
    size_t magic = got < sizeof header->magic ? got : sizeof header->magic;
    if (got == 0)
        set_message(file, "cannot use '%s': it is empty (offset 0)", path);
    else if (memcmp(header->magic, DUMP_MAGIC, magic) != 0)
        set_message(file, "cannot use '%s': it is no dump of allocreport (offset 0)", path);
    else if (got < sizeof *header)
        set_message(file, "cannot use '%s': it is cut short at offset %zu, inside its header", path,
                    got);
    else if (header->byte_order != DUMP_BYTE_ORDER)
        set_message(file, "cannot use '%s': its byte order is not this machine's (offset %zu)",
                    path, offsetof(struct dump_header, byte_order));
    else if (header->reader_minimum > DUMP_VERSION)
        set_message(file,
                    "cannot use '%s': it needs a newer allocreport, for version %" PRIu32
                    " of the format; this one knows %u (offset %zu)",
                    path, header->reader_minimum, DUMP_VERSION,
                    offsetof(struct dump_header, reader_minimum));
    else if (header->version == 0)
        set_message(file, "cannot use '%s': it has no version (offset %zu)", path,
                    offsetof(struct dump_header, version));
    else if (header->header_size < DUMP_HEADER_SIZE || header->header_size % DUMP_ALIGN != 0)
        set_message(file, "cannot use '%s': a header of %" PRIu32 " bytes cannot be (offset %zu)",
                    path, header->header_size, offsetof(struct dump_header, header_size));
    return !file->message;
}

int dumpfile_load(struct dumpfile *file, struct dumpfile_source *source)
{
    file->file_size = source->size;
    size_t got = dumpfile_source_read(source, 0, &file->header, sizeof file->header);
    if (source->error) {
        set_message(file, "cannot read '%s': %s", file->path, strerror(source->error));
        return -1;
    }
    if (!check_header(file, got))
        return -1;
    read_chunks(file, source);
    if (source->error)
        damage(file, file->used, "%s", strerror(source->error));
    return 0;
}

void dumpfile_close(struct dumpfile *file)
{
    for (size_t i = 0; i < file->chunk_count; i++)
        free((void *)(uintptr_t)file->chunks[i].bytes);
    free(file->chunks);
    free(file->path);
    free(file->message);
    *file = (struct dumpfile){0};
}

bool dumpfile_next(const struct dumpfile_chunk *chunk, struct dumpfile_record *record)
{
    uint64_t number = record->bytes ? record->number + 1 : 0;
    uint64_t at = record->bytes ? (uint64_t)(record->bytes - chunk->bytes) + record->size : 0;
    if (number >= chunk->count || at >= chunk->filled)
        return false;
    uint32_t size = chunk->record_size;
    if (!size)
        memcpy(&size, chunk->bytes + at, sizeof size);
    record->number = number;
    record->offset = chunk->offset + sizeof(struct dump_chunk) + at;
    record->bytes = chunk->bytes + at;
    record->size = size;
    return true;
}

void dumpfile_copy(const struct dumpfile_record *record, void *to, size_t size)
{
    size_t have = record->size < size ? record->size : size;
    memcpy(to, record->bytes, have);
    memset((uint8_t *)to + have, 0, size - have);
}
