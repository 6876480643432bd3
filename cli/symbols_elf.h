/* SPDX-License-Identifier: MIT */
/*
 * symbols_elf.h: one ELF file with its debug information, perhaps from a separate file: from an
 * address that it states to functions, files and lines. symbols_elf.c is the only file that
 * includes libdw. Called by symbols.
 */
#ifndef CLI_SYMBOLS_ELF_H
#define CLI_SYMBOLS_ELF_H

#include "cli/symbols.h"

struct symbols_elf;

/* Opens the file at `path`, or, if that has another build-id or cannot be used, one that is found
 * by build-id. *source becomes SYMBOL_SOURCE_MISSING or _CHANGED if NULL is returned. *note: one
 * line about what is not as it should be (the caller frees), or NULL. */
struct symbols_elf *symbols_elf_open(const struct symbol_module *module, enum symbol_source *source,
                                     char **note);
void symbols_elf_close(struct symbols_elf *elf); /* NULL is fine */

/* SYMBOL_SOURCE_DWARF, _TABLE or _NONE. */
enum symbol_source symbols_elf_source(struct symbols_elf *elf);

/* The file that the names come from, or NULL. */
const char *symbols_elf_file(const struct symbols_elf *elf);

/* A function at an address; its texts live as long as the elf. */
struct symbols_elf_line {
    const char *name;      /* mangled perhaps; NULL: not known */
    const char *file;      /* NULL: not known */
    const char *directory; /* that a file which is not absolute stands in, or NULL */
    uint32_t line;
};

/* Fills at most `room` lines, innermost first; all but the last are inlined. Returns how many; 0:
 * nothing is known of the address. */
size_t symbols_elf_find(struct symbols_elf *elf, uint64_t address, struct symbols_elf_line *lines,
                        size_t room);

#endif
