/* SPDX-License-Identifier: MIT */
#include "preload/config.h"
#include "preload/log.h"

#include "tests/unit/rec_helper.h"

#include <stdio.h>
#include <string.h>

static struct ar_config defaults;

static int keep_defaults(void **state)
{
    (void)state;
    defaults = ar_config;
    return 0;
}

static int restore(void **state)
{
    (void)state;
    ar_config = defaults;
    return 0;
}

static char *words[16];

/* The environment of these words alone. */
static char *const *environment_of(const char *first, const char *second)
{
    unsigned count = 0;

    if (first != NULL)
        words[count++] = strdup(first);
    if (second != NULL)
        words[count++] = strdup(second);
    words[count] = NULL;
    return words;
}

static void forget_environment(void)
{
    ar_config_start(NULL);
    for (unsigned i = 0; words[i] != NULL; i++) {
        free(words[i]);
        words[i] = NULL;
    }
}

static void test_defaults(void **state)
{
    (void)state;
    ar_config_start(environment_of("HOME=/", "XALLOCREPORT_QUIET=1"));
    assert_null(ar_config.out);
    assert_int_equal(ar_config.quiet, 0);
    assert_int_equal(ar_config.always, 0);
    assert_int_equal(ar_config.stack_depth, AR_DEPTH_MOST);
    assert_int_equal(ar_config.verbose, 0);
    assert_int_equal(ar_config.follow_fork, 1);
    assert_int_equal(ar_config.sample, 1);
    assert_int_equal(ar_config.verify, 0);
    assert_int_equal(ar_config.max_size, 64);
    assert_int_equal(ar_config.patch, 0);
    assert_int_equal(ar_config.reserve, 16);
    assert_int_equal(ar_config.queue, 512);
    forget_environment();
    ar_config_start(NULL);
    assert_null(ar_config_environment("HOME"));
}

static void test_environment(void **state)
{
    (void)state;
    ar_config_start(environment_of("NAME=some=thing", "EMPTY="));
    assert_string_equal(ar_config_environment("NAME"), "some=thing");
    assert_string_equal(ar_config_environment("EMPTY"), "");
    assert_null(ar_config_environment("NAM"));
    assert_null(ar_config_environment("NAME2"));
    assert_null(ar_config_environment("some"));
    forget_environment();
}

/* `word` sets the option to `value`. */
static void sets(const char *word, const uint64_t *option, uint64_t value)
{
    ar_config = defaults;
    ar_config_start(environment_of(word, NULL));
    assert_int_equal(*option, value);
    forget_environment();
}

static void test_numbers(void **state)
{
    (void)state;
    sets("ALLOCREPORT_STACK_DEPTH=1", &ar_config.stack_depth, 1);
    sets("ALLOCREPORT_STACK_DEPTH=64", &ar_config.stack_depth, 64);
    sets("ALLOCREPORT_STACK_DEPTH=007", &ar_config.stack_depth, 7);
    sets("ALLOCREPORT_SAMPLE=1", &ar_config.sample, 1);
    sets("ALLOCREPORT_SAMPLE=1000000", &ar_config.sample, 1000000);
    sets("ALLOCREPORT_MAX_SIZE=2", &ar_config.max_size, 2);
    sets("ALLOCREPORT_MAX_SIZE=4096", &ar_config.max_size, 4096);
}

static void test_flags(void **state)
{
    (void)state;
    sets("ALLOCREPORT_QUIET=1", &ar_config.quiet, 1);
    sets("ALLOCREPORT_QUIET=0", &ar_config.quiet, 0);
    sets("ALLOCREPORT_QUIET=", &ar_config.quiet, 0);
    sets("ALLOCREPORT_ALWAYS=1", &ar_config.always, 1);
    sets("ALLOCREPORT_VERBOSE=1", &ar_config.verbose, 1);
    sets("ALLOCREPORT_VERIFY=1", &ar_config.verify, 1);
}

static void test_words(void **state)
{
    (void)state;
    sets("ALLOCREPORT_FORK=stop", &ar_config.follow_fork, 0);
    ar_config.follow_fork = 0;
    ar_config_start(environment_of("ALLOCREPORT_FORK=follow", NULL));
    assert_int_equal(ar_config.follow_fork, 1);
    forget_environment();
    ar_config_start(environment_of("ALLOCREPORT_OUT=/tmp/%p", NULL));
    assert_string_equal(ar_config.out, "/tmp/%p");
    forget_environment();
    ar_config.out = NULL;
    ar_config_start(environment_of("ALLOCREPORT_OUT=", NULL));
    assert_null(ar_config.out);
    forget_environment();
}

static void test_lists(void **state)
{
    (void)state;
    sets("ALLOCREPORT_PATCH=poll", &ar_config.patch, AR_PATCH_POLL);
    sets("ALLOCREPORT_PATCH=wait", &ar_config.patch, AR_PATCH_WAIT);
    sets("ALLOCREPORT_PATCH=poll,wait", &ar_config.patch, AR_PATCH_POLL | AR_PATCH_WAIT);
    sets("ALLOCREPORT_PATCH=,wait,,poll,", &ar_config.patch, AR_PATCH_POLL | AR_PATCH_WAIT);
    sets("ALLOCREPORT_PATCH=", &ar_config.patch, 0);
}

static void start_with(const void *word)
{
    ar_log_start();
    ar_config_start(environment_of(word, NULL));
    /* A wrong value changes nothing. */
    if (memcmp(&ar_config, &defaults, sizeof defaults) != 0)
        _exit(2);
}

static void wrong(const char *word, const char *line)
{
    assert_string_equal(rec_stderr_of(start_with, word), line);
}

static void test_wrong(void **state)
{
    (void)state;
    wrong("ALLOCREPORT_STACK_DEPTH=0",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '0' is not a number from 1 to 64, ignored\n");
    wrong("ALLOCREPORT_STACK_DEPTH=65",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '65' is not a number from 1 to 64, ignored\n");
    wrong("ALLOCREPORT_STACK_DEPTH=",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '' is not a number from 1 to 64, ignored\n");
    wrong("ALLOCREPORT_STACK_DEPTH=4x",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '4x' is not a number from 1 to 64, ignored\n");
    wrong("ALLOCREPORT_STACK_DEPTH=-1",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '-1' is not a number from 1 to 64, ignored\n");
    wrong("ALLOCREPORT_STACK_DEPTH=18446744073709551617",
          "allocreport: ALLOCREPORT_STACK_DEPTH: '18446744073709551617' is not a number from 1 to "
          "64, "
          "ignored\n");
    wrong("ALLOCREPORT_QUIET=2",
          "allocreport: ALLOCREPORT_QUIET: '2' is not a number from 0 to 1, ignored\n");
    wrong("ALLOCREPORT_QUIET=yes",
          "allocreport: ALLOCREPORT_QUIET: 'yes' is not a number from 0 to 1, ignored\n");
    wrong("ALLOCREPORT_SAMPLE=0",
          "allocreport: ALLOCREPORT_SAMPLE: '0' is not a number from 1 to 1000000, ignored\n");
    wrong("ALLOCREPORT_MAX_SIZE=1",
          "allocreport: ALLOCREPORT_MAX_SIZE: '1' is not a number from 2 to 4096, ignored\n");
    wrong("ALLOCREPORT_FORK=Stop",
          "allocreport: ALLOCREPORT_FORK: 'Stop' is none of 'stop', 'follow', ignored\n");
    wrong("ALLOCREPORT_FORK=",
          "allocreport: ALLOCREPORT_FORK: '' is none of 'stop', 'follow', ignored\n");
}

static void test_right_says_nothing(void **state)
{
    (void)state;
    assert_string_equal(rec_stderr_of(start_with, "ALLOCREPORT_QUIET=0"), "");
    assert_string_equal(rec_stderr_of(start_with, "ALLOCREPORT_UNKNOWN=5"), "");
}

static void start_with_patch(const void *word)
{
    ar_log_start();
    ar_config_start(environment_of(word, NULL));
    if (ar_config.patch != AR_PATCH_POLL)
        _exit(2);
}

/* One wrong word of a list takes the right ones nothing. */
static void test_wrong_word(void **state)
{
    static const char *const words_of_poll[] = {"poll,wat", "pol,poll", "polls,poll", "poll,Wait"};

    (void)state;
    for (unsigned i = 0; i < sizeof words_of_poll / sizeof words_of_poll[0]; i++) {
        char word[64];
        char line[128];

        snprintf(word, sizeof word, "ALLOCREPORT_PATCH=%s", words_of_poll[i]);
        snprintf(line, sizeof line,
                 "allocreport: ALLOCREPORT_PATCH: '%s' has a word that is none of 'poll', 'wait', "
                 "ignored\n",
                 words_of_poll[i]);
        assert_string_equal(rec_stderr_of(start_with_patch, word), line);
    }
}

/* A long value is cut, not written past. */
static void test_long_value(void **state)
{
    static char word[4000] = "ALLOCREPORT_QUIET=";
    const char *line;

    (void)state;
    memset(word + strlen(word), 'y', sizeof word - 1 - strlen(word));
    line = rec_stderr_of(start_with, word);
    assert_true(strncmp(line, "allocreport: ALLOCREPORT_QUIET: 'yyy", 36) == 0);
    assert_true(strlen(line) <= AR_LOG_LINE_MOST);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_defaults, restore),
        cmocka_unit_test_teardown(test_environment, restore),
        cmocka_unit_test_teardown(test_numbers, restore),
        cmocka_unit_test_teardown(test_flags, restore),
        cmocka_unit_test_teardown(test_words, restore),
        cmocka_unit_test_teardown(test_lists, restore),
        cmocka_unit_test_teardown(test_wrong, restore),
        cmocka_unit_test_teardown(test_wrong_word, restore),
        cmocka_unit_test_teardown(test_right_says_nothing, restore),
        cmocka_unit_test_teardown(test_long_value, restore),
    };

    return cmocka_run_group_tests(tests, keep_defaults, NULL);
}
