/* SPDX-License-Identifier: MIT */
#include "preload/objects.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#define FIRST_PAGE 4096u

/* What libc's _dl_find_object fills in (dlfcn.h, glibc 2.35); stated here for older headers. */
struct found_object {
    unsigned long long flags;
    void *map_start;
    void *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[8]; /* seven, and on some machines a word more before them */
};

static int (*find_object)(void *, struct found_object *);

/* What the program headers say: where the object begins and ends, and its unwind table. */
static void measure(struct ar_object *object)
{
    const ElfW(Phdr) *segments = object->segments;
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;

    for (unsigned i = 0; i < object->segment_count; i++) {
        uintptr_t start = object->bias + segments[i].p_vaddr;
        uintptr_t end = start + segments[i].p_memsz;

        if (segments[i].p_type == PT_GNU_EH_FRAME)
            object->eh_frame_header = start;
        if (segments[i].p_type != PT_LOAD)
            continue;
        low = start < low ? start : low;
        high = end > high ? end : high;
    }
    if (high > low) {
        object->start = low;
        object->end = high;
    }
}

/* For a libc without _dl_find_object. */
struct search {
    uintptr_t address;
    struct ar_object *found;
};

static int search_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    struct ar_object object = {.bias = info->dlpi_addr,
                               .path = info->dlpi_name,
                               .segments = info->dlpi_phdr,
                               .segment_count = info->dlpi_phnum,
                               .executable = info->dlpi_name[0] == '\0'};

    (void)size;
    measure(&object);
    if (search->address - object.start >= object.end - object.start)
        return 0;
    *search->found = object;
    return 1;
}

void ar_objects_start(void)
{
    *(void **)&find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
}

/* An object's program headers stand behind its ELF header, in its first page. */
static bool read_header(struct ar_object *object, uintptr_t first_page)
{
    const ElfW(Ehdr) *file = (const ElfW(Ehdr) *)first_page;

    if (memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 || file->e_phentsize != sizeof(ElfW(Phdr)) ||
        file->e_phoff + file->e_phnum * sizeof(ElfW(Phdr)) > FIRST_PAGE)
        return false;
    object->segments = (const void *)(first_page + file->e_phoff);
    object->segment_count = file->e_phnum;
    return true;
}

/* libc may state the range of the code alone, and then its first page is no header. */
static void find_segments(struct ar_object *object)
{
    if (object->executable) {
        object->segments = (const void *)getauxval(AT_PHDR);
        object->segment_count = object->segments != NULL ? (unsigned)getauxval(AT_PHNUM) : 0;
    } else if (!read_header(object, object->start) && object->bias != 0) {
        read_header(object, object->bias);
    }
    measure(object);
}

bool ar_objects_find(uintptr_t address, struct ar_object *object)
{
    struct found_object found;
    struct search search = {address, object};

    if (find_object == NULL)
        return dl_iterate_phdr(search_object, &search) == 1;
    if (find_object((void *)address, &found) != 0)
        return false;
    *object = (struct ar_object){.start = (uintptr_t)found.map_start,
                                 .end = (uintptr_t)found.map_end,
                                 .bias = found.link_map->l_addr,
                                 .path = found.link_map->l_name,
                                 .executable = found.link_map->l_name[0] == '\0'};
    find_segments(object);
    return true;
}

bool ar_objects_tables(uintptr_t address, struct ar_tables *tables)
{
    const ElfW(Phdr) * segments;
    struct ar_object object;

    if (address - tables->start < tables->end - tables->start)
        return true;
    *tables = (struct ar_tables){0};
    if (!ar_objects_find(address, &object))
        return false;
    segments = object.segments;
    tables->start = object.start;
    tables->end = object.end;
    tables->eh_frame_header = object.eh_frame_header;
    for (unsigned i = 0; i < object.segment_count && tables->segment_count < AR_SEGMENTS_MOST;
         i++) {
        uintptr_t start = object.bias + segments[i].p_vaddr;

        if (segments[i].p_type != PT_LOAD || (segments[i].p_flags & PF_R) == 0)
            continue;
        tables->segments[tables->segment_count].start = start;
        tables->segments[tables->segment_count].end = start + segments[i].p_filesz;
        tables->segment_count++;
    }
    return true;
}

bool ar_objects_readable(const struct ar_tables *tables, uintptr_t address, uintptr_t bytes)
{
    for (unsigned i = 0; i < tables->segment_count; i++)
        if (address >= tables->segments[i].start && address <= tables->segments[i].end - bytes)
            return true;
    return false;
}

bool ar_objects_hold(const struct ar_object *object, const char *text)
{
    const ElfW(Phdr) *segments = object->segments;

    for (unsigned i = 0; segments != NULL && i < object->segment_count; i++)
        if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & (PF_R | PF_W)) == PF_R &&
            memmem((const void *)(object->bias + segments[i].p_vaddr), segments[i].p_filesz, text,
                   strlen(text)) != NULL)
            return true;
    return false;
}

/* The value of the GNU build-id among the notes from `at` to `end`; 0 bytes when it is not there.
 */
static uint32_t find_build_id(uintptr_t at, uintptr_t end, uint8_t *to, uint32_t most)
{
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        uintptr_t name = at + sizeof *note;
        uintptr_t value = name + ((note->n_namesz + 3u) & ~3u);

        if (value + note->n_descsz > end)
            return 0;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            memcmp((const void *)name, "GNU", 4) == 0 && note->n_descsz <= most) {
            memcpy(to, (const void *)value, note->n_descsz);
            return note->n_descsz;
        }
        at = value + ((note->n_descsz + 3u) & ~3u);
    }
    return 0;
}

uint32_t ar_objects_build_id(const struct ar_object *object, uint8_t *to, uint32_t most)
{
    const ElfW(Phdr) *segments = object->segments;
    uint32_t length = 0;

    for (unsigned i = 0; i < object->segment_count && length == 0; i++) {
        uintptr_t at = object->bias + segments[i].p_vaddr;
        uintptr_t end = at + segments[i].p_memsz;

        if (segments[i].p_type == PT_NOTE && at >= object->start && end <= object->end)
            length = find_build_id(at, end, to, most);
    }
    return length;
}
