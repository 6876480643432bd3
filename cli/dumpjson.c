/* SPDX-License-Identifier: MIT */
#include "cli/dumpjson.h"

#include "cli/dumpfields.h"
#include "cli/errors.h"
#include "cli/out_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *json_bytes(const uint8_t *bytes, size_t length)
{
    char *hex = xmalloc(2 * length + 1);

    hex[0] = '\0';
    for (size_t i = 0; i < length; i++)
        sprintf(hex + 2 * i, "%02x", bytes[i]);
    json_t *text = json_string(hex);
    free(hex);
    return text;
}

static json_t *json_raw_text(const uint8_t *bytes, size_t length)
{
    char *copy = xmalloc(length + 1);

    memcpy(copy, bytes, length);
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\0')
            copy[i] = '\n'; /* between the arguments */
    copy[length] = '\0';
    json_t *text = length > 0 ? out_json_text(copy) : json_string("");
    free(copy);
    return text;
}

static json_t *json_fields(const struct dumpfield *fields, const uint8_t *bytes);

static json_t *json_one(const struct dumpfield *field, const uint8_t *bytes, size_t index)
{
    if (field->kind == DUMPFIELD_STRUCT)
        return json_fields(field->fields, bytes + index * field->step);
    return out_json_number(dumpfields_number(bytes, field->kind, index));
}

static json_t *json_fields(const struct dumpfield *fields, const uint8_t *bytes)
{
    json_t *object = json_object();

    for (const struct dumpfield *field = fields; field->name != NULL; field++) {
        const uint8_t *at = bytes + field->offset;
        json_t *value;
        if (field->kind == DUMPFIELD_TEXT) {
            value = json_raw_text(at, strnlen((const char *)at, field->count));
        } else if (field->kind == DUMPFIELD_BYTES) {
            value = json_bytes(at, field->count);
        } else if (field->count == 1) {
            value = json_one(field, at, 0);
        } else {
            value = json_array();
            for (size_t i = 0; i < field->count; i++)
                json_array_append_new(value, json_one(field, at, i));
        }
        out_json_set(object, field->name, value);
    }
    return object;
}

static void json_rest(json_t *object, uint32_t type, const struct dumpfile_record *record,
                      const union dumpfields_record *copy)
{
    const uint8_t *bytes = record->bytes;
    json_t *list;

    if (type == DUMP_INFO) {
        out_json_set(object, "value",
                     json_raw_text(bytes + offsetof(struct dump_info, value), copy->info.length));
    } else if (type == DUMP_MODULE) {
        out_json_set(
            object, "path",
            json_raw_text(bytes + offsetof(struct dump_module, path), copy->module.path_length));
    } else if (type == DUMP_STACK) {
        list = json_array();
        for (uint32_t i = 0; i < copy->stack.frames; i++)
            json_array_append_new(
                list, out_json_number(dumpfields_number(bytes + offsetof(struct dump_stack, frame),
                                                        DUMPFIELD_U32, i)));
        out_json_set(object, "frame", list);
    } else if (type == DUMP_HISTOGRAM) {
        list = json_object();
        for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++) {
            char key[8];
            snprintf(key, sizeof key, "%u", i);
            if (copy->histogram.bucket[i] > 0)
                out_json_set_number(list, key, copy->histogram.bucket[i]);
        }
        out_json_set(object, "buckets", list);
    }
}

static json_t *json_chunk(const struct dumpfile_chunk *chunk)
{
    json_t *object = json_object();

    out_json_set_number(object, "offset", chunk->offset);
    out_json_set_number(object, "type", chunk->type);
    out_json_set(object, "name", out_json_text(dumpfile_type_name(chunk->type)));
    out_json_set_number(object, "size", chunk->size);
    out_json_set_number(object, "record_size", chunk->record_size);
    out_json_set_number(object, "owner", chunk->owner);
    out_json_set_number(object, "count", chunk->count);
    out_json_set_number(object, "filled", chunk->filled);
    return object;
}

static void print_records(struct out_json_stream *stream, const struct dumpfile_chunk *chunk)
{
    size_t size;
    const struct dumpfield *fields = dumpfields_of(chunk->type, &size);
    struct dumpfile_record record = {0};

    while (fields != NULL && dumpfile_next(chunk, &record)) {
        union dumpfields_record copy = {0};
        dumpfile_copy(&record, &copy, size);
        json_t *one = json_object();
        json_t *values = json_fields(fields, copy.bytes);
        out_json_set(one, "type", out_json_text(dumpfile_type_name(chunk->type)));
        out_json_set_number(one, "at", record.offset);
        json_rest(values, chunk->type, &record, &copy);
        json_object_update(one, values);
        json_decref(values);
        out_json_item(stream, one);
    }
}

void dumpjson_print(FILE *out, const struct dumpfile *file)
{
    json_t *head = json_object();

    out_json_set(head, "schema", json_integer(OUT_SCHEMA));
    out_json_set(head, "damaged_at",
                 file->damaged ? out_json_number(file->damaged_at) : json_null());
    out_json_set(head, "header", json_fields(dumpfields_header, (const uint8_t *)&file->header));

    struct out_json_stream stream = out_json_start(out, head);
    out_json_list(&stream, "chunks");
    for (size_t i = 0; i < file->chunk_count; i++)
        out_json_item(&stream, json_chunk(&file->chunks[i]));
    out_json_end_list(&stream);
    out_json_list(&stream, "records");
    for (size_t i = 0; i < file->chunk_count; i++)
        print_records(&stream, &file->chunks[i]);
    out_json_end_list(&stream);
    out_json_end(&stream, NULL);
}
