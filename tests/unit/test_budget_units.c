/* SPDX-License-Identifier: MIT */
#include "cli/budget_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum budget_units kind;
        int64_t part;
        uint64_t whole;
    } cases[] = {
        {"0", BUDGET_UNITS_COUNT, 0, 1},
        {"12", BUDGET_UNITS_COUNT, 12, 1},
        {"007", BUDGET_UNITS_COUNT, 7, 1},
        {"0.5", BUDGET_UNITS_COUNT, 1, 2},
        {"0.000000001", BUDGET_UNITS_COUNT, 1, 1000000000},
        {"0 B", BUDGET_UNITS_BYTES, 0, 1},
        {"4 kB", BUDGET_UNITS_BYTES, 4000, 1},
        {"4 KiB", BUDGET_UNITS_BYTES, 4096, 1},
        {"4KiB", BUDGET_UNITS_BYTES, 4096, 1},
        {"1.5 kB", BUDGET_UNITS_BYTES, 1500, 1},
        {"1.5 KiB", BUDGET_UNITS_BYTES, 1536, 1},
        {"2 MB", BUDGET_UNITS_BYTES, 2000000, 1},
        {"2 MiB", BUDGET_UNITS_BYTES, 2097152, 1},
        {"2 GB", BUDGET_UNITS_BYTES, 2000000000, 1},
        {"2 GiB", BUDGET_UNITS_BYTES, 2147483648, 1},
        {"3 ns", BUDGET_UNITS_TIME, 3, 1},
        {"3 us", BUDGET_UNITS_TIME, 3000, 1},
        {"3 \xc2\xb5s", BUDGET_UNITS_TIME, 3000, 1},
        {"3.25 ms", BUDGET_UNITS_TIME, 3250000, 1},
        {"3 s", BUDGET_UNITS_TIME, 3000000000, 1},
        {"10 %", BUDGET_UNITS_PERCENT, 10, 1},
        {"10%", BUDGET_UNITS_PERCENT, 10, 1},
        {"+5 %", BUDGET_UNITS_CHANGE, 5, 1},
        {"+0 %", BUDGET_UNITS_CHANGE, 0, 1},
        {"-0.5 %", BUDGET_UNITS_CHANGE, -1, 2},
        {"9223372036854775807", BUDGET_UNITS_COUNT, INT64_MAX, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum budget_units kind = BUDGET_UNITS_COUNT;
        struct ratio value = ratio_of(0, 1);
        char *why = budget_units_parse(cases[i].text, &kind, &value);

        if (why != NULL)
            fail_msg("%s: %s", cases[i].text, why);
        assert_int_equal(kind, cases[i].kind);
        if (ratio_compare(value, ratio_signed(cases[i].part, cases[i].whole)) != 0)
            fail_msg("%s is %s", cases[i].text, ratio_text(value, 9).text);
    }
}

static void test_greatest(void **state)
{
    (void)state;
    enum budget_units kind;
    struct ratio value;

    assert_null(budget_units_parse("18446744073709551615 B", &kind, &value));
    assert_int_equal(ratio_compare(value, ratio_of(UINT64_MAX, 1)), 0);
    assert_null(budget_units_parse("17179869183 GiB", &kind, &value));
    assert_int_equal(ratio_compare(value, ratio_of(UINT64_C(17179869183) << 30, 1)), 0);
}

static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "no number"},
        {"many", "no number"},
        {"4 KB", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"4 K", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"4k", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"4 kb", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"4 Mb", "write MB (10^6 bytes) or MiB (2^20 bytes)"},
        {"4 G", "write GB (10^9 bytes) or GiB (2^30 bytes)"},
        {"4 kib", "did you mean 'KiB'"},
        {"4 b", "did you mean 'B'"},
        {"4 bytes", "did you mean 'B'"},
        {"4 Bytes", "did you mean 'B'"},
        {"4 MS", "did you mean 'ms'"},
        {"4 TiB", "no unit: there are B, kB"},
        {"4 B B", "no unit"},
        {"4 B ", "no unit"},
        {"4\xc2\xa0"
         "B",
         "no unit"},
        {" 4 B", "no number"},
        {"1,5 KiB", "comma"},
        {"1,000 B", "comma"},
        {"1_000 B", "no unit"},
        {"1e3 B", "no unit"},
        {"0x10 B", "no unit"},
        {".5 B", "no number"},
        {"5. B", "digits are missing"},
        {"1.5.5 B", "no unit"},
        {"0.0000000001 B", "more than 9 digits"},
        {"inf", "no number"},
        {"nan", "no number"},
        {"-4 B", "a sign is for"},
        {"+4", "a sign is for"},
        {"--5 %", "no number"},
        {"+ 5 %", "no number"},
        {"18446744073709551616 B", "too large"},
        {"17179869184 GiB", "too large"},
        {"18446744073709551615 kB", "too large"},
        {"99999999999999999999999999999999999999", "too large"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum budget_units kind;
        struct ratio value;
        char *why = budget_units_parse(cases[i].text, &kind, &value);

        if (why == NULL || strstr(why, cases[i].words) == NULL)
            fail_msg("'%s', not '%s': %s", cases[i].text, cases[i].words, why);
        free(why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_greatest),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
