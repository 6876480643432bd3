/* SPDX-License-Identifier: MIT */
#include "cli/dumpfile.h"
#include "cli/model.h"
#include "tests/unit/dump_builder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes example(void)
{
    struct builder builder;
    struct bytes bytes;
    builder_example(&builder);
    bytes.data = builder_image(&builder, &bytes.size);
    builder_end(&builder);
    return bytes;
}

static uint64_t records(const struct dumpfile *file)
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
static bool survives(const uint8_t *data, size_t size, struct dumpfile *file)
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

static void expect_refused(const struct bytes *bytes, const char *why)
{
    struct dumpfile file;
    assert_false(survives(bytes->data, bytes->size, &file));
    if (!strstr(file.message, why))
        fail_msg("'%s' does not say '%s'", file.message, why);
    assert_non_null(strstr(file.message, "x.alloc"));
    assert_non_null(strstr(file.message, "offset"));
    dumpfile_close(&file);
}

static void test_sound(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    (void)state;
    assert_true(survives(bytes.data, bytes.size, &file));
    assert_false(file.damaged);
    assert_false(file.running);
    assert_int_equal(file.used, bytes.size);
    assert_int_equal(file.header.pid, 1234);
    static const uint32_t types[] = {DUMP_INFO,      DUMP_MODULE,   DUMP_FRAME, DUMP_STACK,
                                     DUMP_THREAD,    DUMP_COUNTER,  DUMP_LOOP,  DUMP_HISTOGRAM,
                                     DUMP_HISTOGRAM, DUMP_TIMELINE, DUMP_WORST};
    assert_int_equal(file.chunk_count, sizeof types / sizeof types[0]);
    for (size_t i = 0; i < file.chunk_count; i++)
        assert_int_equal(file.chunks[i].type, types[i]);
    assert_string_equal(dumpfile_type_name(DUMP_WORST), "WORST");
    assert_null(dumpfile_type_name(0));
    assert_null(dumpfile_type_name(11));
    dumpfile_close(&file);
    free(bytes.data);
}

static void test_empty(void **state)
{
    struct bytes none = {NULL, 0};
    (void)state;
    expect_refused(&none, "empty");
}

static void test_foreign(void **state)
{
    struct bytes bytes = example();
    (void)state;
    memcpy(bytes.data, "\x89PNG\r\n\x1a\n", 8);
    expect_refused(&bytes, "no dump");
    bytes.size = 3;
    expect_refused(&bytes, "no dump");
    free(bytes.data);
}

/* What a transfer as text does to line ends must not pass for a dump. */
static void test_text_transfer(void **state)
{
    struct bytes bytes = example();
    (void)state;
    bytes.data[6] = '\n';
    expect_refused(&bytes, "no dump");
    free(bytes.data);
}

static void test_header(void **state)
{
    static const struct {
        size_t offset;
        uint32_t value;
        const char *why;
    } cases[] = {
        {offsetof(struct dump_header, reader_minimum), DUMP_VERSION + 1, "newer allocreport"},
        {offsetof(struct dump_header, reader_minimum), UINT32_MAX, "newer allocreport"},
        {offsetof(struct dump_header, version), 0, "no version"},
        {offsetof(struct dump_header, byte_order), 0x04030201, "byte order"},
        {offsetof(struct dump_header, header_size), 0, "header of 0 bytes"},
        {offsetof(struct dump_header, header_size), DUMP_HEADER_SIZE - 64, "header of"},
        {offsetof(struct dump_header, header_size), DUMP_HEADER_SIZE + 8, "header of"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bytes = example();
        char offset[32];
        memcpy(bytes.data + cases[i].offset, &cases[i].value, sizeof cases[i].value);
        expect_refused(&bytes, cases[i].why);
        snprintf(offset, sizeof offset, "offset %zu", cases[i].offset);
        expect_refused(&bytes, offset);
        free(bytes.data);
    }
}

/* A newer writer's dump that this reader may use: a higher version, a longer header. */
static void test_newer(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    struct dump_header header;
    size_t longer = bytes.size + DUMP_ALIGN;
    uint8_t *data = calloc(1, longer);
    (void)state;
    assert_non_null(data);
    memcpy(&header, bytes.data, sizeof header);
    header.version = DUMP_VERSION + 7;
    header.header_size += DUMP_ALIGN;
    header.used += DUMP_ALIGN;
    memcpy(data, &header, sizeof header);
    memcpy(data + DUMP_HEADER_SIZE + DUMP_ALIGN, bytes.data + DUMP_HEADER_SIZE,
           bytes.size - DUMP_HEADER_SIZE);
    assert_true(survives(data, longer, &file));
    assert_false(file.damaged);
    assert_int_equal(file.chunk_count, 11);
    dumpfile_close(&file);
    free(data);
    free(bytes.data);
}

/* At every length: refused inside the header, else used up to the cut and said so. */
static void test_every_truncation(void **state)
{
    struct bytes bytes = example();
    uint64_t before = 0;
    (void)state;
    for (size_t length = 0; length < bytes.size; length++) {
        struct dumpfile file;
        bool usable = survives(bytes.data, length, &file);
        assert_true(usable == (length >= DUMP_HEADER_SIZE));
        if (usable) {
            assert_true(file.damaged);
            assert_true(file.damaged_at <= length);
            assert_true(file.used <= length);
            uint64_t now = records(&file);
            if (now < before || now > before + 1)
                fail_msg("%lu records at %zu bytes, %lu before", (unsigned long)now, length,
                         (unsigned long)before);
            before = now;
        }
        dumpfile_close(&file);
    }
    free(bytes.data);
}

static void test_every_byte_flipped(void **state)
{
    static const uint8_t masks[] = {0xff, 0x01, 0x80};
    struct bytes bytes = example();
    (void)state;
    for (size_t i = 0; i < bytes.size; i++) {
        for (size_t k = 0; k < sizeof masks; k++) {
            struct dumpfile file;
            bytes.data[i] ^= masks[k];
            survives(bytes.data, bytes.size, &file);
            dumpfile_close(&file);
            bytes.data[i] ^= masks[k];
        }
    }
    free(bytes.data);
}

/* The n-th chunk of the type; its offset in the image. */
static struct dump_chunk *find_chunk(const struct bytes *bytes, uint32_t type)
{
    size_t offset = DUMP_HEADER_SIZE;
    while (offset < bytes->size) {
        struct dump_chunk *chunk = (struct dump_chunk *)(bytes->data + offset);
        if (chunk->type == type)
            return chunk;
        offset += chunk->size;
    }
    fail_msg("no chunk of type %u", type);
    return NULL;
}

/* Each lie about a chunk ends the reading before it, and says where. */
static void test_hostile_chunks(void **state)
{
    static const struct {
        uint32_t type;
        size_t field;
        size_t size;
        uint64_t value;
    } cases[] = {
        {DUMP_FRAME, offsetof(struct dump_chunk, magic), 4, 0},
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, 0},
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, 63},
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, 65},
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, UINT64_MAX},
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, UINT64_MAX - 63},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, 0},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, 1},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, UINT32_MAX},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, UINT32_MAX - 7},
        {DUMP_FRAME, offsetof(struct dump_chunk, count), 8, UINT64_MAX},
        {DUMP_FRAME, offsetof(struct dump_chunk, count), 8, UINT64_MAX / 16 + 1},
        {DUMP_STACK, offsetof(struct dump_chunk, record_size), 4, 16},
        {DUMP_STACK, offsetof(struct dump_chunk, filled), 8, UINT64_MAX},
        {DUMP_STACK, offsetof(struct dump_chunk, filled), 8, 4096},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bytes = example();
        struct dumpfile file;
        struct dump_chunk *chunk = find_chunk(&bytes, cases[i].type);
        memcpy((uint8_t *)chunk + cases[i].field, &cases[i].value, cases[i].size);
        assert_true(survives(bytes.data, bytes.size, &file));
        if (!file.damaged || file.damaged_at != (uint64_t)((uint8_t *)chunk - bytes.data))
            fail_msg("case %zu: damaged at %lu", i, (unsigned long)file.damaged_at);
        assert_non_null(strstr(file.message, "offset"));
        for (size_t k = 0; k < file.chunk_count; k++)
            assert_true(file.chunks[k].type < cases[i].type);
        dumpfile_close(&file);
        free(bytes.data);
    }
}

/* Within a chunk the records before a bad one are used. */
static void test_hostile_records(void **state)
{
    static const struct {
        size_t field; /* of the second stack */
        uint32_t value;
    } cases[] = {
        {offsetof(struct dump_stack, size), 0},
        {offsetof(struct dump_stack, size), 8},
        {offsetof(struct dump_stack, size), 20},
        {offsetof(struct dump_stack, size), 1u << 20},
        {offsetof(struct dump_stack, size), UINT32_MAX - 7},
        {offsetof(struct dump_stack, frames), 3},
        {offsetof(struct dump_stack, frames), UINT32_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bytes = example();
        struct dumpfile file;
        struct dump_chunk *chunk = find_chunk(&bytes, DUMP_STACK);
        uint8_t *first = (uint8_t *)(chunk + 1);
        uint8_t *second = first + *(uint32_t *)first;
        memcpy(second + cases[i].field, &cases[i].value, sizeof cases[i].value);
        assert_true(survives(bytes.data, bytes.size, &file));
        assert_true(file.damaged);
        assert_int_equal(file.damaged_at, second - bytes.data);
        assert_int_equal(file.chunks[file.chunk_count - 1].type, DUMP_STACK);
        assert_int_equal(file.chunks[file.chunk_count - 1].count, 1);
        dumpfile_close(&file);
        free(bytes.data);
    }
}

/* Without a sound `used` the chunks themselves tell how far they go. */
static void test_lost_end(void **state)
{
    static const uint64_t values[] = {0, 64, 4095, 4097, UINT64_MAX, UINT64_MAX - 63};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct bytes bytes = example();
        struct dumpfile file;
        memcpy(bytes.data + offsetof(struct dump_header, used), &values[i], sizeof values[i]);
        assert_true(survives(bytes.data, bytes.size, &file));
        assert_true(file.damaged);
        assert_int_equal(file.damaged_at, offsetof(struct dump_header, used));
        assert_int_equal(file.chunk_count, 11);
        dumpfile_close(&file);
        free(bytes.data);
    }
}

/* Records that are longer or shorter than this reader knows, and chunks it does not know. */
static void test_other_sizes(void **state)
{
    static const int changes[] = {-16, 8, 64};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct builder builder;
        struct dumpfile file;
        struct bytes bytes;
        builder_example(&builder);
        builder.record_change = changes[i] < 0 ? 0 : changes[i];
        builder.unknown_chunks = true;
        bytes.data = builder_image(&builder, &bytes.size);
        builder_end(&builder);
        assert_true(survives(bytes.data, bytes.size, &file));
        assert_false(file.damaged);
        assert_int_equal(file.chunk_count, 15);
        dumpfile_close(&file);
        free(bytes.data);
    }
}

static void test_copy(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3, 4};
    struct dumpfile_record record = {.bytes = bytes, .size = sizeof bytes};
    uint8_t to[8];
    (void)state;
    memset(to, 0xee, sizeof to);
    dumpfile_copy(&record, to, sizeof to);
    assert_memory_equal(to, "\1\2\3\4\0\0\0\0", 8);
    memset(to, 0xee, sizeof to);
    dumpfile_copy(&record, to, 2);
    assert_memory_equal(to, "\1\2\xee", 3);
}

static char *write_file(const struct bytes *bytes, char *path)
{
    strcpy(path, "/tmp/test_dumpfile.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes->data, bytes->size), bytes->size);
    close(fd);
    return path;
}

static void test_open(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    char path[64];
    (void)state;
    assert_int_equal(dumpfile_open(&file, write_file(&bytes, path)), 0);
    assert_int_equal(file.file_size, bytes.size);
    assert_int_equal(file.chunk_count, 11);
    dumpfile_close(&file);
    assert_int_equal(truncate(path, 5000), 0);
    assert_int_equal(dumpfile_open(&file, path), 0);
    assert_true(file.damaged);
    dumpfile_close(&file);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(dumpfile_open(&file, path), -1);
    unlink(path);
    assert_int_equal(dumpfile_open(&file, path), -1);
    assert_int_equal(dumpfile_open(&file, "/"), -1);
    free(bytes.data);
}

/* A pipe has no offsets. */
static void test_open_pipe(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    char path[64];
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    assert_int_equal(write(ends[1], bytes.data, bytes.size), bytes.size);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(dumpfile_open(&file, path), 0);
    assert_false(file.damaged);
    assert_int_equal(file.chunk_count, 11);
    dumpfile_close(&file);
    close(ends[0]);
    free(bytes.data);
}

/* A chunk in a hole that claims a huge number of records must not take memory for them. */
static void test_sparse(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    struct dump_header *header = (struct dump_header *)bytes.data;
    uint64_t huge = UINT64_C(1) << 40;
    char path[64];
    (void)state;
    struct dump_chunk *chunk = find_chunk(&bytes, DUMP_FRAME);
    uint64_t offset = (uint64_t)((uint8_t *)chunk - bytes.data);
    chunk->size = huge;
    chunk->count = (huge - 64) / 16;
    header->used = offset + huge;
    write_file(&bytes, path);
    assert_int_equal(truncate(path, (off_t)header->used), 0);
    assert_int_equal(dumpfile_open(&file, path), 0);
    assert_true(file.damaged);
    assert_int_equal(file.damaged_at, offset);
    dumpfile_close(&file);
    unlink(path);
    free(bytes.data);
}

/* A process is the dump's only while it maps that very file. */
static void test_running(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    struct dump_header *header = (struct dump_header *)bytes.data;
    char path[64];
    (void)state;
    header->state = DUMP_RUNNING;
    header->pid = (uint32_t)getpid();
    write_file(&bytes, path);
    assert_int_equal(dumpfile_open(&file, path), 0);
    assert_false(file.running);
    dumpfile_close(&file);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *mapping = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(mapping != MAP_FAILED);
    close(fd);
    assert_int_equal(dumpfile_open(&file, path), 0);
    assert_true(file.running);
    dumpfile_close(&file);
    munmap(mapping, 4096);
    unlink(path);
    free(bytes.data);
}

/* The count was raised after the bytes were looked at: no damage while the program runs. */
static void test_count_ahead(void **state)
{
    struct bytes bytes = example();
    struct dumpfile file;
    (void)state;
    find_chunk(&bytes, DUMP_STACK)->count++;
    assert_true(survives(bytes.data, bytes.size, &file));
    assert_true(file.damaged);
    dumpfile_close(&file);
    ((struct dump_header *)bytes.data)->state = DUMP_RUNNING;
    assert_true(survives(bytes.data, bytes.size, &file));
    assert_false(file.damaged);
    dumpfile_close(&file);
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_text_transfer),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_newer),
        cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_every_byte_flipped),
        cmocka_unit_test(test_hostile_chunks),
        cmocka_unit_test(test_hostile_records),
        cmocka_unit_test(test_lost_end),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_pipe),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_running),
        cmocka_unit_test(test_count_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
