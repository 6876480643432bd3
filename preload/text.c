/* SPDX-License-Identifier: MIT */
#include "preload/text.h"

#include <string.h>

struct ar_text ar_text_in(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (struct ar_text){.at = buffer, .size = size};
}

void ar_text_add_bytes(struct ar_text *text, const char *more, size_t length)
{
    size_t room = text->size - 1 - text->length;

    if (length > room) {
        length = room;
        text->full = true;
    }
    memcpy(text->at + text->length, more, length);
    text->length += length;
    text->at[text->length] = '\0';
}

void ar_text_add(struct ar_text *text, const char *more)
{
    ar_text_add_bytes(text, more, strlen(more));
}

static void add_digits(struct ar_text *text, uint64_t number, unsigned group)
{
    char digits[32];
    size_t at = sizeof digits;

    for (unsigned n = 0; n == 0 || number > 0; n++) {
        if (group != 0 && n > 0 && n % group == 0)
            digits[--at] = ',';
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    }
    ar_text_add_bytes(text, digits + at, sizeof digits - at);
}

void ar_text_add_number(struct ar_text *text, uint64_t number)
{
    add_digits(text, number, 0);
}

void ar_text_add_grouped(struct ar_text *text, uint64_t number)
{
    add_digits(text, number, 3);
}
