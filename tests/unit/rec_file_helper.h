/* SPDX-License-Identifier: MIT */
/* rec_file_helper.h: a directory of its own for each test of mapfile.h and outfile.h. */
#ifndef TESTS_REC_FILE_HELPER_H
#define TESTS_REC_FILE_HELPER_H

#include "preload/config.h"
#include "preload/mapfile.h"
#include "preload/outfile.h"
#include "tests/unit/rec_helper.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char directory[64];

static inline int enter(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_rec_mapfile.XXXXXX");
    ar_config.direct = 1;
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        return -1;
    ar_outfile_start();
    return 0;
}

static inline int leave(void **state)
{
    DIR *files = opendir(directory);
    const struct dirent *file;

    (void)state;
    if (ar_header() != NULL)
        ar_mapfile_abandon();
    ar_config.max_size = 64;
    if (files == NULL || chdir("/") != 0)
        return -1;
    while ((file = readdir(files)) != NULL)
        unlinkat(dirfd(files), file->d_name, 0);
    closedir(files);
    return rmdir(directory);
}

static inline void settle(void)
{
    struct ar_settling settling = ar_mapfile_begin_settle();

    ar_mapfile_end_settle(&settling);
}

static inline long size_of(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

static inline char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long there = size_of(path);
    char *bytes;

    assert_non_null(file);
    assert_true(there > 0);
    *size = there > 0 ? (size_t)there : 1;
    bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Follows the chunks of a dump from its header to its end; how many there are. */
static inline unsigned check_chunks(const char *bytes)
{
    const struct dump_header *header = (const struct dump_header *)bytes;
    unsigned count = 0;

    assert_memory_equal(header->magic, DUMP_MAGIC, 8);
    assert_int_equal(header->version, DUMP_VERSION);
    assert_int_equal(header->header_size, DUMP_HEADER_SIZE);
    assert_int_equal(header->pid, getpid());
    assert_true(!ar_mapfile_exists() || header->used <= header->reserved);
    for (uint64_t at = DUMP_HEADER_SIZE; at < header->used; count++) {
        const struct dump_chunk *chunk = (const struct dump_chunk *)(bytes + at);

        assert_int_equal(chunk->magic, DUMP_CHUNK_MAGIC);
        assert_int_equal(chunk->size % DUMP_ALIGN, 0);
        assert_true(chunk->filled <= chunk->size - sizeof *chunk);
        at += chunk->size;
        assert_true(at <= header->used);
    }
    return count;
}

static inline void write_text(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("mine", file);
    fclose(file);
}

#endif
