/* SPDX-License-Identifier: MIT */
#include "cli/dumptext.h"

#include "cli/dumpfields.h"
#include "cli/errors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In quotes; all but printable ASCII as \xNN, so that it reads the same in every locale. */
static void print_quoted(FILE *out, const uint8_t *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\x%02x", text[i]);
        else
            fputc(text[i], out);
    }
    fputc('"', out);
}

static void print_value(FILE *out, const struct dumpfield *field, const uint8_t *bytes)
{
    switch (field->kind) {
    case DUMPFIELD_TEXT:
        print_quoted(out, bytes, strnlen((const char *)bytes, field->count));
        return;
    case DUMPFIELD_BYTES:
        for (size_t i = 0; i < field->count; i++)
            fprintf(out, "%02x", bytes[i]);
        return;
    default:
        break;
    }
    for (size_t i = 0; i < field->count; i++) {
        uint64_t number = dumpfields_number(bytes, field->kind, i);
        bool hex = field->kind == DUMPFIELD_HEX32 || field->kind == DUMPFIELD_HEX64;
        fprintf(out, hex ? "%s0x%" PRIx64 : "%s%" PRIu64, i > 0 ? "," : "", number);
    }
}

/* The plain fields on one line behind `name`, then a line for each struct inside. */
static void print_fields(FILE *out, const char *indent, const char *name,
                         const struct dumpfield *fields, const uint8_t *bytes, const char *between)
{
    fprintf(out, "%s%s", indent, name);
    for (const struct dumpfield *field = fields; field->name != NULL; field++) {
        if (field->kind == DUMPFIELD_STRUCT)
            continue;
        fprintf(out, "%s%s=", between, field->name);
        print_value(out, field, bytes + field->offset);
    }
}

static void print_structs(FILE *out, const char *prefix, const struct dumpfield *fields,
                          const uint8_t *bytes)
{
    for (const struct dumpfield *field = fields; field->name != NULL; field++) {
        if (field->kind != DUMPFIELD_STRUCT)
            continue;
        for (size_t i = 0; i < field->count; i++) {
            const uint8_t *inner = bytes + field->offset + i * field->step;
            char *name = field->count > 1 ? xasprintf("%s%s[%zu]", prefix, field->name, i)
                                          : xasprintf("%s%s", prefix, field->name);
            char *deeper = xasprintf("%s.", name);
            print_fields(out, "    ", name, field->fields, inner, " ");
            fputc('\n', out);
            print_structs(out, deeper, field->fields, inner);
            free(deeper);
            free(name);
        }
    }
}

/* What a record has beyond its fixed fields. */
static void print_rest(FILE *out, uint32_t type, const struct dumpfile_record *record,
                       const union dumpfields_record *copy)
{
    const uint8_t *bytes = record->bytes;

    if (type == DUMP_INFO) {
        fputs(" value=", out);
        print_quoted(out, bytes + offsetof(struct dump_info, value), copy->info.length);
    } else if (type == DUMP_MODULE) {
        fputs(" path=", out);
        print_quoted(out, bytes + offsetof(struct dump_module, path), copy->module.path_length);
    } else if (type == DUMP_STACK) {
        fputs(" frame=", out);
        for (uint32_t i = 0; i < copy->stack.frames; i++)
            fprintf(
                out, "%s%" PRIu64, i > 0 ? "," : "",
                dumpfields_number(bytes + offsetof(struct dump_stack, frame), DUMPFIELD_U32, i));
    } else if (type == DUMP_HISTOGRAM) {
        fputs(" buckets=", out);
        const char *comma = "";
        for (unsigned i = 0; i < DUMP_HISTOGRAM_BUCKETS; i++) {
            if (copy->histogram.bucket[i] == 0)
                continue;
            fprintf(out, "%s%u:%" PRIu64, comma, i, copy->histogram.bucket[i]);
            comma = ",";
        }
    }
}

static void print_chunk(FILE *out, const struct dumpfile_chunk *chunk)
{
    const char *name = dumpfile_type_name(chunk->type);
    size_t size;
    const struct dumpfield *fields = dumpfields_of(chunk->type, &size);
    struct dumpfile_record record = {0};

    fprintf(out,
            "chunk %" PRIu64 " type=%" PRIu32 "(%s) size=%" PRIu64 " record_size=%" PRIu32
            " owner=%" PRIu32 " count=%" PRIu64 " filled=%" PRIu64 "\n",
            chunk->offset, chunk->type, name != NULL ? name : "unknown", chunk->size,
            chunk->record_size, chunk->owner, chunk->count, chunk->filled);
    if (fields == NULL || name == NULL)
        return;
    while (dumpfile_next(chunk, &record)) {
        union dumpfields_record copy = {0};
        dumpfile_copy(&record, &copy, size);
        fprintf(out, "  %s %" PRIu64 " at %" PRIu64, name, record.number, record.offset);
        print_fields(out, "", "", fields, copy.bytes, " ");
        print_rest(out, chunk->type, &record, &copy);
        fputc('\n', out);
        print_structs(out, "", fields, copy.bytes);
    }
}

void dumptext_print(FILE *out, const struct dumpfile *file)
{
    fputs("header", out);
    print_fields(out, "", "", dumpfields_header, (const uint8_t *)&file->header, "\n  ");
    fputc('\n', out);
    for (size_t i = 0; i < file->chunk_count; i++)
        print_chunk(out, &file->chunks[i]);
    if (file->damaged)
        fprintf(out, "damaged %" PRIu64 "\n", file->damaged_at);
}
