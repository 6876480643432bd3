/* SPDX-License-Identifier: MIT */
/*
 * outfile.h: the dump as a file: its name, its making, its growth, its end. It is never written
 * over a file that exists; it is opened by its path for each step of growth, and used only if it is
 * still the same file. Failures are reported in one line each. Called by mapfile.c, and at start by
 * process.c.
 *
 * A store into a mapped file on a disk may wait for that disk: with the disk under load, for tens
 * of milliseconds. So the live file stands on a tmpfs where there is one (livedir.h), with a
 * symbolic link to it at the dump's own path, and takes the link's place when the program ends;
 * after a kill, the reporter does that.
 */
#ifndef AR_OUTFILE_H
#define AR_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>

#define AR_PATH_MOST 4096u

struct ar_outfile {
    char path[AR_PATH_MOST]; /* the dump's own; absolute where the directory at start could be told
                              */
    char live[AR_PATH_MOST]; /* of the file that is mapped; the same as path, or on a tmpfs */
    uint64_t device;         /* of the live file */
    uint64_t inode;
};

/* Remembers the working directory, where relative templates begin. At the program's start. */
void ar_outfile_start(void);

/* Makes an empty file, mode 0600, from the template (%e program, %p pid, %% percent; NULL: a file
 * "%e.%p.alloc" in the directory in which the program was started). If it exists, ".1", ".2" ... is
 * appended. `direct`: at its own path, never on a tmpfs. */
bool ar_outfile_create(struct ar_outfile *file, const char *template, const char *program,
                       bool direct);

/* Reserves the file's blocks from `mapped` to `size` and maps them at region + mapped. 0 or -errno;
 * `quietly`: no line is written. */
long ar_outfile_map(const struct ar_outfile *file, char *region, uint64_t mapped, uint64_t size,
                    bool quietly);

/* Cuts the file to `size`; what lies behind must not be touched any more. */
bool ar_outfile_shrink(const struct ar_outfile *file, uint64_t size);

/* Does the live file stand elsewhere than at the dump's own path? */
bool ar_outfile_is_elsewhere(const struct ar_outfile *file);

/* The live file takes the link's place, in two steps. The first makes a file of `size` bytes beside
 * the link and returns its descriptor, or -errno. The second, when the bytes are in it, renames it
 * over the link and removes the live file; afterwards `file` is that file. The descriptor stays the
 * caller's. */
int ar_outfile_begin_settle(const struct ar_outfile *file, uint64_t size);
bool ar_outfile_end_settle(struct ar_outfile *file, int fd);

/* Removes a file that ar_outfile_create made, and its link. */
void ar_outfile_remove(const struct ar_outfile *file);

#endif
