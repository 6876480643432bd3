/* SPDX-License-Identifier: MIT */
#include "cli/text.h"

#include "cli/errors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Reads one character of UTF-8. Returns its length in bytes, 0 if there is none (RFC 3629: no
 * overlong forms, no surrogates). */
static size_t utf8_read(const char *text, size_t length, uint32_t *character)
{
    const unsigned char *byte = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size;

    if (length == 0)
        return 0;
    if (byte[0] < 0x80) {
        *character = byte[0];
        return 1;
    }
    if ((byte[0] & 0xe0) == 0xc0)
        size = 2;
    else if ((byte[0] & 0xf0) == 0xe0)
        size = 3;
    else if ((byte[0] & 0xf8) == 0xf0)
        size = 4;
    else
        return 0;
    if (size > length)
        return 0;

    uint32_t sum = byte[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        sum = sum << 6 | (byte[i] & 0x3f);
    }
    if (sum < least[size] || sum > 0x10ffff || (sum >= 0xd800 && sum <= 0xdfff))
        return 0;
    *character = sum;
    return size;
}

/* Not for a terminal: C0 and C1 controls, and what changes the order or hides itself. */
static bool is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb);
}

char *text_escape(const char *text, size_t length, bool utf8)
{
    char *escaped = xmalloc(4 * length + 1);
    size_t at = 0;

    for (size_t i = 0; i < length;) {
        uint32_t character = 0;
        size_t size = utf8_read(text + i, length - i, &character);

        if (size > 0 && !is_unsafe(character) && (utf8 || character < 0x80)) {
            memcpy(escaped + at, text + i, size);
            at += size;
            i += size;
            continue;
        }
        for (size_t end = i + (size > 0 ? size : 1); i < end; i++)
            at += (size_t)sprintf(escaped + at, "\\x%02x", (unsigned char)text[i]);
    }
    escaped[at] = '\0';
    return escaped;
}

static char *make_valid(const char *text, bool harmless)
{
    size_t length = strlen(text);
    char *valid = xmalloc(3 * length + 1);
    char *at = valid;

    for (size_t i = 0; i < length;) {
        uint32_t character = 0;
        size_t size = utf8_read(text + i, length - i, &character);
        bool good = size > 0 && !(harmless && size > 1 && is_unsafe(character));
        at = good ? mempcpy(at, text + i, size) : mempcpy(at, "\xef\xbf\xbd", 3);
        i += size > 0 ? size : 1;
    }
    *at = '\0';
    return valid;
}

char *text_valid(const char *text)
{
    return make_valid(text, false);
}

char *text_harmless(const char *text)
{
    return make_valid(text, true);
}

char *text_shell(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";

    if (*word != '\0' && strspn(word, plain) == strlen(word))
        return xstrdup(word);

    char *quoted = xmalloc(4 * strlen(word) + 3);
    char *at = quoted;
    *at++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *word;
    }
    *at++ = '\'';
    *at = '\0';
    return quoted;
}

/* Columns of the character at `text`, and its bytes in *size. */
static size_t step(const char *text, size_t length, size_t *size)
{
    uint32_t character = 0;

    *size = utf8_read(text, length, &character);
    if (*size == 0) {
        *size = 1;
        return 1;
    }
    int columns = character < 0x80 ? 1 : wcwidth((wchar_t)character);
    return columns < 0 ? 1 : (size_t)columns;
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    size_t length = strlen(text);

    for (size_t i = 0, size; i < length; i += size)
        columns += step(text + i, length - i, &size);
    return columns;
}

/* Stands where something was left out. */
#define MARK(utf8) ((utf8) ? "\xe2\x80\xa6" : "...")

/* Shortens to `columns`, of which `head` are of the begin. */
static char *fit(const char *text, size_t columns, size_t head, bool utf8)
{
    const char *mark = MARK(utf8);
    size_t mark_columns = utf8 ? 1 : 3;
    size_t length = strlen(text);
    size_t all = text_columns(text);
    size_t tail = columns - mark_columns - head;
    size_t head_bytes = 0, at = 0, used = 0, size;

    for (; at < length; at += size) {
        size_t wide = step(text + at, length - at, &size);
        if (used + wide <= head)
            head_bytes = at + size;
        if (all - used <= tail)
            break;
        used += wide;
    }
    return xasprintf("%.*s%s%s", (int)head_bytes, text, mark, text + at);
}

char *text_fit(const char *text, size_t columns, bool utf8)
{
    size_t mark = utf8 ? 1 : 3;

    if (text_columns(text) <= columns)
        return xstrdup(text);
    if (columns <= mark)
        return columns == 0 ? xstrdup("") : xasprintf("%.*s", utf8 ? 3 : (int)columns, MARK(utf8));
    return fit(text, columns, (columns - mark) / 2, utf8);
}

char *text_fit_end(const char *text, size_t columns, bool utf8)
{
    size_t mark = utf8 ? 1 : 3;

    if (text_columns(text) <= columns || columns <= mark)
        return text_fit(text, columns, utf8);
    return fit(text, columns, 0, utf8);
}

char *text_cut(const char *text, size_t columns)
{
    size_t length = strlen(text);
    size_t used = 0, at = 0;

    for (size_t size; at < length; at += size) {
        used += step(text + at, length - at, &size);
        if (used > columns)
            break;
    }
    return xasprintf("%.*s", (int)at, text);
}
