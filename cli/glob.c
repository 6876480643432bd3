/* SPDX-License-Identifier: MIT */
#include "cli/glob.h"

#include "cli/errors.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MOST 32u

struct part {
    char *module; /* NULL: any */
    char *function;
    bool any_depth; /* of the part in front: it may be any caller, not just the direct one */
};

struct glob {
    size_t count;
    struct part parts[PARTS_MOST]; /* outermost first, as written */
};

void glob_free(struct glob *glob)
{
    if (glob == NULL)
        return;
    for (size_t i = 0; i < glob->count; i++) {
        free(glob->parts[i].module);
        free(glob->parts[i].function);
    }
    free(glob);
}

/* "file.c:12" or "module+0x1234": such a pattern would mean something else in the next build. */
static bool is_place(const char *function)
{
    const char *colon = strrchr(function, ':');
    size_t digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0;

    return strstr(function, "+0x") != NULL || (digits > 0 && colon[1 + digits] == '\0');
}

/* One part: what is wrong with it, or NULL. */
static char *parse_part(struct part *part, const char *text, size_t length)
{
    char *whole = strndup(text, length);
    char *mark = whole != NULL ? strchr(whole, '!') : NULL;
    char *why = NULL;

    if (mark != NULL) {
        *mark = '\0';
        part->module = xstrdup(whole);
    }
    part->function = xstrdup(mark != NULL ? mark + 1 : whole != NULL ? whole : "");
    if (length == 0)
        why = xstrdup("a function is missing: write 'function', 'module!function' or "
                      "'caller > function'");
    else if (mark != NULL && *part->module == '\0')
        why = xstrdup("the module in front of '!' is missing; '*!function' is of any module");
    else if (*part->function == '\0')
        why = xasprintf("the function behind '%s!' is missing; '%s!*' is any of it", part->module,
                        part->module);
    else if (is_place(part->function))
        why = xasprintf("'%s' is a line or an offset, which the next build changes; write a "
                        "function",
                        part->function);
    else if (strpbrk(part->function, "\n\t") != NULL || part->function[0] == ' ' ||
             part->function[strlen(part->function) - 1] == ' ')
        why = xasprintf("blanks too many around '%s'", part->function);
    free(whole);
    return why;
}

/* The next " > " or " >> " at or behind `text`, and its length; NULL: none. */
static const char *next_arrow(const char *text, size_t *length)
{
    for (const char *at = text; (at = strstr(at, " >")) != NULL; at++) {
        size_t arrows = strspn(at + 1, ">");

        *length = arrows + 2;
        if (arrows <= 2 && at[1 + arrows] == ' ')
            return at;
    }
    return NULL;
}

struct glob *glob_parse(const char *text, char **why)
{
    struct glob *glob = xcalloc(1, sizeof *glob);
    const char *end;

    *why = NULL;
    do {
        size_t length = 0;

        end = next_arrow(text, &length);
        if (glob->count == PARTS_MOST) {
            *why = xasprintf("more than %u functions", PARTS_MOST);
            break;
        }
        struct part *part = &glob->parts[glob->count++];
        *why = parse_part(part, text, end != NULL ? (size_t)(end - text) : strlen(text));
        if (end != NULL && *why == NULL) {
            part->any_depth = length == 4;
            text = end + length;
        }
    } while (end != NULL && *why == NULL);
    if (*why == NULL)
        return glob;
    glob_free(glob);
    return NULL;
}

static bool part_matches(const struct part *part, const struct glob_line *line)
{
    return (part->module == NULL || fnmatch(part->module, line->module, 0) == 0) &&
           fnmatch(part->function, line->function, 0) == 0;
}

bool glob_matches(const struct glob *glob, const struct glob_line *lines, size_t count, size_t site)
{
    bool *at = xcalloc(count + 1, sizeof *at); /* the parts so far may end at this line */
    bool any = false;

    for (size_t i = 0; i <= site && i < count; i++) {
        at[i] = part_matches(&glob->parts[glob->count - 1], &lines[i]);
        any = any || at[i];
    }
    for (size_t p = glob->count - 1; any && p-- > 0;) {
        bool inner = false; /* a line inside this one matched the parts so far */
        bool before = false;

        any = false;
        for (size_t i = 0; i < count; i++) {
            bool was = at[i];
            bool reached = glob->parts[p].any_depth ? inner : before;

            at[i] = reached && part_matches(&glob->parts[p], &lines[i]);
            any = any || at[i];
            before = was;
            inner = inner || was;
        }
    }
    free(at);
    return any;
}

const char *glob_module(const struct glob *glob, size_t i)
{
    for (size_t p = 0; p < glob->count; p++)
        if (glob->parts[p].module != NULL && i-- == 0)
            return glob->parts[p].module;
    return NULL;
}
