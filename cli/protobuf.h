/* SPDX-License-Identifier: MIT */
/*
 * protobuf.h: writes messages of Protocol Buffers: base-128 varints and fields with a length
 * (protobuf's "Encoding"). Knows no schema. Called by export_pprof.
 *
 * Fields that are 0 are left out, as proto3 has it; but those of protobuf_packed, which are lists.
 */
#ifndef CLI_PROTOBUF_H
#define CLI_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct protobuf {
    size_t size, room;
    uint8_t *bytes;
};

void protobuf_free(struct protobuf *message); /* empty again */

void protobuf_number(struct protobuf *message, unsigned field, uint64_t number);
void protobuf_text(struct protobuf *message, unsigned field, const char *text); /* "" too */
void protobuf_packed(struct protobuf *message, unsigned field, const uint64_t *numbers,
                     size_t count);

/* Adds `part` as a field, also if it is empty, and empties it. */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part);

#endif
