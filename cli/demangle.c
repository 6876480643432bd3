/* SPDX-License-Identifier: MIT */
#include "cli/demangle.h"
#include "cli/errors.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The demangler recurses; names that are longer than any compiler's would overflow its stack. */
#define MOST_LENGTH 32768

void *xrealloc(void *block, size_t size)
{
    return xreallocarray(block, size, 1);
}

static bool is_mangled(const char *name)
{
    return (strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0 ||
            strncmp(name, "__Z", 3) == 0 || strncmp(name, "_D", 2) == 0) &&
           strlen(name) < MOST_LENGTH;
}

/* D's style is not among those that are tried by themselves. */
static int style_of(const char *name)
{
    return DMGL_ANSI | (strncmp(name, "_D", 2) == 0 ? DMGL_DLANG : DMGL_AUTO);
}

char *demangle_full(const char *name)
{
    return is_mangled(name) ? cplus_demangle(name, style_of(name) | DMGL_PARAMS) : NULL;
}

/* D's names have their parameters always: cuts the last pair of brackets. */
static void cut_parameters(char *text)
{
    size_t length = strlen(text);
    if (length == 0 || text[length - 1] != ')')
        return;
    size_t depth = 0;
    for (size_t i = length; i-- > 0;) {
        depth += text[i] == ')';
        depth -= text[i] == '(';
        if (depth > 0)
            continue;
        if (i > 0 && text[i - 1] != '!')
            text[i] = '\0';
        return;
    }
}

char *demangle_short(const char *name)
{
    if (!is_mangled(name))
        return NULL;
    char *text = cplus_demangle(name, style_of(name));
    if (text && strncmp(name, "_D", 2) == 0)
        cut_parameters(text);
    return text;
}
