/* SPDX-License-Identifier: MIT */
#include "cli/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(char *(*escape)(const char *), const char *text, const char *wanted)
{
    char *escaped = escape(text);
    assert_string_equal(escaped, wanted);
    free(escaped);
}

static void test_xml(void **state)
{
    (void)state;
    check(escape_xml, "a&b<c>\"d'e%/", "a&#38;b&#60;c&#62;&#34;d&#39;e%/");
    check(escape_xml, "a\nb\tc\r", "a&#10;b&#9;c&#13;");
    check(escape_xml, "]]>", "]]&#62;");
    check(escape_xml, "\x01\x1b[31m\x7f", "\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd");
    check(escape_xml, "\xc3\xa9\xff", "\xc3\xa9\xef\xbf\xbd");
    check(escape_xml, "\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbc",
          "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbc");
    check(escape_xml, "", "");
}

static void test_github(void **state)
{
    (void)state;
    check(escape_github, "100 %\r\n::error::x, y", "100 %25%0D%0A::error::x, y");
    check(escape_github, "%0A", "%250A");
    check(escape_github, "\x1b[31m", "\xef\xbf\xbd[31m");
    check(escape_github_property, "a: b, c%\n/<&>\"", "a%3A b%2C c%25%0A/<&>\"");
}

static void test_markdown(void **state)
{
    (void)state;
    check(escape_markdown, "a|b", "a&#124;b");
    check(
        escape_markdown, "<b>&amp; *x* _y_ `z` [l](u)\n# h",
        "&#60;b&#62;&#38;amp; &#42;x&#42; &#95;y&#95; &#96;z&#96; &#91;l&#93;&#40;u&#41; &#35; h");
    check(escape_markdown, "f/g%", "f/g%");
    check(escape_markdown,
          "a\xe2\x80\xae"
          "b\xe2\x80\xa8\xc2\x9b\xc3\xa9",
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xml),
        cmocka_unit_test(test_github),
        cmocka_unit_test(test_markdown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
