/* SPDX-License-Identifier: MIT */
#include "preload/outfile.h"

#include "preload/livedir.h"
#include "preload/log.h"
#include "tests/unit/rec_file_helper.h"

#include <sys/resource.h>

static void test_name(void **state)
{
    char wanted[64];

    (void)state;
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter(NULL, "game"));
    snprintf(wanted, sizeof wanted, "game.%d.alloc", (int)getpid());
    assert_string_equal(strrchr(ar_mapfile_path(), '/') + 1, wanted);
    assert_int_equal(access(wanted, F_OK), 0);
}

/* Where a tmpfs is at hand the live file stands there, behind a link, until the end. */
static void test_elsewhere(void **state)
{
    bool elsewhere = ar_livedir_find(directory) != NULL;
    char live[AR_PATH_MOST] = "";
    struct dump_chunk *chunk;
    struct stat status;
    size_t size;
    char *bytes;

    (void)state;
    ar_config.direct = 0;
    write_text("out");
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("out", "program"));
    assert_string_equal(strrchr(ar_mapfile_path(), '/'), "/out.1");
    assert_int_equal(lstat("out.1", &status), 0);
    assert_int_equal(S_ISLNK(status.st_mode), elsewhere);
    if (elsewhere)
        assert_true(readlink("out.1", live, sizeof live - 1) > 0);
    for (unsigned i = 0; i < 30; i++) {
        chunk = ar_chunk_new(DUMP_COUNTER, 4, 60000, 1);
        assert_non_null(chunk);
        memset(ar_chunk_place(chunk, 60000), (int)i, 60000);
        ar_chunk_commit(chunk, 60000);
    }
    bytes = read_file("out.1", &size);
    assert_int_equal(check_chunks(bytes), 30);
    free(bytes);
    settle();
    assert_int_equal(lstat("out.1", &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0600);
    if (elsewhere)
        assert_int_equal(access(live, F_OK), -1);
    assert_int_equal(access("out.1.part", F_OK), -1);
    /* What is written afterwards stands there too, and there is room for more. */
    memset(chunk + 1, 0x77, 100);
    assert_non_null(ar_chunk_new(DUMP_COUNTER, 4, 600000, 1));
    bytes = read_file("out.1", &size);
    assert_int_equal(check_chunks(bytes), 31);
    assert_memory_equal(bytes + ar_region_offset(chunk + 1), chunk + 1, 60000);
    assert_int_equal((unsigned char)bytes[ar_region_offset(chunk + 1)], 0x77);
    free(bytes);
    assert_int_equal(size_of("out"), 4);
}

/* What has taken the link's place meanwhile is not touched. */
static void test_link_replaced(void **state)
{
    char live[AR_PATH_MOST] = "";
    ssize_t length;

    (void)state;
    ar_config.direct = 0;
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("out", "program"));
    length = readlink("out", live, sizeof live - 1);
    unlink("out");
    write_text("out");
    settle();
    assert_int_equal(size_of("out"), 4);
    assert_int_equal(access("out.part", F_OK), -1);
    if (length > 0)
        unlink(live);
}

static void test_never_overwrites(void **state)
{
    (void)state;
    write_text("out");
    write_text("out.1");
    assert_int_equal(symlink("nowhere", "out.2"), 0);
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("out", "program"));
    assert_string_equal(strrchr(ar_mapfile_path(), '/'), "/out.3");
    assert_int_equal(size_of("out"), 4);
    assert_int_equal(size_of("out.1"), 4);
    assert_int_equal(access("nowhere", F_OK), -1);
    assert_int_equal(size_of("out.3"), ar_header()->reserved);
}

/* A file that has taken the dump's place is not touched; counting goes on in what is mapped. */
static void test_replaced(void **state)
{
    (void)state;
    assert_true(ar_mapfile_start());
    assert_true(make_and_enter("out", "program"));
    assert_int_equal(rename("out", "moved"), 0);
    write_text("out");
    while (ar_chunk_new(DUMP_COUNTER, 4, 60000, 1) != NULL)
        continue;
    settle();
    assert_int_equal(size_of("out"), 4);
    assert_true(ar_header()->loss[DUMP_LOSS_NO_SPACE] > 0);
    assert_int_equal(size_of("moved"), ar_header()->reserved);
    ar_lose(DUMP_LOSS_LIVE, 1);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_LIVE], 1);
}

static void make_in(const void *template)
{
    ar_log_start();
    if (!ar_mapfile_start() || make_and_enter(template, "program") || ar_mapfile_exists())
        _exit(2);
    /* Said once, and counting goes on in memory. */
    if (make_and_enter(template, "program") || ar_chunk_new(DUMP_FRAME, 16, 16, 1) == NULL)
        _exit(3);
}

static void test_cannot_be_made(void **state)
{
    static char path[6000];

    (void)state;
    assert_string_equal(rec_stderr_of(make_in, "/proc/none/out"),
                        "allocreport: no dump: cannot make '/proc/none/out': no such directory\n");
    write_text("file");
    assert_non_null(
        strstr(rec_stderr_of(make_in, "file/out"), "a part of the path is no directory"));
    memset(path, 'x', sizeof path - 1);
    assert_non_null(strstr(rec_stderr_of(make_in, path), "no dump: cannot make '/tmp/test_rec_"));
}

/* The limit of file sizes is asked for, so that no SIGXFSZ comes. */
static void make_within_limit(const void *limit)
{
    struct rlimit most = {*(const rlim_t *)limit, RLIM_INFINITY};
    struct dump_chunk *chunk;
    bool made;

    ar_log_start();
    setrlimit(RLIMIT_FSIZE, &most);
    if (!ar_mapfile_start())
        _exit(2);
    made = make_and_enter("limited", "program");
    if (!made && (access("limited", F_OK) == 0 || ar_mapfile_exists()))
        _exit(3);
    for (unsigned i = 0; i < 300; i++) {
        chunk = ar_chunk_new(DUMP_COUNTER, 4, 8000, 1);
        if (chunk != NULL)
            memset(ar_chunk_place(chunk, 8000), 1, 8000);
    }
    if (made &&
        (ar_header()->reserved > most.rlim_cur || ar_header()->loss[DUMP_LOSS_NO_SPACE] == 0))
        _exit(4);
    if (!made && ar_header()->loss[DUMP_LOSS_NO_SPACE] != 0)
        _exit(5);
    if (made)
        dprintf(STDERR_FILENO, "made\n");
}

static void test_size_limit(void **state)
{
    rlim_t limit = 4096;

    (void)state;
    assert_non_null(
        strstr(rec_stderr_of(make_within_limit, &limit), "over the limit of file sizes"));
    limit = (rlim_t)2 << 20;
    assert_non_null(strstr(rec_stderr_of(make_within_limit, &limit), "the dump cannot grow: '"));
    assert_non_null(strstr(rec_stderr_of(make_within_limit, &limit), "made\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_name, enter, leave),
        cmocka_unit_test_setup_teardown(test_elsewhere, enter, leave),
        cmocka_unit_test_setup_teardown(test_link_replaced, enter, leave),
        cmocka_unit_test_setup_teardown(test_never_overwrites, enter, leave),
        cmocka_unit_test_setup_teardown(test_replaced, enter, leave),
        cmocka_unit_test_setup_teardown(test_cannot_be_made, enter, leave),
        cmocka_unit_test_setup_teardown(test_size_limit, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
