/* SPDX-License-Identifier: MIT */
#include "cli/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 0))) static void
print_message(const char *prefix, const char *format, va_list arguments)
{
    char text[4096];
    int length = vsnprintf(text, sizeof text, format, arguments);

    fprintf(stderr, "allocreport: %s", prefix);
    for (const char *c = text; length > 0 && *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f)
            fprintf(stderr, "\\x%02x", byte);
        else
            fputc(byte, stderr);
    }
    fputc('\n', stderr);
}

int error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
    return -1;
}

void warning(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_message("warning: ", format, arguments);
    va_end(arguments);
}

static void *or_die(void *block)
{
    if (block == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    return block;
}

void *xmalloc(size_t size)
{
    return or_die(malloc(size > 0 ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return or_die(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *xreallocarray(void *block, size_t count, size_t size)
{
    return or_die(reallocarray(block, count > 0 ? count : 1, size > 0 ? size : 1));
}

char *xstrdup(const char *text)
{
    return or_die(strdup(text));
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return or_die(text);
}
