/* SPDX-License-Identifier: MIT */
#include "tests/unit/rec_file_helper.h"

static void test_header(void **state)
{
    (void)state;
    assert_true(ar_mapfile_start());
    assert_false(ar_mapfile_exists());
    assert_int_equal(check_chunks((const char *)ar_header()), 0);
    assert_int_equal(ar_header()->used, DUMP_HEADER_SIZE);
    assert_int_equal(ar_header()->state, DUMP_RUNNING);
    assert_int_equal(ar_header()->parent_pid, getppid());
    assert_string_equal(ar_header()->recorder_version, ALLOCREPORT_VERSION);
    ar_lose(DUMP_LOSS_LIVE, 3);
    ar_lose(DUMP_LOSS_LIVE, 4);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_LIVE], 7);
}

static void test_chunks(void **state)
{
    struct dump_chunk *chunk;
    uint32_t *record;

    (void)state;
    assert_true(ar_mapfile_start());
    chunk = ar_chunk_new(DUMP_FRAME, 16, 40, 9);
    assert_non_null(chunk);
    assert_int_equal(chunk->size, 128);
    assert_int_equal(chunk->owner, 9);
    assert_int_equal(ar_region_offset(chunk), DUMP_HEADER_SIZE);
    assert_ptr_equal(ar_region_at(DUMP_HEADER_SIZE), chunk);
    record = ar_chunk_place(chunk, 40);
    assert_ptr_equal(record, chunk + 1);
    assert_int_equal(chunk->count, 0);
    ar_chunk_commit(chunk, 40);
    assert_int_equal(chunk->count, 1);
    assert_int_equal(chunk->filled, 40);
    /* What was rounded up is room too. */
    assert_non_null(ar_chunk_place(chunk, 24));
    assert_null(ar_chunk_place(chunk, 25));
    assert_null(ar_chunk_place(NULL, 1));
    assert_non_null(ar_chunk_new(DUMP_FRAME, 16, 1, 0));
    assert_int_equal(check_chunks((const char *)ar_header()), 2);
}

static void test_full(void **state)
{
    struct dump_chunk *chunk;
    unsigned count = 0;

    (void)state;
    ar_config.max_size = 2;
    assert_true(ar_mapfile_start());
    assert_int_equal(ar_region_fullness(), 2);
    while ((chunk = ar_chunk_new(DUMP_COUNTER, 448, 65536 - sizeof *chunk, 1)) != NULL)
        count++;
    assert_int_equal(count, 31); /* the header's page is missing for the 32nd */
    assert_int_equal(ar_header()->loss[DUMP_LOSS_NO_SPACE], 1);
    assert_true(ar_region_fullness() > 960);
    assert_int_equal(check_chunks((const char *)ar_header()), 31);
    /* A smaller one finds room to the last byte. */
    assert_non_null(ar_chunk_new(DUMP_COUNTER, 448, 65536 - 4096 - sizeof *chunk, 1));
    assert_null(ar_chunk_new(DUMP_COUNTER, 1, 1, 1));
    assert_int_equal(ar_region_fullness(), 1024);
}

static void test_file(void **state)
{
    struct dump_chunk *chunk;
    struct dump_chunk *moved;
    size_t size;
    char *bytes;

    (void)state;
    assert_true(ar_mapfile_start());
    chunk = ar_chunk_new(DUMP_FRAME, 16, 16, 7);
    memcpy(ar_chunk_place(chunk, 16), "before the file", 16);
    ar_chunk_commit(chunk, 16);
    assert_true(ar_mapfile_make("%e-%p-%%-%x.alloc%", "pro%gram"));
    /* Until it is entered, others write where they did: that will be copied. */
    assert_false(ar_mapfile_exists());
    assert_ptr_equal(ar_region_moved(chunk), chunk);
    assert_true(ar_mapfile_enter());
    assert_true(ar_mapfile_exists());
    assert_int_equal(strncmp(ar_mapfile_path(), directory, strlen(directory)), 0);
    assert_true(make_and_enter("other", "other")); /* it is there already */
    assert_int_equal(access("other", F_OK), -1);
    moved = ar_region_moved(chunk);
    assert_ptr_not_equal(moved, chunk);
    assert_ptr_equal(ar_region_moved(moved), moved);
    assert_int_equal(ar_region_offset(moved), ar_region_offset(chunk));
    assert_memory_equal(moved + 1, "before the file", 16);
    /* Its owner has gone on in the private region until it notices. */
    memcpy(chunk + 1, "until it noticed", 16);
    ar_region_copy_owned(8);
    assert_memory_equal(moved + 1, "before the file", 16);
    ar_region_copy_owned(7);
    assert_memory_equal(moved + 1, "until it noticed", 16);
    bytes = read_file(ar_mapfile_path(), &size);
    assert_int_equal(size, ar_header()->reserved);
    assert_int_equal(check_chunks(bytes), 1);
    assert_memory_equal(bytes + DUMP_HEADER_SIZE + 64, "until it noticed", 16);
    free(bytes);
}

/* Grown step by step to its most: each block is there before it is used. */
static void test_growth(void **state)
{
    struct dump_chunk *chunk;
    unsigned count = 0;
    size_t size;
    char *bytes;

    (void)state;
    ar_config.max_size = 4;
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("grown.alloc", "program"));
    while ((chunk = ar_chunk_new(DUMP_COUNTER, 4, 9000, 1)) != NULL) {
        struct stat status;

        memset(ar_chunk_place(chunk, 9000), 0x5a, 9000);
        ar_chunk_commit(chunk, 9000);
        count++;
        assert_int_equal(stat("grown.alloc", &status), 0);
        assert_int_equal(status.st_size, ar_header()->reserved);
        assert_true((uint64_t)status.st_blocks * 512 >= ar_header()->reserved);
        assert_true(ar_header()->used <= ar_header()->reserved);
    }
    assert_true(count > 440);
    assert_true(ar_header()->reserved <= 4u << 20);
    bytes = read_file("grown.alloc", &size);
    assert_int_equal(check_chunks(bytes), count);
    free(bytes);
}

static void test_trim(void **state)
{
    size_t size;
    char *bytes;

    (void)state;
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("trimmed.alloc", "program"));
    assert_non_null(ar_chunk_new(DUMP_COUNTER, 4, 100000, 1));
    settle();
    bytes = read_file("trimmed.alloc", &size);
    assert_int_equal(size, ar_header()->reserved);
    assert_true(size >= ar_header()->used && size < ar_header()->used + 4096);
    assert_int_equal(check_chunks(bytes), 1);
    free(bytes);
    settle();
    assert_int_equal(size_of("trimmed.alloc"), size);
}

static void test_no_descriptor_stays(void **state)
{
    int before = dup(0);
    int after;

    (void)state;
    close(before);
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("out", "program"));
    for (unsigned i = 0; i < 40; i++)
        assert_non_null(ar_chunk_new(DUMP_COUNTER, 4, 60000, 1));
    after = dup(0);
    close(after);
    assert_int_equal(after, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_header, enter, leave),
        cmocka_unit_test_setup_teardown(test_chunks, enter, leave),
        cmocka_unit_test_setup_teardown(test_full, enter, leave),
        cmocka_unit_test_setup_teardown(test_file, enter, leave),
        cmocka_unit_test_setup_teardown(test_growth, enter, leave),
        cmocka_unit_test_setup_teardown(test_trim, enter, leave),
        cmocka_unit_test_setup_teardown(test_no_descriptor_stays, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
