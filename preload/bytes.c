/* SPDX-License-Identifier: MIT */
/*
 * bytes.c: the few functions of <string.h> that the recorder uses, under their own names and
 * hidden, so that the library's calls of them, and those that the compiler makes, stay inside it: a
 * sanitizer's or a program's function of that name may not be ready when the recorder is.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))
/* The compiler must not find these very functions in their loops. */
#if defined(__GNUC__) && !defined(__clang__)
#define PLAIN HIDDEN __attribute__((optimize("no-tree-loop-distribute-patterns")))
#else
#define PLAIN HIDDEN __attribute__((no_builtin))
#endif

typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    size_t i = 0;

    for (; i + sizeof(any_word) <= bytes; i += sizeof(any_word))
        *(any_word *)((char *)to + i) = *(const any_word *)((const char *)from + i);
    for (; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

PLAIN void *memmove(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to - (uintptr_t)from >= bytes)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        ((char *)to)[bytes] = ((const char *)from)[bytes];
    return to;
}

PLAIN void *memset(void *to, int value, size_t bytes)
{
    any_word word = (unsigned char)value * UINT64_C(0x0101010101010101);
    size_t i = 0;

    for (; i + sizeof word <= bytes; i += sizeof word)
        *(any_word *)((char *)to + i) = word;
    for (; i < bytes; i++)
        ((char *)to)[i] = (char)value;
    return to;
}

PLAIN int memcmp(const void *one, const void *other, size_t bytes)
{
    const unsigned char *a = one;
    const unsigned char *b = other;

    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

PLAIN size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    return length;
}

static inline int order(const char *one, const char *other, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        if (one[i] != other[i])
            return (unsigned char)one[i] < (unsigned char)other[i] ? -1 : 1;
        if (one[i] == '\0')
            return 0;
    }
    return 0;
}

PLAIN int strncmp(const char *one, const char *other, size_t most)
{
    return order(one, other, most);
}

PLAIN int strcmp(const char *one, const char *other)
{
    return order(one, other, SIZE_MAX);
}

PLAIN char *strrchr(const char *text, int wanted)
{
    const char *found = NULL;

    for (;; text++) {
        if (*text == (char)wanted)
            found = text;
        if (*text == '\0')
            return (char *)found;
    }
}
