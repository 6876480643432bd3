/* SPDX-License-Identifier: MIT */
#include "tests/unit/dumpfile_helper.h"

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
        {DUMP_FRAME, offsetof(struct dump_chunk, size), 8, 18816}, /* all of the file */
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, 0},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, 1},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, UINT32_MAX},
        {DUMP_FRAME, offsetof(struct dump_chunk, record_size), 4, UINT32_MAX - 7},
        {DUMP_FRAME, offsetof(struct dump_chunk, count), 8, UINT64_MAX},
        {DUMP_FRAME, offsetof(struct dump_chunk, count), 8, UINT64_MAX / 16 + 1},
        {DUMP_COUNTER, offsetof(struct dump_chunk, record_size), 4, 48},
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
    static const int changes[] = {0, 8, 64};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct builder builder;
        struct dumpfile file;
        struct bytes bytes;
        builder_example(&builder);
        builder.record_change = changes[i];
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
        cmocka_unit_test(test_every_truncation), cmocka_unit_test(test_every_byte_flipped),
        cmocka_unit_test(test_hostile_chunks),   cmocka_unit_test(test_hostile_records),
        cmocka_unit_test(test_lost_end),         cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_sparse),           cmocka_unit_test(test_count_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
