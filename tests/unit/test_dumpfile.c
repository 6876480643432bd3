/* SPDX-License-Identifier: MIT */
#include "tests/unit/dumpfile_helper.h"

#include <fcntl.h>
#include <sys/mman.h>

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
    assert_string_equal(dumpfile_type_name(DUMP_EVENT), "EVENT");
    assert_null(dumpfile_type_name(0));
    assert_string_equal(dumpfile_type_name(DUMP_PATCH), "PATCH");
    assert_null(dumpfile_type_name(13));
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

/* The kept dumps: see tests/dumps/README. Tests run from the repository's root. */
static void test_kept_dumps(void **state)
{
    static const struct {
        const char *path;
        int result;
        uint64_t damaged_at; /* 0: sound, or refused */
    } dumps[] = {
        {"tests/dumps/empty.alloc", -1, 0},        {"tests/dumps/short.alloc", -1, 0},
        {"tests/dumps/foreign.alloc", -1, 0},      {"tests/dumps/text-mode.alloc", -1, 0},
        {"tests/dumps/newer.alloc", -1, 0},        {"tests/dumps/damaged.alloc", 0, 4864},
        {"tests/dumps/truncated.alloc", 0, 14784}, {"tests/dumps/example.alloc", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof dumps / sizeof dumps[0]; i++) {
        struct dumpfile file;
        assert_int_equal(dumpfile_open(&file, dumps[i].path), dumps[i].result);
        if (dumps[i].result < 0)
            continue;
        assert_true(file.damaged == (dumps[i].damaged_at != 0));
        assert_int_equal(file.damaged_at, dumps[i].damaged_at);
        dumpfile_close(&file);
    }
}

/* The worked example is what its builder makes, byte for byte, but for the version: it is a dump of
 * the first one. */
static void test_kept_example(void **state)
{
    struct bytes bytes = example();
    uint8_t *kept = malloc(bytes.size + 1);
    (void)state;
    assert_non_null(kept);
    FILE *file = fopen("tests/dumps/example.alloc", "rb");
    assert_non_null(file);
    assert_int_equal(fread(kept, 1, bytes.size + 1, file), bytes.size);
    fclose(file);
    const uint32_t first = 1;
    memcpy(bytes.data + offsetof(struct dump_header, version), &first, sizeof first);
    assert_memory_equal(kept, bytes.data, bytes.size);
    free(kept);
    free(bytes.data);
}

static int write_example(const char *path)
{
    struct builder builder;
    builder_example(&builder);
    bool written = builder_save(&builder, path);
    builder_end(&builder);
    return written ? 0 : 1;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--write") == 0)
        return write_example(arguments[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),      cmocka_unit_test(test_empty),
        cmocka_unit_test(test_foreign),    cmocka_unit_test(test_text_transfer),
        cmocka_unit_test(test_header),     cmocka_unit_test(test_newer),
        cmocka_unit_test(test_copy),       cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_pipe),  cmocka_unit_test(test_running),
        cmocka_unit_test(test_kept_dumps), cmocka_unit_test(test_kept_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
