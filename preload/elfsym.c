/* SPDX-License-Identifier: MIT */
#include "preload/elfsym.h"

#include "preload/sys.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

struct dynamic {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash;
    const uint32_t *sysv_hash; /* of words on all machines but two old ones */
};

/* glibc has made them addresses, but for objects whose dynamic section is read-only. */
static const void *pointer(const struct link_map *map, ElfW(Addr) value)
{
    return (const void *)(value < map->l_addr ? map->l_addr + value : value);
}

static struct dynamic read_dynamic(const struct link_map *map)
{
    struct dynamic dynamic = {0};

    for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            dynamic.symbols = pointer(map, entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            dynamic.names = pointer(map, entry->d_un.d_ptr);
            break;
        case DT_GNU_HASH:
            dynamic.gnu_hash = pointer(map, entry->d_un.d_ptr);
            break;
        case DT_HASH:
            dynamic.sysv_hash = pointer(map, entry->d_un.d_ptr);
            break;
        default:
            break;
        }
    }
    return dynamic;
}

static bool is_function(const ElfW(Sym) * symbol, const char *names, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
           strcmp(names + symbol->st_name, name) == 0;
}

/* The two hash tables: System V gABI, chapter 5, and DT_GNU_HASH as binutils and glibc have it. */
static const ElfW(Sym) * find_gnu(const struct dynamic *dynamic, const char *name)
{
    const uint32_t *table = dynamic->gnu_hash;
    uint32_t bucket_count = table[0];
    uint32_t first = table[1];
    const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
    const uint32_t *chain = buckets + bucket_count;
    uint32_t hash = 5381;
    uint32_t at;

    for (const char *c = name; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    at = bucket_count != 0 ? buckets[hash % bucket_count] : 0;
    if (at < first)
        return NULL;
    for (;; at++) {
        uint32_t value = chain[at - first];

        if ((value | 1) == (hash | 1) && is_function(&dynamic->symbols[at], dynamic->names, name))
            return &dynamic->symbols[at];
        if ((value & 1) != 0)
            return NULL;
    }
}

static const ElfW(Sym) * find_sysv(const struct dynamic *dynamic, const char *name)
{
    uint32_t count = dynamic->sysv_hash[1];

    for (uint32_t at = 1; at < count; at++)
        if (is_function(&dynamic->symbols[at], dynamic->names, name))
            return &dynamic->symbols[at];
    return NULL;
}

void *ar_elfsym_exported(const struct link_map *map, const char *name)
{
    struct dynamic dynamic = read_dynamic(map);
    const ElfW(Sym) *symbol = NULL;

    if (dynamic.symbols == NULL || dynamic.names == NULL)
        return NULL;
    if (dynamic.gnu_hash != NULL)
        symbol = find_gnu(&dynamic, name);
    else if (dynamic.sysv_hash != NULL)
        symbol = find_sysv(&dynamic, name);
    return symbol != NULL ? (void *)(map->l_addr + symbol->st_value) : NULL;
}

bool ar_elfsym_needs(const struct link_map *map, const char *name)
{
    const char *names = read_dynamic(map).names;

    for (const ElfW(Dyn) *entry = map->l_ld; names != NULL && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED &&
            strncmp(names + entry->d_un.d_val, name, strlen(name)) == 0)
            return true;
    return false;
}

/* A file, mapped; every offset into it is checked. */
struct file {
    const char *bytes;
    uint64_t size;
};

static const void *part(const struct file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

/* Has the file the program headers that are loaded? They differ where the file was replaced. */
static bool is_loaded(const struct file *file, const ElfW(Ehdr) * header,
                      const struct ar_object *object)
{
    uint64_t size = (uint64_t)header->e_phnum * sizeof(ElfW(Phdr));
    const void *segments = part(file, header->e_phoff, size);

    return header->e_phentsize == sizeof(ElfW(Phdr)) && segments != NULL &&
           object->segments != NULL && header->e_phnum == object->segment_count &&
           memcmp(segments, object->segments, size) == 0;
}

static void *find_in_section(const struct file *file, const ElfW(Shdr) * sections, unsigned count,
                             const ElfW(Shdr) * table, const char *name, uintptr_t bias)
{
    const ElfW(Shdr) *strings = table->sh_link < count ? &sections[table->sh_link] : NULL;
    const ElfW(Sym) *symbols = part(file, table->sh_offset, table->sh_size);
    const char *names = strings != NULL ? part(file, strings->sh_offset, strings->sh_size) : NULL;

    if (symbols == NULL || names == NULL || strings->sh_size == 0 ||
        names[strings->sh_size - 1] != '\0')
        return NULL;
    for (uint64_t i = 0; i < table->sh_size / sizeof *symbols; i++)
        if (symbols[i].st_name < strings->sh_size && is_function(&symbols[i], names, name))
            return (void *)(bias + symbols[i].st_value);
    return NULL;
}

static void *find_in_file(const struct file *file, const struct ar_object *object, const char *name)
{
    const ElfW(Ehdr) *header = part(file, 0, sizeof *header);
    const ElfW(Shdr) *sections = NULL;
    void *found = NULL;

    if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof *sections || !is_loaded(file, header, object))
        return NULL;
    sections = part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
    for (unsigned i = 0; sections != NULL && found == NULL && i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            found =
                find_in_section(file, sections, header->e_shnum, &sections[i], name, object->bias);
    return found;
}

void *ar_elfsym_local(const struct ar_object *object, const char *name)
{
    int fd = ar_sys_open(object->executable ? "/proc/self/exe" : object->path, O_RDONLY, 0);
    struct file file = {NULL, 0};
    void *found = NULL;
    long end;

    if (fd < 0)
        return NULL;
    end = ar_syscall(SYS_lseek, fd, 0, SEEK_END, 0, 0, 0);
    if (end > 0)
        file.bytes = ar_sys_mmap(NULL, (size_t)end, PROT_READ, MAP_PRIVATE, fd, 0);
    ar_sys_close(fd);
    if (file.bytes == NULL)
        return NULL;
    file.size = (uint64_t)end;
    found = find_in_file(&file, object, name);
    ar_sys_munmap((void *)file.bytes, (size_t)end);
    return found;
}
