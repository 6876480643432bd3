/* SPDX-License-Identifier: MIT */
#include "cli/escape.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define LONGEST     8              /* bytes that come of one, with the NUL */

/* Writes what stands in the place of `byte` to `out`. */
static void put_xml(unsigned char byte, char out[LONGEST])
{
    bool allowed = byte >= ' ' || byte == '\t' || byte == '\n' || byte == '\r';

    if (!allowed || byte == 0x7f)
        strcpy(out, REPLACEMENT);
    else if (byte < ' ' || strchr("&<>\"'", byte) != NULL)
        snprintf(out, LONGEST, "&#%u;", byte);
    else
        snprintf(out, LONGEST, "%c", byte);
}

static void put_command(unsigned char byte, const char *escaped, char out[LONGEST])
{
    if (strchr(escaped, byte) != NULL)
        snprintf(out, LONGEST, "%%%02X", byte);
    else if ((byte < ' ' && byte != '\t') || byte == 0x7f)
        strcpy(out, REPLACEMENT); /* logs are shown on terminals */
    else
        snprintf(out, LONGEST, "%c", byte);
}

static void put_github(unsigned char byte, char out[LONGEST])
{
    put_command(byte, "%\r\n", out);
}

static void put_github_property(unsigned char byte, char out[LONGEST])
{
    put_command(byte, "%\r\n:,", out);
}

static void put_markdown(unsigned char byte, char out[LONGEST])
{
    if (byte < ' ' || byte == 0x7f)
        strcpy(out, " ");
    else if (strchr("&<>\"'\\`*_{}[]()#+!|~$@", byte) != NULL)
        snprintf(out, LONGEST, "&#%u;", byte);
    else
        snprintf(out, LONGEST, "%c", byte);
}

static char *escape(const char *text, void (*put)(unsigned char byte, char out[LONGEST]))
{
    char *valid = text_harmless(text);
    char *whole = xmalloc(strlen(valid) * (LONGEST - 1) + 1);
    char *end = whole;

    for (const char *at = valid; *at != '\0'; at++) {
        char part[LONGEST];

        put((unsigned char)*at, part);
        end = stpcpy(end, part);
    }
    *end = '\0';
    free(valid);
    return whole;
}

/* U+FFFE and U+FFFF are characters of UTF-8 but not of XML. */
static void replace_nonchars(char *text)
{
    for (char *at = text; (at = strstr(at, "\xef\xbf")) != NULL; at += 3)
        if ((unsigned char)at[2] >= 0xbe)
            memcpy(at, REPLACEMENT, 3);
}

char *escape_xml(const char *text)
{
    char *escaped = escape(text, put_xml);

    replace_nonchars(escaped);
    return escaped;
}

char *escape_github(const char *text)
{
    return escape(text, put_github);
}

char *escape_github_property(const char *text)
{
    return escape(text, put_github_property);
}

char *escape_markdown(const char *text)
{
    return escape(text, put_markdown);
}
