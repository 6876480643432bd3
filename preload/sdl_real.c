/* SPDX-License-Identifier: MIT */
#include "preload/sdl_real.h"

#include "preload/foreign.h"
#include "preload/modules.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/sdl_slots.h"
#include "preload/thread.h"

#include <errno.h>

uint32_t ar_sdl_tables_changed;

void ar_sdl_real_void(void)
{
    __atomic_fetch_add(&ar_sdl_tables_changed, 1, __ATOMIC_RELEASE);
}

static void *look_up(const struct ar_sdl_entry *entry, const void *caller, const void *own)
{
    struct ar_foreign foreign;
    int saved = errno;
    void *function;

    if (!ar_process_ready())
        return NULL;
    foreign = ar_foreign_begin();
    function = ar_real_for_caller(entry->name, caller, own);
    ar_foreign_end(foreign);
    errno = saved;
    return function;
}

/* Does the function jump through a table that is ours? Then that is the one of its object, of which
 * there must be no second. */
static bool jumps_through_table(const void *function, enum ar_sdl_call call)
{
    const struct ar_sdl_table *found = NULL;

    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        const struct ar_sdl_table *table = &ar_sdl_tables[i];

        if ((uintptr_t)function - table->start >= table->end - table->start)
            continue;
        if (found != NULL)
            return false;
        found = table;
    }
    return found != NULL && ar_sdl_slots_ours(found, call);
}

struct ar_sdl_found ar_sdl_real_find(struct ar_sdl_entry *entry, const void *caller,
                                     const void *own)
{
    unsigned place = ar_sdl_real_place(caller);
    uint64_t age = ar_sdl_real_age();
    struct ar_sdl_found found = {.function = look_up(entry, caller, own)};

    found.in_table = jumps_through_table(found.function, (enum ar_sdl_call)entry->call);
    /* Unused while it changes; two threads that write the same write the same. */
    __atomic_store_n(&entry->known[place].caller, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].age, age, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].function, found.function, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].in_table, found.in_table, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].caller, caller, __ATOMIC_RELEASE);
    return found;
}
