/* SPDX-License-Identifier: MIT */
/*
 * dumpfile_source.h: where the bytes of a dump come from: a file, a pipe or memory, read by offset.
 * Knows nothing of what they mean. Called by dumpfile alone.
 */
#ifndef CLI_DUMPFILE_SOURCE_H
#define CLI_DUMPFILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct dumpfile_source {
    int fd;              /* -1: memory */
    const uint8_t *data; /* of memory */
    uint8_t *owned;      /* that memory if it is the source's to free */
    uint64_t size;
    uint64_t blocks; /* bytes that take room on the disk: less than size if it has holes */
    dev_t device;
    ino_t inode;
    int error; /* errno of a read that failed */
};

/* 0, or -1 after printing why it cannot be opened or read. At most `most` bytes of what cannot be
 * read by offset (a pipe) are taken. */
int dumpfile_source_open(struct dumpfile_source *source, const char *path, size_t most);

/* Of a regular file that is open and stays the caller's; to be closed no further. -1: it is none.
 */
int dumpfile_source_descriptor(struct dumpfile_source *source, int descriptor);

/* The bytes stay the caller's and must outlive the source. */
void dumpfile_source_memory(struct dumpfile_source *source, const void *data, size_t size);

void dumpfile_source_close(struct dumpfile_source *source);

/* Bytes read into `to`: fewer than `size` only at the end, or after an error. */
size_t dumpfile_source_read(struct dumpfile_source *source, uint64_t offset, void *to, size_t size);

/* Whether process `pid` is there and maps this very file. One whose maps may not be read counts as
 * such. False for memory. */
bool dumpfile_source_is_mapped(const struct dumpfile_source *source, uint32_t pid);

#endif
