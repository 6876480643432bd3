/* SPDX-License-Identifier: MIT */
#include "preload/text.h"

#include "tests/unit/rec_helper.h"

#include <string.h>

static void test_empty(void **state)
{
    char buffer[4] = "abc";
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    (void)state;
    assert_string_equal(buffer, "");
    assert_int_equal(text.length, 0);
    assert_false(text.full);
    ar_text_add(&text, "");
    assert_string_equal(buffer, "");
    assert_false(text.full);
}

static void test_add(void **state)
{
    char buffer[32];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    (void)state;
    ar_text_add(&text, "one");
    ar_text_add_bytes(&text, " and more", 4);
    ar_text_add(&text, " two");
    assert_string_equal(buffer, "one and two");
    assert_int_equal(text.length, 11);
    assert_false(text.full);
}

/* The last byte is the NUL's; what does not fit is cut there, and later texts too. */
static void test_cut(void **state)
{
    char buffer[8];
    struct ar_text text = ar_text_in(buffer, 6);

    (void)state;
    memset(buffer + 6, 'x', 2);
    ar_text_add(&text, "12345");
    assert_string_equal(buffer, "12345");
    assert_false(text.full);
    ar_text_add(&text, "6");
    assert_string_equal(buffer, "12345");
    assert_true(text.full);
    ar_text_add_number(&text, 7);
    assert_string_equal(buffer, "12345");
    assert_int_equal(text.length, 5);
    assert_memory_equal(buffer + 6, "xx", 2);
    text = ar_text_in(buffer, 6);
    ar_text_add(&text, "123456789");
    assert_string_equal(buffer, "12345");
    assert_true(text.full);
    assert_memory_equal(buffer + 6, "xx", 2);
}

static void test_no_room(void **state)
{
    char buffer[2] = {1, 2};
    struct ar_text text = ar_text_in(buffer, 1);

    (void)state;
    ar_text_add(&text, "a");
    assert_true(text.full);
    assert_int_equal(buffer[0], 0);
    assert_int_equal(buffer[1], 2);
}

static const char *number(uint64_t value, bool grouped)
{
    static char buffer[64];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    (grouped ? ar_text_add_grouped : ar_text_add_number)(&text, value);
    assert_false(text.full);
    assert_int_equal(text.length, strlen(buffer));
    return buffer;
}

static void test_numbers(void **state)
{
    (void)state;
    assert_string_equal(number(0, false), "0");
    assert_string_equal(number(9, false), "9");
    assert_string_equal(number(10, false), "10");
    assert_string_equal(number(1234567890, false), "1234567890");
    assert_string_equal(number(UINT64_MAX, false), "18446744073709551615");
}

static void test_groups(void **state)
{
    (void)state;
    assert_string_equal(number(0, true), "0");
    assert_string_equal(number(999, true), "999");
    assert_string_equal(number(1000, true), "1,000");
    assert_string_equal(number(100000, true), "100,000");
    assert_string_equal(number(1000000, true), "1,000,000");
    assert_string_equal(number(UINT64_MAX, true), "18,446,744,073,709,551,615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_add),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
