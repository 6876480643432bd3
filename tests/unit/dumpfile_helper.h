/* SPDX-License-Identifier: MIT */
/*
 * dumpfile_helper.h: images of dumps, and reading them from memory that is exactly theirs. Included
 * by tests of dumpfile only.
 */
#ifndef TESTS_DUMPFILE_HELPER_H
#define TESTS_DUMPFILE_HELPER_H

#include "cli/dumpfile.h"
#include "cli/model.h"
#include "tests/unit/dump_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

static inline struct bytes example(void)
{
    struct builder builder;
    struct bytes bytes;
    builder_example(&builder);
    bytes.data = builder_image(&builder, &bytes.size);
    builder_end(&builder);
    return bytes;
}

static inline uint64_t records(const struct dumpfile *file)
{
    uint64_t count = 0;
    for (size_t i = 0; i < file->chunk_count; i++) {
        struct dumpfile_record record = {0};
        uint64_t here = 0;
        while (dumpfile_next(&file->chunks[i], &record)) {
            assert_int_equal(record.number, here);
            assert_true(record.size > 0);
            here++;
        }
        assert_int_equal(here, file->chunks[i].count);
        count += here;
    }
    return count;
}

/* Reads the bytes from memory that is exactly theirs, so that a sanitizer sees a step too far; the
 * model is built and checked too. Returns whether the dump can be used. */
static inline bool survives(const uint8_t *data, size_t size, struct dumpfile *file)
{
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    if (size)
        memcpy(exact, data, size);
    bool usable = dumpfile_from_memory(file, "x.alloc", exact, size) == 0;
    free(exact);
    if (!usable) {
        assert_non_null(file->message);
        return false;
    }
    assert_true(file->damaged == (file->message != NULL));
    records(file);
    struct model *model = model_build(file);
    struct model_filter all = MODEL_FILTER_ALL;
    size_t count;
    free(model_select(model, &all, MODEL_BY_BYTES, &count, NULL));
    model_check(model, NULL);
    model_close(model);
    return true;
}

static inline char *write_file(const struct bytes *bytes, char *path)
{
    strcpy(path, "/tmp/test_dumpfile.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes->data, bytes->size), bytes->size);
    close(fd);
    return path;
}

#endif
