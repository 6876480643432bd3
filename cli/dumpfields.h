/* SPDX-License-Identifier: MIT */
/*
 * dumpfields.h: the fields of the dump's records, as tables: name, place, kind. Called by dumptext
 * and dumpjson.
 */
#ifndef CLI_DUMPFIELDS_H
#define CLI_DUMPFIELDS_H

#include "preload/dump_format.h"

#include <stddef.h>
#include <stdint.h>

enum dumpfield_kind {
    DUMPFIELD_U16,
    DUMPFIELD_U32,
    DUMPFIELD_U64,
    DUMPFIELD_HEX32, /* flags */
    DUMPFIELD_HEX64, /* addresses */
    DUMPFIELD_TEXT,  /* `count` bytes, NUL padded */
    DUMPFIELD_BYTES, /* `count` bytes, in hexadecimal */
    DUMPFIELD_STRUCT /* of `fields` */
};

struct dumpfield {
    const char *name; /* NULL ends a table */
    size_t offset;
    enum dumpfield_kind kind;
    size_t count; /* of an array of numbers or structs; 1: a single one */
    size_t step;  /* bytes from one struct of an array to the next */
    const struct dumpfield *fields;
};

extern const struct dumpfield dumpfields_header[];

/* A record in memory, its variable end left out. */
union dumpfields_record {
    struct dump_info info;
    struct dump_module module;
    struct dump_stack stack;
    struct dump_frame frame;
    struct dump_thread thread;
    struct dump_counter counter;
    struct dump_loop loop;
    struct dump_histogram histogram;
    struct dump_bucket bucket;
    struct dump_worst worst;
    struct dump_event event;
    struct dump_patch patch;
    uint8_t bytes[sizeof(struct dump_histogram)];
};

/* Number `index` of the array of that kind that begins at `bytes`. */
uint64_t dumpfields_number(const uint8_t *bytes, enum dumpfield_kind kind, size_t index);

/* The fields of a record of that type without its variable end, and their size in bytes; NULL: a
 * type that is not known. */
const struct dumpfield *dumpfields_of(uint32_t type, size_t *size);

#endif
