/* SPDX-License-Identifier: MIT */
#include "cli/demangle.h"
#include "cli/perfmap.h"
#include "cli/ranges.h"
#include "cli/symbols.h"
#include "cli/wrappers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* C++ as GCC and Clang mangle it, Rust old and new, D; and what is no such name. */
static void test_demangle(void **state)
{
    static const struct {
        const char *name, *full, *brief;
    } cases[] = {
        {"_ZN3foo3barEi", "foo::bar(int)", "foo::bar"},
        {"_ZNSt6vectorIiSaIiEE9push_backEOi",
         "std::vector<int, std::allocator<int> >::push_back(int&&)",
         "std::vector<int, std::allocator<int> >::push_back"},
        {"_Z1fIiEvT_", "void f<int>(int)", "f<int>"},
        {"_ZN3foo3barEi.cold", "foo::bar(int) [clone .cold]", "foo::bar"},
        {"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt",
         "core::fmt::Write::write_fmt"},
        {"_RNvC6_123foo3bar", "123foo::bar", "123foo::bar"},
        {"_D4test3fooFiZv", "test.foo(int)", "test.foo"},
        {"main", NULL, NULL},
        {"_Zbroken", NULL, NULL},
        {"", NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *full = demangle_full(cases[i].name);
        char *brief = demangle_short(cases[i].name);
        if (cases[i].full) {
            assert_non_null(full);
            assert_non_null(brief);
            assert_string_equal(full, cases[i].full);
            assert_string_equal(brief, cases[i].brief);
        } else {
            assert_null(full);
            assert_null(brief);
        }
        free(full);
        free(brief);
    }
}

/* A name that would send the demangler down for ever. */
static void test_demangle_hostile(void **state)
{
    size_t length = 1 << 20;
    char *name = malloc(length + 1);
    (void)state;
    assert_non_null(name);
    memset(name, 'P', length);
    memcpy(name, "_Z1f", 4);
    name[length] = '\0';
    assert_null(demangle_full(name));
    name[30000] = '\0';
    free(demangle_full(name));
    free(demangle_short(name));
    free(name);
}

static void expect_unknown(const struct symbol *symbol)
{
    assert_int_equal(symbol->count, 1);
    assert_null(symbol->lines[0].function);
}

static void test_perfmap(void **state)
{
    static const char text[] = "1000 100 first\n"
                               "2000 10 second name with spaces\n"
                               "zzz\n"
                               "3000\n"
                               "4000 20\n"
                               "5000 10 \n"
                               "1000 20 again\n"
                               "ffffffffffffffff 10 beyond\n"
                               "6000 8 _ZN3foo3barEi";
    struct symbols *symbols = symbols_new(4194999);
    struct symbol_module jit = {.id = 2, .anonymous = true};
    (void)state;
    FILE *file = fopen("/tmp/perf-4194999.map", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    static const struct {
        uint64_t address;
        const char *function;
    } cases[] = {{0x1000, "again"},  {0x101f, "again"},   {0x1020, "first"},
                 {0x10ff, "first"},  {0x1100, NULL},      {0x2005, "second name with spaces"},
                 {0x4000, NULL},     {0x5000, NULL},      {0xfff, NULL},
                 {UINT64_MAX, NULL}, {0x6000, "foo::bar"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct symbol *symbol = symbols_find(symbols, &jit, cases[i].address, true);
        if (cases[i].function)
            assert_string_equal(symbol->lines[0].function, cases[i].function);
        else
            expect_unknown(symbol);
    }
    assert_int_equal(symbols_source(symbols, 2), SYMBOL_SOURCE_PERF_MAP);
    jit.id = UINT32_MAX; /* an address in no module */
    assert_string_equal(symbols_find(symbols, &jit, 0x1001, false)->lines[0].function, "again");
    symbols_free(symbols);
    unlink("/tmp/perf-4194999.map");
    assert_null(perfmap_open("/tmp/perf-4194999.map"));
    assert_null(perfmap_open("/"));
    assert_null(perfmap_find(NULL, 1));
}

static void test_ranges(void **state)
{
    struct ranges ranges = {0};
    size_t value = 99;
    (void)state;
    assert_false(ranges_find(&ranges, 5, &value));
    ranges_add(&ranges, 10, 20, 1);
    ranges_add(&ranges, 12, 14, 2);
    ranges_add(&ranges, 30, 30, 3);
    ranges_add(&ranges, 50, 40, 4);
    ranges_add(&ranges, 60, UINT64_MAX, 5);
    assert_int_equal(ranges.count, 3);
    assert_false(ranges_find(&ranges, 9, &value));
    assert_true(ranges_find(&ranges, 10, &value) && value == 1);
    assert_true(ranges_find(&ranges, 13, &value) && value == 2);
    assert_true(ranges_find(&ranges, 14, &value) && value == 1);
    assert_false(ranges_find(&ranges, 20, &value));
    assert_false(ranges_find(&ranges, 30, &value));
    assert_true(ranges_find(&ranges, UINT64_MAX - 1, &value) && value == 5);
    ranges_add(&ranges, 10, 11, 6);
    assert_true(ranges_find(&ranges, 10, &value) && value == 6);
    ranges_free(&ranges);
    assert_int_equal(ranges.count, 0);
}

static void test_wrappers(void **state)
{
    static const char *const has[] = {"SDL_malloc",
                                      "SDL_malloc_REAL",
                                      "g_malloc",
                                      "operator new",
                                      "CRYPTO_malloc",
                                      "zcalloc",
                                      "malloc",
                                      "__strdup",
                                      "std::vector<int>::push_back",
                                      "__gnu_cxx::new_allocator<int>::allocate",
                                      "alloc::vec::Vec<T>::push"};
    static const char *const has_not[] = {"main",      "",       "_REAL",    "SDL_CreateTexture",
                                          "mallocate", "stdlib", "Z_Malloc", "my::std::vector"};
    (void)state;
    for (size_t i = 0; i < sizeof has / sizeof has[0]; i++)
        if (!wrappers_has(has[i]))
            fail_msg("%s is not there", has[i]);
    for (size_t i = 0; i < sizeof has_not / sizeof has_not[0]; i++)
        assert_false(wrappers_has(has_not[i]));
    assert_false(wrappers_has(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_demangle), cmocka_unit_test(test_demangle_hostile),
        cmocka_unit_test(test_perfmap),  cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_wrappers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
