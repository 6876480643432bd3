/* SPDX-License-Identifier: MIT */
/*
 * symbols.h: from a module and an offset to functions, files and lines. The only user of libdw.
 * Works offline from the module's path and build-id: a file whose build-id is another one is not
 * used, and a note says so. Separate debug files are found by build-id (/usr/lib/debug/.build-id),
 * .gnu_debuglink and .gnu_debugaltlink; debuginfod is asked only if ALLOCREPORT_DEBUGINFOD is 1.
 * Prints nothing; knows no dump. Called by the model.
 */
#ifndef CLI_SYMBOLS_H
#define CLI_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One function at an address. All text belongs to the struct symbols and lives as long as it. */
struct symbol_line {
    const char *function; /* demangled, without parameter list; NULL: not known */
    const char *full;     /* demangled, whole; NULL: not known */
    const char *file;     /* as the debug information states it, made absolute where it can be;
                             NULL: not known */
    uint32_t line;        /* 0: not known */
    bool inlined; /* has no frame of its own: was inlined into the next line of the symbol */
};

/* What is at one address: at least one line, innermost first; only the last one is not inlined. */
struct symbol {
    size_t count;
    const struct symbol_line *lines;
};

/* What became of one module. */
enum symbol_source {
    SYMBOL_SOURCE_UNTRIED = 0,  /* nobody has asked for an address of it */
    SYMBOL_SOURCE_DWARF = 1,    /* functions, files, lines */
    SYMBOL_SOURCE_TABLE = 2,    /* .symtab or .dynsym: functions only */
    SYMBOL_SOURCE_PERF_MAP = 3, /* /tmp/perf-PID.map */
    SYMBOL_SOURCE_NONE = 4,     /* the file has no symbols at all */
    SYMBOL_SOURCE_MISSING = 5,  /* the file cannot be opened or is no ELF file */
    SYMBOL_SOURCE_CHANGED = 6   /* the file at its path has another build-id */
};

/* A module as the dump states it. `id` is a small number of the caller's choice (an index). */
struct symbol_module {
    uint32_t id;
    const char *path;        /* NULL or "": none */
    const uint8_t *build_id; /* NULL if build_id_length == 0 */
    size_t build_id_length;
    bool anonymous; /* offsets are absolute addresses; only a perf map can name them */
};

struct symbols;

/* `pid`: whose /tmp/perf-PID.map is read when an anonymous module is asked for. Never NULL. */
struct symbols *symbols_new(uint32_t pid);
void symbols_free(struct symbols *symbols);

/* What is at `offset` of the module: `offset` is a return address unless `exact` (then looked up
 * as it is, else offset - 1). Each distinct address is worked out once, each module opened once.
 * Never NULL; a place that nothing is known of has one line, all NULL. */
const struct symbol *symbols_find(struct symbols *symbols, const struct symbol_module *module,
                                  uint64_t offset, bool exact);

/* What became of the module with this id. */
enum symbol_source symbols_source(const struct symbols *symbols, uint32_t id);

/* The file its functions or lines came from (a separate debug file perhaps), or NULL. */
const char *symbols_file(const struct symbols *symbols, uint32_t id);

/* Why its names are missing or poor ("changed since it was recorded", "cannot open: ..."), or NULL.
 */
const char *symbols_note(const struct symbols *symbols, uint32_t id);

#endif
