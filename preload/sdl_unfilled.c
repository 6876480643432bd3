/* SPDX-License-Identifier: MIT */
#include "preload/sdl_unfilled.h"

#include "preload/mapped.h"
#include "preload/real.h"
#include "preload/sdl_stubs.h"

#include <link.h>
#include <stddef.h>

#if defined(__x86_64__)

/* Does the word at `slot` hold what the loader put there? It is moved by the object's bias alone.
 */
static bool is_untouched(const struct dl_phdr_info *info, const ElfW(Dyn) * entry,
                         void *const *slot)
{
    const ElfW(Rela) *list = NULL;
    size_t bytes = 0;

    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_RELA)
            list = (const void *)(entry->d_un.d_ptr < info->dlpi_addr
                                      ? info->dlpi_addr + entry->d_un.d_ptr
                                      : entry->d_un.d_ptr);
        if (entry->d_tag == DT_RELASZ)
            bytes = entry->d_un.d_val;
    }
    for (size_t i = 0; list != NULL && i < bytes / sizeof *list; i++)
        if (info->dlpi_addr + list[i].r_offset == (uintptr_t)slot &&
            ELF64_R_SYM(list[i].r_info) == 0)
            return (uintptr_t)*slot == info->dlpi_addr + (uintptr_t)list[i].r_addend;
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    const ElfW(Dyn) *dynamic = NULL;
    struct ar_object object;
    struct ar_sdl_stubs found;
    bool *unfilled = data;

    (void)size;
    if (ar_mapped_sdl(info->dlpi_name) == 0)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (dynamic != NULL && ar_objects_find((uintptr_t)dynamic, &object) &&
        ar_sdl_stubs_find(&object, &found))
        *unfilled = *unfilled || is_untouched(info, dynamic, &found.table[found.slots - 1]);
    return 0;
}

bool ar_sdl_unfilled(void)
{
    bool unfilled = false;

    if (ar_real.iterate_objects != NULL)
        ar_real.iterate_objects(look_at, &unfilled);
    return unfilled;
}

#else

bool ar_sdl_unfilled(void)
{
    return true;
}

#endif
