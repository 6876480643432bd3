/* SPDX-License-Identifier: MIT */
#include "cli/symbols.h"

#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* This very program is what the tests look up: its base and build-id as the loader has them. */
static uintptr_t base;
static uint8_t build_id[64];
static size_t build_id_length;
static char self[4096];

static int find_self(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(base + header->p_vaddr);
        const char *end = at + header->p_memsz;
        while (at < end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *note;
            const char *value = name + (note->n_namesz + 3) / 4 * 4;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0 && note->n_descsz <= sizeof build_id) {
                build_id_length = note->n_descsz;
                memcpy(build_id, value, build_id_length);
            }
            at = value + (note->n_descsz + 3) / 4 * 4;
        }
    }
    return 1; /* the first one is the program */
}

static int start(void **state)
{
    (void)state;
    dl_iterate_phdr(find_self, NULL);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    return length > 0 && build_id_length > 0 ? 0 : -1;
}

static struct symbol_module module_at(const char *path)
{
    return (struct symbol_module){
        .path = path, .build_id = build_id, .build_id_length = build_id_length};
}

static uint64_t offset_of(uintptr_t address)
{
    return address - base;
}

static uintptr_t caller;

__attribute__((noinline)) static void note_caller(void)
{
    caller = (uintptr_t)__builtin_return_address(0);
    __asm__ volatile("" ::: "memory");
}

static const unsigned inner_line = __LINE__ + 3;
__attribute__((always_inline)) static inline void inner_function(void)
{
    note_caller();
    __asm__ volatile("" ::: "memory");
}

static const unsigned middle_line = __LINE__ + 3;
__attribute__((always_inline)) static inline void middle_function(void)
{
    inner_function();
}

static const unsigned outer_line = __LINE__ + 3;
__attribute__((noinline)) static void outer_function(void)
{
    middle_function();
    __asm__ volatile("" ::: "memory");
}

static bool ends_with(const char *text, const char *end)
{
    return text && strlen(text) >= strlen(end) &&
           strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void expect_line(const struct symbol_line *line, const char *function, unsigned number,
                        bool inlined)
{
    assert_non_null(line->function);
    assert_string_equal(line->function, function);
    assert_string_equal(line->full, function);
    assert_true(ends_with(line->file, "tests/unit/test_symbols.c"));
    assert_int_equal(line->file[0], '/');
    assert_int_equal(line->line, number);
    assert_true(line->inlined == inlined);
}

/* A return address, looked up as the call before it, in its chain of inlined functions. */
static void test_inlined(void **state)
{
    struct symbols *symbols = symbols_new(1);
    struct symbol_module module = module_at(self);
    (void)state;
    outer_function();
    const struct symbol *symbol = symbols_find(symbols, &module, offset_of(caller), false);
    assert_int_equal(symbol->count, 3);
    expect_line(&symbol->lines[0], "inner_function", inner_line, true);
    expect_line(&symbol->lines[1], "middle_function", middle_line, true);
    expect_line(&symbol->lines[2], "outer_function", outer_line, false);
    assert_int_equal(symbols_source(symbols, 0), SYMBOL_SOURCE_DWARF);
    assert_null(symbols_note(symbols, 0));
    assert_non_null(symbols_file(symbols, 0));
    symbols_free(symbols);
}

/* The first address of a function is its own only if it is exact: one before lies elsewhere. */
static void test_exact(void **state)
{
    struct symbols *symbols = symbols_new(1);
    struct symbol_module module = module_at(self);
    uint64_t offset = offset_of((uintptr_t)note_caller);
    (void)state;
    const struct symbol *exact = symbols_find(symbols, &module, offset, true);
    assert_string_equal(exact->lines[0].function, "note_caller");
    const struct symbol *call = symbols_find(symbols, &module, offset, false);
    assert_true(!call->lines[0].function || strcmp(call->lines[0].function, "note_caller") != 0);
    assert_ptr_equal(symbols_find(symbols, &module, offset, true), exact);
    assert_ptr_equal(symbols_find(symbols, &module, offset + 1, false), exact);
    symbols_free(symbols);
}

/* Thousands of addresses: the cache grows and still gives each its own answer. */
static void test_many(void **state)
{
    struct symbols *symbols = symbols_new(1);
    struct symbol_module module = module_at(self);
    uint64_t offset = offset_of((uintptr_t)note_caller);
    const struct symbol *first[5000];
    (void)state;
    for (size_t i = 0; i < 5000; i++)
        first[i] = symbols_find(symbols, &module, i * 16, true);
    for (size_t i = 0; i < 5000; i++)
        assert_ptr_equal(symbols_find(symbols, &module, i * 16, true), first[i]);
    assert_string_equal(symbols_find(symbols, &module, offset, true)->lines[0].function,
                        "note_caller");
    module.id = 1; /* another module of the same file has entries of its own */
    assert_ptr_not_equal(symbols_find(symbols, &module, 16, true), first[1]);
    symbols_free(symbols);
}

static void expect_unknown(const struct symbol *symbol)
{
    assert_int_equal(symbol->count, 1);
    assert_null(symbol->lines[0].function);
    assert_null(symbol->lines[0].full);
    assert_null(symbol->lines[0].file);
    assert_int_equal(symbol->lines[0].line, 0);
    assert_false(symbol->lines[0].inlined);
}

static void test_unknown(void **state)
{
    struct symbols *symbols = symbols_new(1);
    struct symbol_module module = module_at(self);
    (void)state;
    assert_int_equal(symbols_source(symbols, 0), SYMBOL_SOURCE_UNTRIED);
    assert_null(symbols_file(symbols, 0));
    expect_unknown(symbols_find(symbols, &module, UINT64_MAX, false));
    expect_unknown(symbols_find(symbols, &module, 0, false));
    expect_unknown(symbols_find(symbols, &module, UINT64_C(1) << 40, true));
    module.id = UINT32_MAX;
    expect_unknown(symbols_find(symbols, &module, 4096, false));
    symbols_free(symbols);
}

static void expect_refused(const struct symbol_module *module, enum symbol_source source,
                           const char *why)
{
    struct symbols *symbols = symbols_new(1);
    expect_unknown(symbols_find(symbols, module, offset_of((uintptr_t)note_caller), true));
    assert_int_equal(symbols_source(symbols, module->id), source);
    assert_non_null(symbols_note(symbols, module->id));
    if (!strstr(symbols_note(symbols, module->id), why))
        fail_msg("'%s' does not say '%s'", symbols_note(symbols, module->id), why);
    symbols_free(symbols);
}

/* A program that was built again since must not lend its names. */
static void test_changed(void **state)
{
    struct symbol_module module = module_at(self);
    uint8_t other[64];
    (void)state;
    memcpy(other, build_id, sizeof other);
    other[0] ^= 1;
    module.build_id = other;
    expect_refused(&module, SYMBOL_SOURCE_CHANGED, "changed");
    module.build_id = build_id;
    module.build_id_length--;
    expect_refused(&module, SYMBOL_SOURCE_CHANGED, "changed");
}

static void test_missing(void **state)
{
    struct symbol_module module = module_at("/nowhere/program");
    (void)state;
    module.id = 3;
    expect_refused(&module, SYMBOL_SOURCE_MISSING, "cannot open '/nowhere/program'");
    module.path = "/etc/passwd";
    expect_refused(&module, SYMBOL_SOURCE_MISSING, "no ELF file");
    module.path = "/";
    expect_refused(&module, SYMBOL_SOURCE_MISSING, "'/'");
}

/* Runs a shell command in which $self is this program and $copy the path of a copy to make. */
static void make(const char *command, const char *copy)
{
    setenv("self", self, 1);
    setenv("copy", copy, 1);
    if (system(command) != 0)
        fail_msg("'%s' failed", command);
}

static char *new_path(char *path)
{
    strcpy(path, "/tmp/test_symbols.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

/* Without debug information the table of symbols names functions; without that nothing does. */
static void test_stripped(void **state)
{
    char path[64];
    struct symbol_module module = module_at(new_path(path));
    uint64_t offset = offset_of((uintptr_t)note_caller);
    (void)state;
    make("strip --strip-debug -o $copy \"$self\"", path);
    struct symbols *symbols = symbols_new(1);
    const struct symbol *symbol = symbols_find(symbols, &module, offset + 2, false);
    assert_int_equal(symbol->count, 1);
    assert_string_equal(symbol->lines[0].function, "note_caller");
    assert_null(symbol->lines[0].file);
    assert_int_equal(symbols_source(symbols, 0), SYMBOL_SOURCE_TABLE);
    symbols_free(symbols);
    make("strip -o $copy \"$self\"", path);
    symbols = symbols_new(1);
    expect_unknown(symbols_find(symbols, &module, offset + 2, false));
    assert_true(symbols_source(symbols, 0) != SYMBOL_SOURCE_DWARF);
    symbols_free(symbols);
    unlink(path);
}

/* Debug information in a file of its own, which the stripped one names. */
static void test_separate(void **state)
{
    char path[64];
    char debug[80];
    struct symbol_module module = module_at(new_path(path));
    (void)state;
    make("objcopy --only-keep-debug \"$self\" $copy.debug && "
         "strip -o $copy \"$self\" && objcopy --add-gnu-debuglink=$copy.debug $copy",
         path);
    struct symbols *symbols = symbols_new(1);
    outer_function();
    const struct symbol *symbol = symbols_find(symbols, &module, offset_of(caller), false);
    assert_int_equal(symbol->count, 3);
    expect_line(&symbol->lines[2], "outer_function", outer_line, false);
    assert_int_equal(symbols_source(symbols, 0), SYMBOL_SOURCE_DWARF);
    snprintf(debug, sizeof debug, "%s.debug", path);
    assert_string_equal(symbols_file(symbols, 0), debug);
    symbols_free(symbols);
    unlink(path);
    unlink(debug);
}

/* Files whose debug information is garbage: any answer will do, a crash will not. */
static void test_broken_debug_information(void **state)
{
    char path[64];
    struct symbol_module module = module_at(new_path(path));
    (void)state;
    make("cp \"$self\" $copy", path);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    /* Behind the program's first pages with their notes, whose build-id must hold, and before the
     * table of sections. */
    Elf64_Ehdr header;
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    long size = (long)header.e_shoff;
    srand(1);
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 2000; i++) {
            long at = 8192 + (long)((double)rand() / RAND_MAX * (double)(size - 8192));
            assert_int_equal(fseek(file, at, SEEK_SET), 0);
            assert_int_equal(fputc(rand() & 0xff, file) == EOF, 0);
        }
        assert_int_equal(fflush(file), 0);
        struct symbols *symbols = symbols_new(1);
        for (uint64_t offset = 0; offset < 0x40000; offset += 0x1001)
            assert_true(symbols_find(symbols, &module, offset, true)->count > 0);
        symbols_free(symbols);
    }
    fclose(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inlined),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_stripped),
        cmocka_unit_test(test_separate),
        cmocka_unit_test(test_broken_debug_information),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
