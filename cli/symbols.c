/* SPDX-License-Identifier: MIT */
#include "cli/symbols.h"
#include "cli/demangle.h"
#include "cli/errors.h"
#include "cli/perfmap.h"
#include "cli/symbols_elf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 64

struct module {
    enum symbol_source source;
    struct symbols_elf *elf;
    char *note;
};

/* An address that was asked for, and the answer. */
struct entry {
    uint32_t module;
    uint64_t address;
    struct symbol *symbol; /* NULL: the place is free */
};

/* A text that is kept once. */
struct text {
    struct text *next;
    char bytes[];
};

struct symbols {
    uint32_t pid;
    bool perfmap_tried;
    struct perfmap *perfmap;
    size_t module_count;
    struct module *modules;
    size_t entry_count;
    size_t entry_room; /* a power of two */
    struct entry *entries;
    size_t text_count;
    size_t text_room; /* a power of two */
    struct text **texts;
};

/* Which programs somebody has stays on the machine, unless the user wants otherwise: distributions
 * set the servers for everybody. */
static void stay_here(void)
{
    const char *wanted = getenv("ALLOCREPORT_DEBUGINFOD");

    if (wanted == NULL || strcmp(wanted, "1") != 0)
        unsetenv("DEBUGINFOD_URLS");
}

struct symbols *symbols_new(uint32_t pid)
{
    stay_here();
    struct symbols *symbols = xcalloc(1, sizeof *symbols);
    symbols->pid = pid;
    symbols->entry_room = 1024;
    symbols->entries = xcalloc(symbols->entry_room, sizeof *symbols->entries);
    symbols->text_room = 4096;
    symbols->texts = xcalloc(symbols->text_room, sizeof(struct text *));
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    for (size_t i = 0; i < symbols->module_count; i++) {
        symbols_elf_close(symbols->modules[i].elf);
        free(symbols->modules[i].note);
    }
    for (size_t i = 0; i < symbols->entry_room; i++)
        free(symbols->entries[i].symbol);
    for (size_t i = 0; i < symbols->text_room; i++) {
        while (symbols->texts[i]) {
            struct text *next = symbols->texts[i]->next;
            free(symbols->texts[i]);
            symbols->texts[i] = next;
        }
    }
    perfmap_close(symbols->perfmap);
    free(symbols->modules);
    free(symbols->entries);
    free(symbols->texts);
    free(symbols);
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 1099511628211u;
    return hash ^ hash >> 32;
}

/* Paths and names come again and again: each is kept once. */
static const char *keep(struct symbols *symbols, const char *bytes)
{
    size_t length = strlen(bytes);
    struct text **slot = &symbols->texts[hash_of(bytes, length) & (symbols->text_room - 1)];
    for (const struct text *text = *slot; text; text = text->next)
        if (strcmp(text->bytes, bytes) == 0)
            return text->bytes;
    struct text *text = xmalloc(sizeof *text + length + 1);
    memcpy(text->bytes, bytes, length + 1);
    text->next = *slot;
    *slot = text;
    symbols->text_count++;
    return text->bytes;
}

static void grow_texts(struct symbols *symbols)
{
    if (symbols->text_count < symbols->text_room)
        return;
    size_t room = symbols->text_room * 4;
    struct text **texts = xcalloc(room, sizeof(struct text *));
    for (size_t i = 0; i < symbols->text_room; i++) {
        while (symbols->texts[i]) {
            struct text *text = symbols->texts[i];
            symbols->texts[i] = text->next;
            struct text **slot = &texts[hash_of(text->bytes, strlen(text->bytes)) & (room - 1)];
            text->next = *slot;
            *slot = text;
        }
    }
    free(symbols->texts);
    symbols->texts = texts;
    symbols->text_room = room;
}

static struct entry *place_of(struct entry *entries, size_t room, uint32_t module, uint64_t address)
{
    const uint64_t key[2] = {module, address};
    size_t at = hash_of(key, sizeof key) & (room - 1);
    while (entries[at].symbol && (entries[at].module != module || entries[at].address != address))
        at = (at + 1) & (room - 1);
    return &entries[at];
}

static void grow_entries(struct symbols *symbols)
{
    if (symbols->entry_count * 2 < symbols->entry_room)
        return;
    size_t room = symbols->entry_room * 4;
    struct entry *entries = xcalloc(room, sizeof *entries);
    for (size_t i = 0; i < symbols->entry_room; i++) {
        const struct entry *old = &symbols->entries[i];
        if (old->symbol)
            *place_of(entries, room, old->module, old->address) = *old;
    }
    free(symbols->entries);
    symbols->entries = entries;
    symbols->entry_room = room;
}

static const char *perf_name(struct symbols *symbols, uint64_t address)
{
    if (!symbols->perfmap_tried) {
        char path[40];
        snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", symbols->pid);
        symbols->perfmap = perfmap_open(path);
        symbols->perfmap_tried = true;
    }
    return perfmap_find(symbols->perfmap, address);
}

/* NULL: a module of no number. */
static struct module *open_module(struct symbols *symbols, const struct symbol_module *wanted)
{
    if (wanted->id == UINT32_MAX)
        return NULL;
    if (wanted->id >= symbols->module_count) {
        size_t count = wanted->id + (size_t)1;
        symbols->modules = xreallocarray(symbols->modules, count, sizeof *symbols->modules);
        memset(symbols->modules + symbols->module_count, 0,
               (count - symbols->module_count) * sizeof *symbols->modules);
        symbols->module_count = count;
    }
    struct module *module = &symbols->modules[wanted->id];
    if (module->source != SYMBOL_SOURCE_UNTRIED)
        return module;
    module->source = SYMBOL_SOURCE_MISSING;
    if (!wanted->anonymous && wanted->path && *wanted->path)
        module->elf = symbols_elf_open(wanted, &module->source, &module->note);
    if (module->elf)
        module->source = symbols_elf_source(module->elf);
    return module;
}

static struct symbol *new_symbol(size_t count)
{
    struct symbol *symbol = xcalloc(1, sizeof *symbol + count * sizeof(struct symbol_line));
    symbol->count = count;
    symbol->lines = (struct symbol_line *)(symbol + 1);
    return symbol;
}

static void name_line(struct symbols *symbols, struct symbol_line *line, const char *name)
{
    if (!name)
        return;
    char *full = demangle_full(name);
    char *brief = full ? demangle_short(name) : NULL;
    line->full = keep(symbols, full ? full : name);
    line->function = keep(symbols, brief ? brief : full ? full : name);
    free(full);
    free(brief);
}

static void place_line(struct symbols *symbols, struct symbol_line *line,
                       const struct symbols_elf_line *found)
{
    line->line = found->line;
    if (!found->file)
        return;
    if (*found->file == '/' || !found->directory) {
        line->file = keep(symbols, found->file);
        return;
    }
    char *path = xasprintf("%s/%s", found->directory, found->file);
    line->file = keep(symbols, path);
    free(path);
}

static struct symbol *work_out(struct symbols *symbols, const struct symbol_module *wanted,
                               uint64_t address)
{
    struct symbols_elf_line found[MOST_LINES];
    struct module *module = open_module(symbols, wanted);
    size_t count = 0;
    if (module && module->elf)
        count = symbols_elf_find(module->elf, address, found, MOST_LINES);
    struct symbol *symbol = new_symbol(count ? count : 1);
    struct symbol_line *lines = (struct symbol_line *)(symbol + 1);
    for (size_t i = 0; i < count; i++) {
        name_line(symbols, &lines[i], found[i].name);
        place_line(symbols, &lines[i], &found[i]);
        lines[i].inlined = i + 1 < count;
    }
    if (count == 0 && (!module || wanted->anonymous)) {
        const char *name = perf_name(symbols, address);
        name_line(symbols, lines, name);
        if (name && module)
            module->source = SYMBOL_SOURCE_PERF_MAP;
    }
    return symbol;
}

const struct symbol *symbols_find(struct symbols *symbols, const struct symbol_module *module,
                                  uint64_t offset, bool exact)
{
    uint64_t address = exact || offset == 0 ? offset : offset - 1;
    struct entry *entry = place_of(symbols->entries, symbols->entry_room, module->id, address);
    if (entry->symbol)
        return entry->symbol;
    grow_texts(symbols);
    *entry = (struct entry){module->id, address, work_out(symbols, module, address)};
    const struct symbol *symbol = entry->symbol;
    symbols->entry_count++;
    grow_entries(symbols);
    return symbol;
}

static const struct module *find_module(const struct symbols *symbols, uint32_t id)
{
    return id < symbols->module_count ? &symbols->modules[id] : NULL;
}

enum symbol_source symbols_source(const struct symbols *symbols, uint32_t id)
{
    const struct module *module = find_module(symbols, id);
    return module ? module->source : SYMBOL_SOURCE_UNTRIED;
}

const char *symbols_file(const struct symbols *symbols, uint32_t id)
{
    const struct module *module = find_module(symbols, id);
    return module && module->elf ? symbols_elf_file(module->elf) : NULL;
}

const char *symbols_note(const struct symbols *symbols, uint32_t id)
{
    const struct module *module = find_module(symbols, id);
    return module ? module->note : NULL;
}
