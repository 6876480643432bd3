/* SPDX-License-Identifier: MIT */
/*
 * dumpfile.h: opens a dump, checks it and hands out its chunks and records. Trusts no byte: what a
 * chunk or a record claims is compared with what is there before anybody sees it. The file is read,
 * not mapped, so that a file cut short meanwhile does no harm; of a running program's dump each
 * count is read once, before the records that it covers. It does not interpret records: that is the
 * model's. Called by the model and by `dump`.
 */
#ifndef CLI_DUMPFILE_H
#define CLI_DUMPFILE_H

#include "preload/dump_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of records that are read: at most so many, or so many times what the file takes on the disk
 * if that is more, so that a small file with a huge hole does not fill the memory. */
#define DUMPFILE_MOST   ((uint64_t)256 << 20)
#define DUMPFILE_SPARSE 16u

/* A record of fixed size has at least this part (1 / so much) of the bytes that are known of it. */
#define DUMPFILE_SHORTEST 8u

struct dumpfile_chunk {
    uint64_t offset;      /* of its header, in the file */
    uint64_t size;        /* header included */
    uint32_t type;        /* enum dump_chunk_type, or one that is newer */
    uint32_t record_size; /* 0: variable */
    uint32_t owner;
    uint64_t count;       /* records that can be used */
    uint64_t filled;      /* their bytes */
    const uint8_t *bytes; /* of the first record; NULL if there is none */
};

struct dumpfile_record {
    uint64_t number; /* in its chunk, from 0 */
    uint64_t offset; /* in the file */
    const uint8_t *bytes;
    size_t size;
};

struct dumpfile {
    char *path;
    uint64_t file_size;
    struct dump_header header; /* as read, checked */
    size_t chunk_count;
    struct dumpfile_chunk *chunks; /* in the order of the file */
    bool running;                  /* the header says so and the process has the file open still */
    bool damaged;                  /* chunks and records from damaged_at on were left out */
    uint64_t damaged_at;           /* offset in the file */
    uint64_t used;                 /* end of what is used */
    char *message; /* why it cannot be used, or what is damaged; NULL: all is well */
};

/* Opens and reads the dump. 0: can be used, dumpfile_close frees it; if it is damaged a warning was
 * printed. -1: cannot, the reason was printed and nothing needs to be freed. */
int dumpfile_open(struct dumpfile *file, const char *path);

/* The same from `size` bytes in memory, which are needed no longer afterwards. Prints nothing; on
 * -1 file->message is the reason and dumpfile_close must be called as well. */
int dumpfile_from_memory(struct dumpfile *file, const char *name, const void *data, size_t size);

/* The same of a regular file that is open already, whatever has become of its path. It stays open.
 * `running` is then what the header says: whether its process is there, the caller must know. */
int dumpfile_read(struct dumpfile *file, const char *name, int descriptor);

/* Whether process `pid` maps the open file. Reads the process's memory map, for which its memory is
 * locked for a moment: to be asked once, not each second. */
bool dumpfile_is_mapped(int descriptor, uint32_t pid);

void dumpfile_close(struct dumpfile *file);

/* Is it a dump whose program maps it no longer? False too when it cannot be read. */
bool dumpfile_is_left(const char *path);

/* As dumpfile_open, in silence, of such a dump. */
int dumpfile_open_left(struct dumpfile *file, const char *path);

/* The next record of the chunk: start with *record all zero. False: no more. */
bool dumpfile_next(const struct dumpfile_chunk *chunk, struct dumpfile_record *record);

/* Copies the record's first `size` bytes to `to`; those that an older writer's shorter record does
 * not have become zero. */
void dumpfile_copy(const struct dumpfile_record *record, void *to, size_t size);

/* "INFO", "MODULE", ... ; NULL: a type that is not known. */
const char *dumpfile_type_name(uint32_t type);

#endif
