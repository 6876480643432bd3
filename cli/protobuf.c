/* SPDX-License-Identifier: MIT */
#include "cli/protobuf.h"

#include "cli/errors.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of fields on the wire. */
#define WIRE_VARINT 0u
#define WIRE_LENGTH 2u

static void put(struct protobuf *message, const void *bytes, size_t size)
{
    if (message->room - message->size < size) {
        message->room = 2 * message->room + size + 64;
        message->bytes = xreallocarray(message->bytes, message->room, 1);
    }
    if (size > 0)
        memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static void put_varint(struct protobuf *message, uint64_t number)
{
    uint8_t bytes[10];
    size_t size = 0;

    for (; number >= 0x80; number >>= 7)
        bytes[size++] = (uint8_t)(number | 0x80);
    bytes[size++] = (uint8_t)number;
    put(message, bytes, size);
}

static void put_length(struct protobuf *message, unsigned field, size_t size)
{
    put_varint(message, field << 3 | WIRE_LENGTH);
    put_varint(message, size);
}

void protobuf_free(struct protobuf *message)
{
    free(message->bytes);
    *message = (struct protobuf){0};
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t number)
{
    if (number == 0)
        return;
    put_varint(message, field << 3 | WIRE_VARINT);
    put_varint(message, number);
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    put_length(message, field, strlen(text));
    put(message, text, strlen(text));
}

void protobuf_packed(struct protobuf *message, unsigned field, const uint64_t *numbers,
                     size_t count)
{
    struct protobuf list = {0};

    for (size_t i = 0; i < count; i++)
        put_varint(&list, numbers[i]);
    protobuf_message(message, field, &list);
    protobuf_free(&list);
}

void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part)
{
    put_length(message, field, part->size);
    put(message, part->bytes, part->size);
    part->size = 0;
}
