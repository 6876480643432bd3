/* SPDX-License-Identifier: MIT */
#include "cli/strings.h"

#include "cli/errors.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct string_entry {
    size_t number;
    char text[];
};

struct strings {
    void *tree; /* of struct string_entry, by text */
    struct string_entry **entries;
    size_t count, room;
};

static int compare(const void *a, const void *b)
{
    const struct string_entry *x = a;
    const struct string_entry *y = b;

    return strcmp(x->text, y->text);
}

struct strings *strings_new(void)
{
    return xcalloc(1, sizeof(struct strings));
}

void strings_free(struct strings *strings)
{
    for (size_t i = 0; i < strings->count; i++)
        tdelete(strings->entries[i], &strings->tree, compare);
    for (size_t i = 0; i < strings->count; i++)
        free(strings->entries[i]);
    free(strings->entries);
    free(strings);
}

size_t strings_add(struct strings *strings, const char *text)
{
    size_t size = strlen(text) + 1;
    struct string_entry *entry = xmalloc(sizeof *entry + size);

    entry->number = strings->count;
    memcpy(entry->text, text, size);
    struct string_entry *const *found = tsearch(entry, &strings->tree, compare);
    if (found == NULL) {
        error("out of memory");
        exit(EXIT_UNREADABLE);
    }
    if (*found != entry) {
        free(entry);
        return (*found)->number;
    }
    if (strings->count == strings->room) {
        strings->room = strings->room > 0 ? 2 * strings->room : 64;
        strings->entries =
            xreallocarray(strings->entries, strings->room, sizeof(struct string_entry *));
    }
    strings->entries[strings->count++] = entry;
    return entry->number;
}

size_t strings_count(const struct strings *strings)
{
    return strings->count;
}

const char *strings_text(const struct strings *strings, size_t number)
{
    return strings->entries[number]->text;
}
