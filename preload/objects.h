/* SPDX-License-Identifier: MIT */
/*
 * objects.h: the loaded objects, as the loader knows them: which one an address lies in, where its
 * unwind tables and readable segments are, its build-id. Looked up without a lock of the loader
 * where libc can (glibc 2.35's _dl_find_object), so that it may be asked inside an allocation hook;
 * on older ones by dl_iterate_phdr. Keeps nothing.
 */
#ifndef AR_OBJECTS_H
#define AR_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

struct ar_object {
    uintptr_t start; /* first mapped address */
    uintptr_t end;
    uintptr_t bias;   /* address minus the address that the file states */
    const char *path; /* the loader's: valid while the object is loaded; empty for the program */
    uintptr_t eh_frame_header; /* 0: it has none */
    const void *segments;      /* its program headers; NULL: not found */
    unsigned segment_count;
    bool executable; /* the program itself */
};

/* Call once, at start. */
void ar_objects_start(void);

/* False: `address` lies in no object. */
bool ar_objects_find(uintptr_t address, struct ar_object *object);

/* The object's build-id, at most `most` bytes; its length, or 0. */
uint32_t ar_objects_build_id(const struct ar_object *object, uint8_t *to, uint32_t most);

/* Does the text stand in one of its segments that cannot be written to? Reads all of them. */
bool ar_objects_hold(const struct ar_object *object, const char *text);

#define AR_SEGMENTS_MOST 8u
struct ar_tables {
    uintptr_t start; /* of the object */
    uintptr_t end;
    uintptr_t eh_frame_header; /* 0: it has none */
    unsigned segment_count;
    struct {
        uintptr_t start;
        uintptr_t end;
    } segments[AR_SEGMENTS_MOST]; /* those that may be read */
};

/* Of the object that `address` lies in; kept as they are if they are already. False: in none. */
bool ar_objects_tables(uintptr_t address, struct ar_tables *tables);
bool ar_objects_readable(const struct ar_tables *tables, uintptr_t address, uintptr_t bytes);

#endif
