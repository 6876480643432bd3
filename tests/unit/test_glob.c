/* SPDX-License-Identifier: MIT */
#include "cli/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct glob_line lines[] = {
    {"libSDL2-2.0.so.0", "SDL_malloc"},
    {"libSDL2-2.0.so.0", "SDL_strdup"},
    {"libSDL2-2.0.so.0", "+0x1234"},
    {"game", "draw_text"},
    {"game", "std::map<a, b<c> >::find"},
    {"game", "draw_text"},
    {"game", "draw_frame"},
    {"game", "main"},
};
#define COUNT (sizeof lines / sizeof lines[0])

/* The site is named by SDL_strdup: SDL_malloc only passes it on. */
static bool matches(const char *text)
{
    char *why;
    struct glob *glob = glob_parse(text, &why);
    if (glob == NULL)
        fail_msg("%s: %s", text, why);
    bool result = glob_matches(glob, lines, COUNT, 1);
    glob_free(glob);
    return result;
}

static void test_site(void **state)
{
    (void)state;
    assert_true(matches("SDL_strdup"));
    assert_true(matches("SDL_malloc"));
    assert_true(matches("SDL_*"));
    assert_true(matches("libSDL2*!*"));
    assert_true(matches("*!SDL_strdup"));
    assert_false(matches("game!SDL_strdup"));
    assert_false(matches("draw_text")); /* a caller is not the site */
    assert_false(matches("sdl_strdup"));
    assert_false(matches("SDL_strdu"));
}

static void test_callers(void **state)
{
    (void)state;
    assert_true(matches("main >> *"));
    assert_true(matches("draw_text >> SDL_strdup"));
    assert_true(matches("libSDL2*!* > SDL_strdup"));
    assert_false(matches("draw_text > SDL_strdup"));
    assert_true(matches("draw_text > * > SDL_strdup"));
    assert_true(matches("draw_frame > draw_text >> SDL_*"));
    assert_false(matches("draw_frame > std::map* >> SDL_*"));
    assert_true(matches("draw_frame >> std::map* >> SDL_*"));
    assert_true(matches("main > draw_frame > draw_text > std::map<a, b<c> >::find > draw_text > * "
                        "> SDL_strdup > SDL_malloc"));
    assert_false(matches("SDL_strdup > SDL_strdup"));
    assert_false(matches("other >> SDL_strdup"));
    assert_false(matches("SDL_strdup >> draw_text"));
}

static void test_modules(void **state)
{
    char *why;
    (void)state;
    struct glob *glob = glob_parse("game!main >> a > lib*!b", &why);
    assert_non_null(glob);
    assert_string_equal(glob_module(glob, 0), "game");
    assert_string_equal(glob_module(glob, 1), "lib*");
    assert_null(glob_module(glob, 2));
    glob_free(glob);
}

static void test_wrong(void **state)
{
    static const char *const wrong[] = {
        "",         "a > ",        "a >> ",        " > a",       "a >  b", "!f", "m!",
        "game.c:1", "game!f+0x12", "a > game.c:9", "a > m! > b", "a ",     " a",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *why = NULL;
        struct glob *glob = glob_parse(wrong[i], &why);
        if (glob != NULL)
            fail_msg("'%s' was taken", wrong[i]);
        assert_non_null(why);
        assert_true(strlen(why) > 10);
        free(why);
    }
    /* What only looks like it. */
    assert_false(matches("std::vector<int> >::f"));
    assert_false(matches("a::b1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_site),
        cmocka_unit_test(test_callers),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
