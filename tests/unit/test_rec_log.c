/* SPDX-License-Identifier: MIT */
#include "preload/log.h"

#include "tests/unit/rec_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static void log_words(const void *words)
{
    const char *const *pair = words;

    ar_log_start();
    ar_log(pair[0], pair[1]);
}

static const char *logged(const char *subject, const char *reason)
{
    const char *words[] = {subject, reason};

    return rec_stderr_of(log_words, words);
}

static void test_line(void **state)
{
    (void)state;
    assert_string_equal(logged("subject", "the reason"), "allocreport: subject: the reason\n");
    assert_string_equal(logged("subject", NULL), "allocreport: subject\n");
    assert_string_equal(logged("", ""), "allocreport: : \n");
}

/* One line, whatever stands in the words. */
static void test_control_characters(void **state)
{
    (void)state;
    assert_string_equal(logged("a\nb", "c\033[1m\x7f\t"), "allocreport: a?b: c?[1m??\n");
    assert_string_equal(logged("\xc3\xa4", NULL), "allocreport: \xc3\xa4\n");
}

static void test_long(void **state)
{
    static char words[2 * AR_LOG_LINE_MOST];
    const char *line;

    (void)state;
    memset(words, 'w', sizeof words - 1);
    line = logged("cut", words);
    assert_in_range(strlen(line), AR_LOG_LINE_MOST / 2, AR_LOG_LINE_MOST);
    assert_true(strncmp(line, "allocreport: cut: www", 21) == 0);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void log_failure(const void *result)
{
    ar_log_start();
    ar_log_failure("cannot make", "/some/path", *(const long *)result);
}

static const char *failure(long result)
{
    return rec_stderr_of(log_failure, &result);
}

static void test_failure(void **state)
{
    (void)state;
    assert_string_equal(failure(-ENOSPC), "allocreport: cannot make '/some/path': no space left\n");
    assert_string_equal(failure(-EFBIG),
                        "allocreport: cannot make '/some/path': over the limit of file sizes\n");
    assert_string_equal(failure(-EACCES),
                        "allocreport: cannot make '/some/path': permission denied\n");
    assert_string_equal(failure(-EUCLEAN), "allocreport: cannot make '/some/path': error 117\n");
}

static void log_many(const void *count)
{
    ar_log_start();
    for (unsigned i = 0; i < *(const unsigned *)count; i++)
        ar_log("again", NULL);
}

static void test_limited(void **state)
{
    unsigned counts[] = {1, AR_LOG_LINES, AR_LOG_LINES + 1, 1000};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const char *text = rec_stderr_of(log_many, &counts[i]);
        unsigned lines = 0;

        for (; *text != '\0'; text++)
            lines += *text == '\n';
        assert_int_equal(lines, counts[i] < AR_LOG_LINES ? counts[i] : AR_LOG_LINES);
    }
}

static void log_elsewhere(const void *unused)
{
    int other = open("/dev/null", O_WRONLY);
    int kept = dup(STDERR_FILENO);

    (void)unused;
    ar_log("before the start", NULL);
    ar_log_start();
    dup2(other, STDERR_FILENO);
    ar_log("to another file", NULL);
    dup2(kept, STDERR_FILENO);
    ar_log("back", NULL);
    close(STDERR_FILENO);
    ar_log("closed", NULL);
    errno = 77;
    ar_log("still closed", NULL);
    if (errno != 77)
        _exit(3);
}

/* Descriptor 2 is the program's: written to only while it is what it was. */
static void test_another_file(void **state)
{
    (void)state;
    assert_string_equal(rec_stderr_of(log_elsewhere, NULL), "allocreport: back\n");
}

static void log_to_own_file(const void *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

    ar_log_start();
    /* What the program opens at number 2 is its own. */
    dup2(file, STDERR_FILENO);
    ar_log("into the program's file", NULL);
    if (lseek(STDERR_FILENO, 0, SEEK_END) != 0)
        _exit(4);
    unlink(path);
}

static void test_program_file(void **state)
{
    char path[] = "/tmp/test_rec_log.XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(path));
    assert_int_equal(rmdir(path), 0);
    assert_string_equal(rec_stderr_of(log_to_own_file, path), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),         cmocka_unit_test(test_control_characters),
        cmocka_unit_test(test_long),         cmocka_unit_test(test_failure),
        cmocka_unit_test(test_limited),      cmocka_unit_test(test_another_file),
        cmocka_unit_test(test_program_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
