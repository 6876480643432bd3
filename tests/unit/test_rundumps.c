/* SPDX-License-Identifier: MIT */
#include "cli/recorder.h"
#include "cli/rundumps.h"
#include "tests/unit/dump_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void test_matches(void **state)
{
    (void)state;
    assert_true(rundumps_matches("%e.%p.alloc", "game.1234.alloc"));
    assert_true(rundumps_matches("%e.%p.alloc", "my.game.1234.alloc"));
    assert_true(rundumps_matches("%e.%p.alloc", ".12.alloc"));
    assert_true(rundumps_matches("%e.%p.alloc", "game.1234.alloc.1"));
    assert_true(rundumps_matches("%e.%p.alloc", "game.1234.alloc.999"));
    assert_true(rundumps_matches("100%%", "100%"));
    assert_true(rundumps_matches("out", "out"));
    assert_true(rundumps_matches("%x", "%x")); /* no escape of the template's */
    assert_true(rundumps_matches("%p%e", "12game"));
    assert_false(rundumps_matches("%e.%p.alloc", "game.alloc"));
    assert_false(rundumps_matches("%e.%p.alloc", "game.x.alloc"));
    assert_false(rundumps_matches("%e.%p.alloc", "game.1234.alloc.x"));
    assert_false(rundumps_matches("%e.%p.alloc", "game.1234.alloc.1234"));
    assert_false(rundumps_matches("%e.%p.alloc", "game.1234.alloc."));
    assert_false(rundumps_matches("%e.%p.alloc", "game.1234.allo"));
    assert_false(rundumps_matches("out", "outer"));
    assert_false(rundumps_matches("out", ""));
}

static void test_template(void **state)
{
    char directory[] = "/tmp/allocreport-100%e-XXXXXX";
    char *template;

    (void)state;
    template = rundumps_template("/absolute/%e");
    assert_string_equal(template, "/absolute/%e");
    free(template);

    /* A percent sign in the working directory's name stays one. */
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    template = rundumps_template(NULL);
    assert_non_null(strstr(template, "/allocreport-100%%e-"));
    assert_non_null(strstr(template, "/%e.%p.alloc"));
    struct rundumps dumps = rundumps_start(template);
    assert_string_equal(dumps.directory, directory);
    assert_string_equal(dumps.name, "%e.%p.alloc");
    rundumps_end(&dumps);
    free(template);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(directory), 0);
}

static uint64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A dump of process `pid`, a child of `parent`, that polled `polls` times. */
static void save(const char *name, uint32_t pid, uint32_t parent, unsigned polls, uint64_t start_ns)
{
    struct builder builder;

    builder_start(&builder);
    uint32_t module = builder_module(&builder, "/usr/games/example", NULL, 0, 1);
    unsigned thread = builder_thread(&builder, "main", DUMP_THREAD_MAIN);
    unsigned loop =
        builder_loop(&builder, thread, builder_site(&builder, module, 16, DUMP_STACK_POLL));
    uint32_t site = builder_site(&builder, module, 32, 0);
    for (unsigned i = 0; i < polls; i++) {
        if (i > 0)
            builder_alloc(&builder, thread, site, 100);
        builder_poll(&builder, loop, false);
    }
    builder.header.pid = pid;
    builder.header.parent_pid = parent;
    builder.header.start_monotonic_ns = start_ns;
    assert_true(builder_save(&builder, name));
    builder_end(&builder);
}

static void test_find(void **state)
{
    char directory[] = "/tmp/allocreport-XXXXXX";
    const uint32_t program = 4000000, gone = 4100000; /* above the kernel's greatest pid */
    size_t count;

    (void)state;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    save("old.1.alloc", program, (uint32_t)getpid(), 99, monotonic_ns());
    char *template = rundumps_template(NULL);
    struct rundumps dumps = rundumps_start(template);

    uint64_t now = monotonic_ns();
    save("game.1.alloc", program, (uint32_t)getpid(), 3, now);
    save("child.2.alloc", gone, program, 7, now);
    save("orphan.3.alloc", gone, gone + 1, 2, now); /* all that could tell is gone */
    save("foreign.4.alloc", gone, 1, 50, now);      /* a living parent of another's */
    save("other-name", program, (uint32_t)getpid(), 50, now);
    FILE *text = fopen("text.5.alloc", "w");
    assert_non_null(text);
    fputs("no dump\n", text);
    fclose(text);

    struct rundump *list = rundumps_find(&dumps, (pid_t)program, &count);
    assert_int_equal(count, 3);
    assert_non_null(strstr(list[0].path, "/child.2.alloc"));
    assert_int_equal(list[0].polls, 7);
    assert_int_equal(list[0].bytes, 600);
    assert_non_null(strstr(list[1].path, "/game.1.alloc"));
    assert_int_equal(list[1].polls, 3);
    assert_non_null(strstr(list[2].path, "/orphan.3.alloc"));
    assert_false(list[0].running);
    rundumps_free(list, count);

    rundumps_end(&dumps);
    free(template);
    assert_int_equal(chdir("/"), 0);
    char *remove = NULL;
    assert_true(asprintf(&remove, "rm -r '%s'", directory) > 0);
    assert_int_equal(system(remove), 0);
    free(remove);
}

static void assert_preload(const char *old, const char *wanted)
{
    char *value = recorder_preload("/lib/liballocreport.so", old);

    assert_string_equal(value, wanted);
    free(value);
}

static void test_preload(void **state)
{
    (void)state;
    assert_preload(NULL, "/lib/liballocreport.so");
    assert_preload("", "/lib/liballocreport.so");
    assert_preload("liba.so:/x/libb.so", "/lib/liballocreport.so:liba.so:/x/libb.so");
    assert_preload(" liba.so  libb.so ", "/lib/liballocreport.so:liba.so:libb.so");
    assert_preload("liba.so:/lib/liballocreport.so", "/lib/liballocreport.so:liba.so");
    assert_preload("/usr/lib/libasan.so.8:liba.so",
                   "/usr/lib/libasan.so.8:/lib/liballocreport.so:liba.so");
    assert_preload("liba.so:libclang_rt.asan-x86_64.so",
                   "libclang_rt.asan-x86_64.so:/lib/liballocreport.so:liba.so");
    assert_null(recorder_preload("/my games/liballocreport.so", NULL));
    assert_null(recorder_preload("/a:b/liballocreport.so", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_template),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_preload),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
