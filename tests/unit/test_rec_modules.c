/* SPDX-License-Identifier: MIT */
#include "preload/modules.h"

#include "preload/mapfile.h"
#include "preload/objects.h"
#include "tests/unit/rec_helper.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

REC_HOOK_SECTION

/* Two functions of libc that no sanitizer has one of. */
#define LIBC_CODE  ((uintptr_t)gnu_get_libc_version)
#define LIBC_OTHER ((uintptr_t)gnu_get_libc_release)

/* A small library of libc's own that no program needs. */
#define SPARE_LIBRARY "libBrokenLocale.so.1"

static int start(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    ar_modules_start();
    return 0;
}

static struct ar_place resolve(uintptr_t address, bool exact)
{
    struct ar_place place;

    ar_modules_resolve(&address, 1, exact, &place);
    return place;
}

/* The record of that number, or NULL. */
static const struct dump_module *record_of(uint32_t id)
{
    const struct dump_header *header = ar_header();

    for (uint64_t at = DUMP_HEADER_SIZE; at < header->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);
        const char *record = (const char *)(chunk + 1);

        at += chunk->size;
        for (uint64_t i = 0; chunk->type == DUMP_MODULE && i < chunk->count; i++) {
            const struct dump_module *module = (const struct dump_module *)record;

            if (module->id == id)
                return module;
            record += module->size;
        }
    }
    return NULL;
}

static bool path_ends(const struct dump_module *module, const char *end)
{
    size_t length = strlen(end);

    return module->path_length >= length &&
           memcmp(module->path + module->path_length - length, end, length) == 0;
}

static void test_own(void **state)
{
    struct ar_place place = resolve((uintptr_t)test_own + 1, false);
    const struct dump_module *module = record_of(place.module);

    (void)state;
    assert_non_null(module);
    assert_true(ar_modules_own((uintptr_t)test_own));
    assert_false(ar_modules_own(LIBC_CODE));
    assert_true(ar_modules_own_hook((uintptr_t)rec_no_hook));
    assert_false(ar_modules_own_hook((uintptr_t)test_own));
    assert_int_equal(module->flags & DUMP_MODULE_EXECUTABLE, DUMP_MODULE_EXECUTABLE);
    assert_true(path_ends(module, "/test_rec_modules"));
    assert_true(module->build_id_length > 0);
    assert_int_equal(place.offset, (uintptr_t)test_own + 1 - module->bias);
    assert_true((uintptr_t)test_own >= module->start && (uintptr_t)test_own < module->end);
    assert_int_equal(module->unloaded_ns, 0);
}

static void test_libc(void **state)
{
    struct ar_place place = resolve(LIBC_CODE + 1, false);
    struct ar_place again = resolve(LIBC_OTHER + 1, false);
    const struct dump_module *module;

    (void)state;
    module = record_of(place.module);
    assert_non_null(module);
    assert_true(path_ends(module, "/libc.so.6"));
    assert_int_equal(module->flags, 0);
    assert_int_equal(again.module, place.module);
    assert_int_equal(again.offset - place.offset, LIBC_OTHER - LIBC_CODE);
}

/* A return address behind a module's last byte is of the call before it. */
static void test_ends(void **state)
{
    uint32_t id = resolve(LIBC_CODE + 1, false).module;
    const struct dump_module *module = record_of(id);
    struct ar_place place;

    (void)state;
    place = resolve(module->end, false);
    assert_int_equal(place.module, id);
    assert_int_equal(place.offset, module->end - module->bias);
    assert_false(place.exact);
    place = resolve(module->start, true);
    assert_int_equal(place.module, id);
    assert_true(place.exact);
    assert_int_not_equal(resolve(module->start, false).module, id);
}

static void test_nowhere(void **state)
{
    void *anonymous = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ar_place place = resolve((uintptr_t)anonymous + 100, false);

    (void)state;
    assert_int_equal(place.module, 0);
    assert_int_equal(place.offset, (uintptr_t)anonymous + 100);
    assert_int_equal(resolve(1, false).module, 0);
    assert_int_equal(resolve(UINTPTR_MAX, false).module, 0);
    munmap(anonymous, 4096);
}

/* Exactness is of each address, for as many as there are bits. */
static void test_exact_bits(void **state)
{
    uintptr_t addresses[40];
    struct ar_place places[40];

    (void)state;
    for (unsigned i = 0; i < 40; i++)
        addresses[i] = (uintptr_t)test_exact_bits + 1;
    ar_modules_resolve(addresses, 40, 0x80000005, places);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(places[i].exact, i == 0 || i == 2 || i == 31);
}

/* An object that is unloaded has an end; when it is loaded again it is the same module, living. */
static void test_unloading(void **state)
{
    void *library = dlopen(SPARE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    uint32_t generation = ar_modules_generation();
    uintptr_t address;
    uint32_t first;
    uint32_t second;

    (void)state;
    assert_non_null(library);
    address = (uintptr_t)dlsym(library, "__ctype_get_mb_cur_max") + 1;
    assert_true(address > 1);
    first = resolve(address, false).module;
    assert_true(path_ends(record_of(first), SPARE_LIBRARY));
    ar_modules_unloaded(); /* of something else */
    assert_int_equal(record_of(first)->unloaded_ns, 0);
    assert_int_equal(resolve(address, false).module, first);
    assert_int_equal(dlclose(library), 0);
    ar_modules_unloaded();
    assert_int_equal(ar_modules_generation(), generation + 2);
    assert_int_not_equal(record_of(first)->unloaded_ns, 0);
    assert_int_equal(resolve(address, false).module, 0);
    library = dlopen(SPARE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    address = (uintptr_t)dlsym(library, "__ctype_get_mb_cur_max") + 1;
    second = resolve(address, false).module;
    assert_int_equal(second, first);
    assert_true(path_ends(record_of(second), SPARE_LIBRARY));
    assert_int_equal(record_of(second)->unloaded_ns, 0);
    dlclose(library);
    ar_modules_unloaded();
}

static void test_objects(void **state)
{
    struct ar_object object;
    struct ar_tables tables = {0};
    uintptr_t code = LIBC_CODE;
    uint8_t id[8];

    (void)state;
    assert_true(ar_objects_find(code, &object));
    assert_true(object.start <= code && code < object.end);
    assert_true(strstr(object.path, "libc.so.6") != NULL);
    assert_false(object.executable);
    assert_true(ar_objects_tables(code, &tables));
    assert_true(tables.eh_frame_header != 0);
    assert_true(ar_objects_readable(&tables, tables.eh_frame_header, 4));
    assert_true(ar_objects_readable(&tables, code, 1));
    assert_false(ar_objects_readable(&tables, object.end + 4096, 1));
    assert_false(ar_objects_readable(&tables, object.start - 1, 1));
    assert_false(ar_objects_readable(&tables, UINTPTR_MAX, 8));
    /* One that does not fit is none. */
    assert_int_equal(ar_objects_build_id(&object, id, sizeof id), 0);
    assert_false(ar_objects_find(1, &object));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own),        cmocka_unit_test(test_libc),
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_nowhere),
        cmocka_unit_test(test_exact_bits), cmocka_unit_test(test_unloading),
        cmocka_unit_test(test_objects),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
