/* SPDX-License-Identifier: MIT */
/*
 * text.h: builds short texts without stdio, malloc or locale. What does not fit is cut off and
 * `full` says so. For messages and file names in preload/. Safe in signal handlers.
 */
#ifndef AR_TEXT_H
#define AR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ar_text {
    char *at;
    size_t size; /* bytes at `at`, the final NUL included */
    size_t length;
    bool full;
};

/* An empty text in `buffer` of `size` >= 1 bytes; it is NUL-terminated at all times. */
struct ar_text ar_text_in(char *buffer, size_t size);

void ar_text_add(struct ar_text *text, const char *more);
void ar_text_add_bytes(struct ar_text *text, const char *more, size_t length);
void ar_text_add_number(struct ar_text *text, uint64_t number);
/* With a comma between groups of three digits. */
void ar_text_add_grouped(struct ar_text *text, uint64_t number);

#endif
