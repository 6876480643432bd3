/* SPDX-License-Identifier: MIT */
#include "preload/modules.h"

#include "preload/clock.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/objects.h"
#include "preload/sys.h"
#include "preload/text.h"

#include <string.h>
#include <sys/auxv.h>

#define MODULES_MOST 4096u
#define CHUNK_BYTES  16384u

/* The linker's: the section of record.h's AR_ALLOC_HOOK. */
extern const char __start_ar_alloc_hooks[] __attribute__((visibility("hidden")));
extern const char __stop_ar_alloc_hooks[] __attribute__((visibility("hidden")));

struct module {
    struct ar_object object;
    uint32_t id;     /* 0: its record found no room */
    uint64_t record; /* offset of the dump_module in the region */
    bool finalized;  /* it may be gone */
    bool gone;
};

static struct module modules[MODULES_MOST]; /* append-only; published by module_count */
static uint32_t module_count;
static uint32_t last_id;
static uint32_t generation = 1;
static struct dump_chunk *chunk;
static uintptr_t own_start;
static uintptr_t own_end;
static char program_path[4096];

/* Around all code that was seen outside of any object; grows only. */
static uintptr_t foreign_low = UINTPTR_MAX;
static uintptr_t foreign_high;

/* Where there is no /proc, the path by which the program was started, made absolute. */
static void find_program(void)
{
    long length = ar_sys_readlink("/proc/self/exe", program_path, sizeof program_path - 1);
    const char *started = (const char *)getauxval(AT_EXECFN);
    struct ar_text text;

    if (length > 0 || started == NULL) {
        program_path[length > 0 ? length : 0] = '\0';
        return;
    }
    text = ar_text_in(program_path, sizeof program_path);
    if (started[0] != '/' &&
        ar_syscall(SYS_getcwd, (long)program_path, sizeof program_path, 0, 0, 0, 0) > 1) {
        text.length = strlen(program_path);
        ar_text_add(&text, "/");
    }
    ar_text_add(&text, started);
}

const char *ar_modules_program(void)
{
    return program_path;
}

void ar_modules_start(void)
{
    struct ar_object own;

    find_program();
    ar_objects_start();
    if (ar_objects_find((uintptr_t)ar_modules_start, &own)) {
        own_start = own.start;
        own_end = own.end;
    }
}

void ar_modules_reset(void)
{
    module_count = last_id = 0;
    chunk = NULL;
    generation++;
}

bool ar_modules_own(uintptr_t address)
{
    return address - own_start < own_end - own_start;
}

bool ar_modules_own_hook(uintptr_t address)
{
    return address - (uintptr_t)__start_ar_alloc_hooks <
           (uintptr_t)__stop_ar_alloc_hooks - (uintptr_t)__start_ar_alloc_hooks;
}

uint32_t ar_modules_generation(void)
{
    return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* Writes the MODULE record. Under the lock. */
static uint64_t write_record(const struct ar_object *object, uint32_t id)
{
    const char *path = object->executable ? program_path : object->path;
    uint32_t length = (uint32_t)strlen(path);
    uint32_t size = (uint32_t)((offsetof(struct dump_module, path) + length + 7) & ~7u);
    struct dump_module *record;

    chunk = ar_region_moved(chunk);
    record = ar_chunk_place(chunk, size);
    if (record == NULL) {
        chunk = ar_chunk_new(DUMP_MODULE, 0, CHUNK_BYTES, 0);
        record = ar_chunk_place(chunk, size);
        if (record == NULL)
            return 0;
    }
    record->size = size;
    record->id = id;
    record->start = object->start;
    record->end = object->end;
    record->bias = object->bias;
    record->loaded_ns = ar_clock_ns() - ar_header()->start_monotonic_ns;
    record->flags = object->executable                     ? DUMP_MODULE_EXECUTABLE
                    : strncmp(path, "linux-vdso", 10) == 0 ? DUMP_MODULE_VDSO
                                                           : 0;
    record->build_id_length =
        ar_objects_build_id(object, record->build_id, sizeof record->build_id);
    record->path_length = length;
    memcpy(record->path, path, length);
    ar_chunk_commit(chunk, size);
    return ar_region_offset(record);
}

static bool is_gone(const struct module *module)
{
    return __atomic_load_n(&module->gone, __ATOMIC_ACQUIRE);
}

static struct module *find_known(uintptr_t address)
{
    uint32_t count = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

    for (uint32_t i = count; i-- > 0;)
        if (!is_gone(&modules[i]) &&
            address - modules[i].object.start < modules[i].object.end - modules[i].object.start)
            return &modules[i];
    return NULL;
}

/* Is the object the one that the record names? Of the same path, it may have been built anew. */
static bool is_same(const struct module *module, const struct ar_object *object)
{
    const struct dump_module *record = ar_region_at(module->record);
    uint8_t build_id[sizeof record->build_id];
    uint32_t length = ar_objects_build_id(object, build_id, sizeof build_id);

    return object->end - object->start == module->object.end - module->object.start &&
           length == record->build_id_length && memcmp(build_id, record->build_id, length) == 0 &&
           (object->executable || (strlen(object->path) == record->path_length &&
                                   memcmp(object->path, record->path, record->path_length) == 0));
}

/* An object that was unloaded has come again, perhaps to another address: the same module. Under
 * the lock. */
static struct module *find_returned(const struct ar_object *object)
{
    for (uint32_t i = module_count; i-- > 0;) {
        struct module *module = &modules[i];
        struct dump_module *record = ar_region_at(module->record);

        if (!is_gone(module) || module->record == 0 || record->build_id_length == 0 ||
            !is_same(module, object))
            continue;
        module->object = *object;
        record->start = object->start;
        record->end = object->end;
        record->bias = object->bias;
        record->unloaded_ns = 0;
        __atomic_store_n(&module->finalized, false, __ATOMIC_RELAXED);
        __atomic_store_n(&module->gone, false, __ATOMIC_RELEASE);
        return module;
    }
    return NULL;
}

static struct module *add(const struct ar_object *object)
{
    struct ar_held held = ar_lock();
    struct module *module = find_known(object->start);

    if (module == NULL)
        module = find_returned(object);
    if (module == NULL && module_count < MODULES_MOST) {
        module = &modules[module_count];
        *module = (struct module){.object = *object, .id = ++last_id};
        module->record = write_record(object, module->id);
        if (module->record == 0)
            module->id = 0;
        __atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
    }
    ar_unlock(held);
    return module;
}

void ar_modules_finalized(uintptr_t address)
{
    struct module *module = find_known(address);

    if (module != NULL)
        __atomic_store_n(&module->finalized, true, __ATOMIC_RELEASE);
    __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

static void end(struct module *module)
{
    __atomic_store_n(&module->gone, true, __ATOMIC_RELEASE);
    if (module->record != 0)
        ((struct dump_module *)ar_region_at(module->record))->unloaded_ns =
            ar_clock_ns() - ar_header()->start_monotonic_ns;
}

/* Those that are no longer where they were get their end written. */
void ar_modules_unloaded(void)
{
    for (uint32_t i = 0; i < __atomic_load_n(&module_count, __ATOMIC_ACQUIRE); i++) {
        struct module *module = &modules[i];
        struct ar_object object;

        if (!is_gone(module) &&
            !(ar_objects_find(module->object.start, &object) &&
              object.start == module->object.start && object.path == module->object.path))
            end(module);
    }
    __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

/* The module that holds the code at `address`, where there is one. */
static struct module *module_of(uintptr_t address)
{
    struct module *module = find_known(address);
    struct ar_object object;

    if (module != NULL && !__atomic_load_n(&module->finalized, __ATOMIC_ACQUIRE))
        return module;
    if (!ar_objects_find(address, &object))
        return NULL;
    if (module != NULL && module->record != 0) {
        if (object.start == module->object.start && is_same(module, &object))
            return module;
        end(module);
    }
    return add(&object);
}

static void note_foreign(uintptr_t address)
{
    if (address < __atomic_load_n(&foreign_low, __ATOMIC_RELAXED))
        __atomic_store_n(&foreign_low, address, __ATOMIC_RELAXED);
    if (address >= __atomic_load_n(&foreign_high, __ATOMIC_RELAXED))
        __atomic_store_n(&foreign_high, address + 1, __ATOMIC_RELAXED);
}

void ar_modules_unmapped(uintptr_t start, uintptr_t end)
{
    if (start < __atomic_load_n(&foreign_high, __ATOMIC_RELAXED) &&
        end > __atomic_load_n(&foreign_low, __ATOMIC_RELAXED))
        __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

void ar_modules_resolve(const uintptr_t *addresses, unsigned count, uint32_t exact,
                        struct ar_place *places)
{
    for (unsigned i = 0; i < count; i++) {
        bool is_exact = i < 32 && (exact >> i & 1) != 0;
        uintptr_t address = addresses[i] - !is_exact; /* of the call, not of what follows it */
        struct module *module = module_of(address);

        if (module == NULL)
            note_foreign(address);
        places[i].exact = is_exact;
        places[i].module = module != NULL ? module->id : 0;
        places[i].offset = addresses[i] - (places[i].module != 0 ? module->object.bias : 0);
    }
}
