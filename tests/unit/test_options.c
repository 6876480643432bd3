/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct values {
    bool json, quiet;
    uint64_t limit;
    int sort;
    const char *output, *pattern;
};

static const char *const sorts[] = {"bytes", "allocations", "live", NULL};

static const struct option_spec options[] = {
    {.name = "json", .letter = 'j', .offset = offsetof(struct values, json)},
    {.name = "quiet", .letter = 'q', .offset = offsetof(struct values, quiet)},
    {.name = "limit",
     .letter = 'n',
     .type = OPTION_NUMBER,
     .value = "N",
     .least = 1,
     .most = 100,
     .initial = 5,
     .offset = offsetof(struct values, limit)},
    {.name = "sort",
     .type = OPTION_CHOICE,
     .value = "KEY",
     .choices = sorts,
     .initial = 1,
     .offset = offsetof(struct values, sort)},
    {.name = "output",
     .letter = 'o',
     .type = OPTION_FILE,
     .value = "FILE",
     .offset = offsetof(struct values, output)},
    {.name = "pattern",
     .type = OPTION_TEXT,
     .value = "GLOB",
     .offset = offsetof(struct values, pattern)},
    {.name = NULL},
};

#define MOST 16
static struct values values;
static struct parsed parsed;
static char *words[MOST];

/* Parses words separated by single spaces; "." is an empty word. */
static int parse_as(bool program, const char *line)
{
    static char text[256];
    int count = 0;

    memset(&values, 0, sizeof values);
    options_initialise(options, &values);
    strcpy(text, line);
    for (char *word = strtok(text, " "); word != NULL && count < MOST; word = strtok(NULL, " "))
        words[count++] = strcmp(word, ".") == 0 ? word + 1 : word;
    return options_parse(options, &values, program, count, words, &parsed);
}

static int parse(const char *line)
{
    return parse_as(false, line);
}

static void test_initial_values(void **state)
{
    (void)state;
    assert_int_equal(parse(""), 0);
    assert_int_equal(parsed.count, 0);
    assert_false(parsed.help);
    assert_false(values.json);
    assert_int_equal(values.limit, 5);
    assert_int_equal(values.sort, 1);
    assert_null(values.output);
}

static void test_long(void **state)
{
    (void)state;
    assert_int_equal(parse("--json --limit=7 --sort live --output=a=b --pattern -x"), 0);
    assert_true(values.json);
    assert_int_equal(values.limit, 7);
    assert_int_equal(values.sort, 2);
    assert_string_equal(values.output, "a=b");
    assert_string_equal(values.pattern, "-x");
    assert_int_equal(parsed.count, 0);
}

static void test_short(void **state)
{
    (void)state;
    assert_int_equal(parse("-jq -n7 -o x"), 0);
    assert_true(values.json && values.quiet);
    assert_int_equal(values.limit, 7);
    assert_string_equal(values.output, "x");
    assert_int_equal(parse("-jn 8 -qoy"), 0);
    assert_int_equal(values.limit, 8);
    assert_string_equal(values.output, "y");
}

static void test_last_one_counts(void **state)
{
    (void)state;
    assert_int_equal(parse("--limit=7 -n 8"), 0);
    assert_int_equal(values.limit, 8);
}

static void test_operands_anywhere(void **state)
{
    (void)state;
    assert_int_equal(parse("one --json two - -n 3 three -- --quiet -x"), 0);
    assert_int_equal(parsed.count, 6);
    assert_string_equal(parsed.operands[0], "one");
    assert_string_equal(parsed.operands[1], "two");
    assert_string_equal(parsed.operands[2], "-");
    assert_string_equal(parsed.operands[3], "three");
    assert_string_equal(parsed.operands[4], "--quiet");
    assert_string_equal(parsed.operands[5], "-x");
    assert_false(values.quiet);
}

static void test_program_ends_options(void **state)
{
    (void)state;
    assert_int_equal(parse_as(true, "-j game -q --limit=x"), 0);
    assert_true(values.json);
    assert_false(values.quiet);
    assert_int_equal(parsed.count, 3);
    assert_string_equal(parsed.operands[1], "-q");
    assert_int_equal(parse_as(true, "-j -- -game --quiet"), 0);
    assert_int_equal(parsed.count, 2);
    assert_string_equal(parsed.operands[0], "-game");
}

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(parse("-j --help"), 0);
    assert_true(parsed.help);
    assert_int_equal(parse("-jh --nonsense"), 0);
    assert_true(parsed.help);
}

static void test_wrong(void **state)
{
    static const char *const lines[] = {
        "--nonsense", "-x",          "-jx",         "--json=1",    "--help=x",
        "--limit",    "-n",          "--limit=",    "--limit=0",   "--limit=101",
        "--limit=1x", "--limit=-1",  "--limit=+1",  "-n 0x10",     "--limit= 5",
        "--sort",     "--sort=",     "--sort=byte", "--sort=LIVE", "--output",
        "--output=",  "--output .",  "-o .",        "--jso",       "--jsonx",
        "--limit .",  "--pattern .", "--=5",        "---",         "-n99999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (parse(lines[i]) != -1)
            fail_msg("'%s' was accepted", lines[i]);
}

static void test_number(void **state)
{
    uint64_t number = 1;

    (void)state;
    assert_true(options_number("0", &number));
    assert_int_equal(number, 0);
    assert_true(options_number("18446744073709551615", &number));
    assert_true(number == UINT64_MAX);
    assert_false(options_number("18446744073709551616", &number));
    assert_false(options_number("", &number));
    assert_false(options_number("1 ", &number));
    assert_false(options_number("-0", &number));
    assert_false(options_number("1,000", &number));
    assert_true(number == UINT64_MAX);
}

static void assert_nearest(const char *word, const char *wanted)
{
    static const char *const names[] = {"report", "sites", "polls", "info", "dump", "run", NULL};
    const char *nearest = options_nearest(word, names);

    if (wanted == NULL && nearest != NULL)
        fail_msg("'%s' is near '%s'", word, nearest);
    if (wanted != NULL && (nearest == NULL || strcmp(nearest, wanted) != 0))
        fail_msg("'%s' is not near '%s' but '%s'", word, wanted,
                 nearest != NULL ? nearest : "none");
}

static void test_nearest(void **state)
{
    (void)state;
    assert_nearest("report", "report");
    assert_nearest("rpeort", "report");
    assert_nearest("reprot", "report");
    assert_nearest("rep", "report"); /* the only one that it begins */
    assert_nearest("r", NULL);       /* begins two */
    assert_nearest("site", "sites");
    assert_nearest("dmup", "dump");
    assert_nearest("pols", "polls");
    assert_nearest("frobnicate", NULL);
    assert_nearest("", NULL);
    assert_nearest("a-word-that-is-longer-than-any-name-of-an-option-can-ever-be", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_last_one_counts),
        cmocka_unit_test(test_operands_anywhere),
        cmocka_unit_test(test_program_ends_options),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
