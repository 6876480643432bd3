/* SPDX-License-Identifier: MIT */
#include "preload/bound.h"

#include "preload/dump_format.h"
#include "preload/elfsym.h"
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/text.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#define OWN_MOST 8u /* libunwind and what it needs */

static char bypass[1024];
static uintptr_t own[OWN_MOST]; /* first addresses of objects that this library has loaded so */
static unsigned own_count;
static bool started;
static uint32_t at_start;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static void keep(const char *path)
{
    struct ar_text text = ar_text_in(bypass, sizeof bypass);

    ar_text_add(&text, path);
}

static void look_at_first(void)
{
    void *first = dlsym(RTLD_DEFAULT, "malloc");
    struct link_map *map = NULL;
    Dl_info info;

    if (first == NULL || ar_modules_own((uintptr_t)first))
        return;
    if (ar_elfsym_exported(_r_debug.r_map, "malloc") != NULL) {
        at_start = DUMP_FACT_OWN_MALLOC;
        return;
    }
    /* A program that takes the address of malloc may lend it one of its own. */
    if (dladdr1(first, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == _r_debug.r_map)
        return;
    at_start = DUMP_FACT_MALLOC_FIRST;
    keep(map->l_name);
}

struct search {
    uintptr_t start; /* of the program */
    uintptr_t end;
    bool own; /* what is found now, the recorder has loaded for itself */
    uint32_t facts;
};

/* The parts of an object's dynamic section that bind it. */
struct binding {
    ElfW(Addr) bias;
    uintptr_t start;
    uintptr_t end;
    const ElfW(Sym) * symbols;
    const char *names;
    struct {
        uintptr_t at;
        size_t bytes;
        size_t step;
    } lists[3]; /* DT_JMPREL, DT_RELA, DT_REL */
};

static uintptr_t pointer(const struct binding *binding, ElfW(Addr) value)
{
    return value < binding->bias ? binding->bias + value : value;
}

static void read_dynamic(struct binding *binding, const ElfW(Dyn) * entry)
{
    binding->lists[0].step = sizeof(ElfW(Rela));
    binding->lists[1].step = sizeof(ElfW(Rela));
    binding->lists[2].step = sizeof(ElfW(Rel));
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            binding->symbols = (const void *)pointer(binding, entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            binding->names = (const char *)pointer(binding, entry->d_un.d_ptr);
            break;
        case DT_JMPREL:
            binding->lists[0].at = pointer(binding, entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            binding->lists[0].bytes = entry->d_un.d_val;
            break;
        case DT_PLTREL:
            if (entry->d_un.d_val == DT_REL)
                binding->lists[0].step = sizeof(ElfW(Rel));
            break;
        case DT_RELA:
            binding->lists[1].at = pointer(binding, entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            binding->lists[1].bytes = entry->d_un.d_val;
            break;
        case DT_REL:
            binding->lists[2].at = pointer(binding, entry->d_un.d_ptr);
            break;
        case DT_RELSZ:
            binding->lists[2].bytes = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
}

static bool is_allocator(const char *name)
{
    return strcmp(name, "malloc") == 0 || strcmp(name, "calloc") == 0 ||
           strcmp(name, "realloc") == 0;
}

/* Is this an allocator that is neither the recorder's nor the object's own, which may stand for one
 * that it has not called yet, nor the program's stand-in for the recorder's? */
static bool is_another(const struct binding *binding, const struct search *search, uintptr_t target)
{
    return target != 0 && target - binding->start >= binding->end - binding->start &&
           target - search->start >= search->end - search->start && !ar_modules_own(target);
}

static bool goes_past(const struct binding *binding, const struct search *search)
{
    for (unsigned n = 0; n < 3; n++) {
        size_t count =
            binding->lists[n].at != 0 ? binding->lists[n].bytes / binding->lists[n].step : 0;

        for (size_t i = 0; i < count; i++) {
            /* A Rela opens as a Rel does. */
            const ElfW(Rel) *entry =
                (const void *)(binding->lists[n].at + i * binding->lists[n].step);
            size_t symbol = ELF64_R_SYM(entry->r_info);

            if (symbol != 0 && is_allocator(binding->names + binding->symbols[symbol].st_name) &&
                is_another(binding, search, *(const uintptr_t *)(binding->bias + entry->r_offset)))
                return true;
        }
    }
    return false;
}

/* The allocator's own object, libc and the loader, of which each calls what it likes. */
static bool is_beneath(const char *path)
{
    const char *base = base_of(path);

    return strcmp(path, ar_real_allocator()) == 0 || strcmp(base, "libc.so.6") == 0 ||
           strncmp(base, "ld-linux", strlen("ld-linux")) == 0;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    struct binding binding = {.bias = info->dlpi_addr, .start = UINTPTR_MAX};
    const ElfW(Dyn) *dynamic = NULL;
    struct search *search = data;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_DYNAMIC)
            dynamic = (const void *)start;
        if (segment->p_type != PT_LOAD)
            continue;
        binding.start = start < binding.start ? start : binding.start;
        binding.end =
            start + segment->p_memsz > binding.end ? start + segment->p_memsz : binding.end;
    }
    if (search->end == 0) { /* it comes first */
        search->start = binding.start;
        search->end = binding.end;
    }
    if (dynamic == NULL || is_beneath(info->dlpi_name) ||
        (uintptr_t)look_at - binding.start < binding.end - binding.start)
        return 0;
    for (unsigned i = 0; i < own_count; i++)
        if (own[i] == binding.start)
            return 0;
    read_dynamic(&binding, dynamic);
    if (binding.symbols == NULL || binding.names == NULL || !goes_past(&binding, search))
        return 0;
    if (search->own) {
        if (own_count < OWN_MOST)
            own[own_count++] = binding.start;
        return 0;
    }
    search->facts |= DUMP_FACT_DEEPBIND;
    keep(info->dlpi_name);
    return 1;
}

void ar_bound_start(void)
{
    struct search search = {.own = true};

    look_at_first();
    if (at_start == 0 && ar_real.iterate_objects != NULL)
        ar_real.iterate_objects(look_at, &search);
    started = true;
}

uint32_t ar_bound_look(void)
{
    struct search search = {.facts = at_start};

    /* Where another malloc stands in front, every object reaches that one. */
    if (started && at_start == 0 && ar_real.iterate_objects != NULL)
        ar_real.iterate_objects(look_at, &search);
    return search.facts;
}

const char *ar_bound_bypass(void)
{
    return bypass;
}
