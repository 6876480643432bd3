/* SPDX-License-Identifier: MIT */
#include "tests/unit/model_helper.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Stands for SDL's, which passes allocations on. */
__attribute__((noinline)) static void SDL_malloc(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void make_sprite(void)
{
    __asm__ volatile("" ::: "memory");
}

static int find_base(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    *(uintptr_t *)data = info->dlpi_addr;
    return 1;
}

struct names {
    struct builder builder;
    uint32_t module;
    uintptr_t base;
};

static void start_names(struct names *names)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = '\0';
    builder_start(&names->builder);
    names->module = builder_module(&names->builder, path, NULL, 0, 1);
    dl_iterate_phdr(find_base, &names->base);
}

static uint32_t frame_of(struct names *names, void (*function)(void))
{
    return builder_frame(&names->builder, names->module, (uintptr_t)function - names->base,
                         DUMP_FRAME_EXACT);
}

/* The innermost function that is no wrapper names a site; of nothing but wrappers the first. */
static void test_wrappers_are_skipped(void **state)
{
    struct names names;
    (void)state;
    start_names(&names);
    uint32_t frames[] = {frame_of(&names, SDL_malloc), frame_of(&names, make_sprite)};
    uint32_t through = builder_stack(&names.builder, 0, frames, 2);
    uint32_t only = builder_stack(&names.builder, 0, frames, 1);
    uint32_t nothing = builder_stack(&names.builder, 0, NULL, 0);
    unsigned thread = builder_thread(&names.builder, "main", DUMP_THREAD_MAIN);
    builder_alloc(&names.builder, thread, through, 3);
    builder_alloc(&names.builder, thread, only, 2);
    builder_alloc(&names.builder, thread, nothing, 1);
    struct model *model = helper_checked(&names.builder);
    struct model_line line;
    assert_true(model_name(model, model->sites[0].stack, &line));
    assert_string_equal(line.function, "make_sprite");
    assert_int_equal(model_symbol_source(model, 0), SYMBOL_SOURCE_DWARF);
    assert_true(model_name(model, model->sites[1].stack, &line));
    assert_string_equal(line.function, "SDL_malloc");
    assert_false(model_name(model, model->sites[2].stack, &line));
    assert_null(line.module);
    assert_false(model_name(model, NULL, &line));
    model_close(model);
    builder_end(&names.builder);
}

static void count_progress(size_t done, size_t all, void *data)
{
    assert_true(done <= all);
    *(size_t *)data = done;
}

/* Whole stacks keep the wrappers; a frame in no module is its address. */
static void test_lines(void **state)
{
    struct names names;
    (void)state;
    start_names(&names);
    uint32_t frames[] = {frame_of(&names, SDL_malloc), frame_of(&names, make_sprite),
                         builder_frame(&names.builder, 0, 0xabc, 0),
                         builder_frame(&names.builder, names.module, UINT64_MAX, 0)};
    uint32_t site = builder_stack(&names.builder, 0, frames, 4);
    unsigned thread = builder_thread(&names.builder, "main", DUMP_THREAD_MAIN);
    builder_alloc(&names.builder, thread, site, 3);
    struct model *model = helper_checked(&names.builder);
    static const char *const texts[] = {"SDL_malloc", "make_sprite", "0xabc"};
    size_t done = 0;
    size_t count;
    model_symbolise(model, count_progress, &done);
    assert_int_equal(done, 4);
    struct model_line *lines = model_lines(model, model->sites[0].stack, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 3; i++) {
        char *text = model_line_text(&lines[i]);
        assert_string_equal(text, texts[i]);
        free(text);
    }
    assert_null(lines[2].module);
    char *text = model_line_text(&lines[3]);
    assert_non_null(strstr(text, "+0xffffffffffffffff"));
    free(text);
    free(lines);
    assert_null(model_lines(model, NULL, &count));
    assert_int_equal(count, 0);
    model_close(model);
    builder_end(&names.builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrappers_are_skipped),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
