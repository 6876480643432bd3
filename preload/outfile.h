/* SPDX-License-Identifier: MIT */
/*
 * outfile.h: the dump as a file: its name, its making, its growth. It is never written over a file
 * that exists; it is opened by its path for each step of growth, and used only if it is still the
 * same file. Failures are reported in one line each. Called by mapfile.c alone.
 */
#ifndef AR_OUTFILE_H
#define AR_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>

struct ar_outfile {
    char path[4096]; /* absolute where the working directory could be told */
    uint64_t device;
    uint64_t inode;
};

/* Makes an empty file, mode 0600, from the template (%e program, %p pid, %% percent; NULL: a file
 * "%e.%p.alloc" in the working directory). If it exists, ".1", ".2" ... is appended. */
bool ar_outfile_create(struct ar_outfile *file, const char *template, const char *program);

/* Reserves the file's blocks from `mapped` to `size` and maps them at region + mapped. */
bool ar_outfile_map(const struct ar_outfile *file, char *region, uint64_t mapped, uint64_t size);

/* Cuts the file to `size`; what lies behind must not be touched any more. */
bool ar_outfile_shrink(const struct ar_outfile *file, uint64_t size);

/* Removes a file that ar_outfile_create made. */
void ar_outfile_remove(const struct ar_outfile *file);

#endif
