/* SPDX-License-Identifier: MIT */
#include "cli/format.h"
#include "cli/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SHOWS(call, wanted) assert_string_equal((call).text, wanted)

static void test_counts(void **state)
{
    (void)state;
    SHOWS(format_count(0), "0");
    SHOWS(format_count(999), "999");
    SHOWS(format_count(1000), "1,000");
    SHOWS(format_count(12345678), "12,345,678");
    SHOWS(format_count(UINT64_MAX), "18,446,744,073,709,551,615");
    SHOWS(format_signed(0), "0");
    SHOWS(format_signed(1234), "+1,234");
    SHOWS(format_signed(-123456), "-123,456");
    SHOWS(format_signed(INT64_MIN), "-9,223,372,036,854,775,808");
}

static void test_bytes(void **state)
{
    (void)state;
    SHOWS(format_bytes(0), "0 B");
    SHOWS(format_bytes(999), "999 B");
    SHOWS(format_bytes(1000), "1.00 kB");
    SHOWS(format_bytes(1024), "1.02 kB");
    SHOWS(format_bytes(9999), "10.0 kB");
    SHOWS(format_bytes(33500000), "33.5 MB");
    SHOWS(format_bytes(999400), "999 kB");
    SHOWS(format_bytes(999600), "1.00 MB"); /* never "1000 kB" */
    SHOWS(format_bytes(UINT64_MAX), "18.4 EB");
    SHOWS(format_bytes_binary(1023), "1023 B");
    SHOWS(format_bytes_binary(1024), "1.00 KiB");
    SHOWS(format_bytes_binary(16u << 20), "16.0 MiB");
    SHOWS(format_bytes_signed(0), "0 B");
    SHOWS(format_bytes_signed(1500), "+1.50 kB");
    SHOWS(format_bytes_signed(-64), "-64 B");
    SHOWS(format_bytes_signed(INT64_MIN), "-9.22 EB");
    SHOWS(format_bytes_real(0.25), "0.250 B");
    SHOWS(format_bytes_real(33456363.6), "33.5 MB");
    SHOWS(format_bytes_real(NAN), "n/a");
}

static void test_reals(void **state)
{
    (void)state;
    SHOWS(format_real(90909.0909, 2), "90,909.09");
    SHOWS(format_real(-1234.5, 1), "-1,234.5");
    SHOWS(format_real(INFINITY, 2), "n/a");
    SHOWS(format_real(DBL_MAX, 2), "1.8e+308");
    SHOWS(format_short(0), "0");
    SHOWS(format_short(368.016), "368.02");
    SHOWS(format_short(1.0), "1.00");
    SHOWS(format_short(1234.56), "1,235");
    SHOWS(format_short(0.5), "0.50");
    SHOWS(format_short(0.00342), "0.0034");
    SHOWS(format_short(3e-12), "3.0e-12");
    SHOWS(format_cell(0), "0");
    SHOWS(format_cell(0.0099), "<0.01");
    SHOWS(format_cell(0.01), "0.01");
    SHOWS(format_cell(0.126), "0.13");
    SHOWS(format_cell(12), "12.00");
    SHOWS(format_precise(0), "0.00");
    SHOWS(format_precise(0.272), "0.272");
    SHOWS(format_precise(56), "56.00");
    SHOWS(format_precise(52867.073218), "52,867.07");
    SHOWS(format_precise(1.0 / 3), "0.3333333");
}

/* What the report shows multiplies to what it shows, as far as its digits go. */
static void test_identity_as_shown(void **state)
{
    static const uint64_t cases[][3] = {
        {272, 1000, 444724}, {36802144, 100000, 1100000000}, {1, 3, 7}, {64, 850, 999999999}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double bytes = (double)cases[i][0], polls = (double)cases[i][1];
        double seconds = (double)cases[i][2] / 1e9;
        char *shown[2] = {NULL, NULL};
        double read[2];
        for (int n = 0; n < 2; n++) {
            shown[n] = strdup(format_precise(n == 0 ? bytes / polls : polls / seconds).text);
            char *to = shown[n];
            for (const char *from = shown[n]; *from != '\0'; from++)
                if (*from != ',')
                    *to++ = *from;
            *to = '\0';
            read[n] = atof(shown[n]);
            free(shown[n]);
        }
        assert_true(fabs(read[0] * read[1] / (bytes / seconds) - 1) < 1e-6);
    }
}

static void test_durations(void **state)
{
    (void)state;
    SHOWS(format_duration(0), "0 ns");
    SHOWS(format_duration(64), "64 ns");
    SHOWS(format_duration(11050), "11.1 us");
    SHOWS(format_duration(1900000000), "1.90 s");
    SHOWS(format_duration(59999999999), "60.0 s");
    SHOWS(format_duration(119400000000), "119 s");
    SHOWS(format_duration(245000000000), "4 min 05 s");
    SHOWS(format_duration(3720000000000), "1 h 02 min");
    SHOWS(format_duration(UINT64_MAX), "5124095 h 34 min");
}

static void test_percent(void **state)
{
    (void)state;
    SHOWS(format_percent(0, 0), "n/a");
    SHOWS(format_percent(0, 7), "0 %");
    SHOWS(format_percent(7, 7), "100 %");
    SHOWS(format_percent(1, 100000), "<0.1 %");
    SHOWS(format_percent(99999, 100000), ">99.9 %");
    SHOWS(format_percent(1, 8), "12.5 %");
    SHOWS(format_share(0.0016), "0.16 %");
}

static void assert_text(char *got, const char *wanted)
{
    assert_string_equal(got, wanted);
    free(got);
}

#define ESCAPE(text, utf8) text_escape(text, sizeof(text) - 1, utf8)

static void test_escape(void **state)
{
    (void)state;
    assert_text(ESCAPE("plain text", true), "plain text");
    assert_text(ESCAPE("\033[31mred\a\b\r\n\t", true), "\\x1b[31mred\\x07\\x08\\x0d\\x0a\\x09");
    assert_text(ESCAPE("nul\0inside", true), "nul\\x00inside");
    assert_text(ESCAPE("\x7f", true), "\\x7f");
    assert_text(ESCAPE("gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x8e\xae", true),
                "gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x8e\xae");
    assert_text(ESCAPE("gr\xc3\xbcn", false), "gr\\xc3\\xbcn");
    assert_text(ESCAPE("\xc2\x9b"
                       "31m",
                       true),
                "\\xc2\\x9b"
                "31m"); /* CSI in C1 */
    assert_text(ESCAPE("\xe2\x80\xae"
                       "evil",
                       true),
                "\\xe2\\x80\\xae"
                "evil"); /* right to left */
    assert_text(ESCAPE("\xff\xfe\x80", true), "\\xff\\xfe\\x80");
    assert_text(ESCAPE("\xc0\x9b", true), "\\xc0\\x9b");          /* overlong */
    assert_text(ESCAPE("\xed\xa0\x80", true), "\\xed\\xa0\\x80"); /* surrogate */
    assert_text(ESCAPE("\xf4\x90\x80\x80", true), "\\xf4\\x90\\x80\\x80");
    assert_text(ESCAPE("cut \xe2\x82", true), "cut \\xe2\\x82");
}

static void test_valid(void **state)
{
    (void)state;
    assert_text(text_valid("gr\xc3\xbcn"), "gr\xc3\xbcn");
    assert_text(text_valid("a\xff"
                           "b\xe2\x82"),
                "a\xef\xbf\xbd"
                "b\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_shell(void **state)
{
    (void)state;
    assert_text(text_shell("game.1234.alloc"), "game.1234.alloc");
    assert_text(text_shell("my game"), "'my game'");
    assert_text(text_shell("it's"), "'it'\\''s'");
    assert_text(text_shell(""), "''");
    assert_text(text_shell("$(rm x)"), "'$(rm x)'");
}

static void test_fit(void **state)
{
    (void)state;
    assert_text(text_fit("short", 5, false), "short");
    assert_text(text_fit("0123456789", 9, false), "012...789");
    assert_text(text_fit("0123456789", 9, true), "0123\xe2\x80\xa6"
                                                 "6789");
    assert_text(text_fit("0123456789", 3, false), "...");
    assert_text(text_fit("0123456789", 1, false), ".");
    assert_text(text_fit("0123456789", 0, false), "");
    assert_text(text_fit("0123456789", 1, true), "\xe2\x80\xa6");
    assert_text(text_fit_end("/usr/lib/libc.so.6", 12, false), "...libc.so.6");
    assert_text(text_fit_end("libc.so.6", 12, false), "libc.so.6");
}

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("gr\xc3\xbcn"), 4);
    assert_int_equal(text_columns("\xff\xff"), 2);
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        fail_msg("there is no locale C.UTF-8");
    assert_int_equal(text_columns("\xe6\x97\xa5\xe6\x9c\xac"), 4); /* two wide characters */
    assert_text(text_fit("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5, true),
                "\xe6\x97\xa5\xe2\x80\xa6\xe8\xaa\x9e");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_reals),     cmocka_unit_test(test_identity_as_shown),
        cmocka_unit_test(test_durations), cmocka_unit_test(test_percent),
        cmocka_unit_test(test_escape),    cmocka_unit_test(test_valid),
        cmocka_unit_test(test_shell),     cmocka_unit_test(test_fit),
        cmocka_unit_test(test_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
