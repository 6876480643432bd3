/* SPDX-License-Identifier: MIT */
#include "preload/modules.h"

#include "preload/clock.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/sys.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#define MODULES_MOST 4096u
#define CHUNK_BYTES  16384u

/* What libc's _dl_find_object fills in (dlfcn.h, glibc 2.35); stated here for older headers. */
struct found_object {
    unsigned long long flags;
    void *map_start;
    void *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct object {
    uintptr_t start;
    uintptr_t end;
    uintptr_t bias;
    const char *path; /* the loader's: valid while the object is loaded */
    bool executable;
};

struct module {
    struct object object;
    uint32_t id;     /* 0: its record found no room */
    uint64_t record; /* offset of the dump_module in the region */
    bool gone;
};

static int (*find_object)(void *, struct found_object *);
static struct module modules[MODULES_MOST]; /* append-only; published by module_count */
static uint32_t module_count;
static uint32_t last_id;
static uint32_t generation = 1;
static struct dump_chunk *chunk;
static uintptr_t own_start;
static uintptr_t own_end;
static char program_path[4096];

/* For a libc without _dl_find_object. */
struct search {
    uintptr_t address;
    struct object *found;
};

static int search_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type != PT_LOAD)
            continue;
        if (info->dlpi_addr + segment->p_vaddr < low)
            low = info->dlpi_addr + segment->p_vaddr;
        if (info->dlpi_addr + segment->p_vaddr + segment->p_memsz > high)
            high = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    }
    if (search->address < low || search->address >= high)
        return 0;
    *search->found =
        (struct object){low, high, info->dlpi_addr, info->dlpi_name, info->dlpi_name[0] == 0};
    return 1;
}

static bool look_up(uintptr_t address, struct object *object)
{
    struct found_object found;
    struct search search = {address, object};

    if (find_object == NULL)
        return dl_iterate_phdr(search_object, &search) == 1;
    if (find_object((void *)address, &found) != 0)
        return false;
    *object = (struct object){(uintptr_t)found.map_start, (uintptr_t)found.map_end,
                              found.link_map->l_addr, found.link_map->l_name,
                              found.link_map->l_name[0] == '\0'};
    return true;
}

void ar_modules_start(void)
{
    struct object own;
    long length = ar_sys_readlink("/proc/self/exe", program_path, sizeof program_path - 1);

    program_path[length > 0 ? length : 0] = '\0';
    *(void **)&find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
    if (look_up((uintptr_t)ar_modules_start, &own)) {
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

uint32_t ar_modules_generation(void)
{
    return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* The GNU build-id note of a mapped object; 0 when it has none. */
static uint32_t read_build_id(const struct object *object, uint8_t *to, uint32_t most)
{
    const ElfW(Ehdr) *file = (const ElfW(Ehdr) *)object->start;
    const ElfW(Phdr) * segments;

    if (memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 || file->e_phentsize != sizeof(ElfW(Phdr)) ||
        file->e_phoff + file->e_phnum * sizeof(ElfW(Phdr)) > 4096)
        return 0;
    segments = (const ElfW(Phdr) *)(object->start + file->e_phoff);
    for (unsigned i = 0; i < file->e_phnum; i++) {
        uintptr_t at = object->bias + segments[i].p_vaddr;
        uintptr_t end = at + segments[i].p_memsz;

        if (segments[i].p_type != PT_NOTE || at < object->start || end > object->end)
            continue;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            uintptr_t name = at + sizeof *note;
            uintptr_t value = name + ((note->n_namesz + 3u) & ~3u);

            if (value + note->n_descsz > end)
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp((const void *)name, "GNU", 4) == 0 && note->n_descsz <= most) {
                memcpy(to, (const void *)value, note->n_descsz);
                return note->n_descsz;
            }
            at = value + ((note->n_descsz + 3u) & ~3u);
        }
    }
    return 0;
}

/* Writes the MODULE record. Under the lock. */
static uint64_t write_record(const struct object *object, uint32_t id)
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
    record->build_id_length = read_build_id(object, record->build_id, sizeof record->build_id);
    record->path_length = length;
    memcpy(record->path, path, length);
    ar_chunk_commit(chunk, size);
    return ar_region_offset(record);
}

static struct module *find_known(uintptr_t address)
{
    uint32_t count = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

    for (uint32_t i = count; i-- > 0;)
        if (!modules[i].gone &&
            address - modules[i].object.start < modules[i].object.end - modules[i].object.start)
            return &modules[i];
    return NULL;
}

static struct module *add(const struct object *object)
{
    struct ar_held held = ar_lock();
    struct module *module = find_known(object->start);

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

/* Those that are no longer where they were get their end written. */
void ar_modules_unloaded(void)
{
    uint64_t now = ar_clock_ns() - ar_header()->start_monotonic_ns;

    for (uint32_t i = 0; i < __atomic_load_n(&module_count, __ATOMIC_ACQUIRE); i++) {
        struct module *module = &modules[i];
        struct object object;

        if (module->gone ||
            (look_up(module->object.start, &object) && object.start == module->object.start &&
             object.path == module->object.path))
            continue;
        module->gone = true;
        if (module->record != 0)
            ((struct dump_module *)ar_region_at(module->record))->unloaded_ns = now;
    }
    __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

void ar_modules_resolve(const uintptr_t *addresses, unsigned count, struct ar_place *places)
{
    for (unsigned i = 0; i < count; i++) {
        uintptr_t address = addresses[i] - 1; /* of the call, not of what follows it */
        struct module *module = find_known(address);
        struct object object;

        if (module == NULL && look_up(address, &object))
            module = add(&object);
        places[i].module = module != NULL ? module->id : 0;
        places[i].offset = addresses[i] - (places[i].module != 0 ? module->object.bias : 0);
    }
}
