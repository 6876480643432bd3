/* SPDX-License-Identifier: MIT */
#include "preload/sdl_real.h"

#include "preload/modules.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/thread.h"

#include <errno.h>

static void *look_up(const struct ar_sdl_entry *entry, const void *caller, const void *own)
{
    int saved = errno;
    void *function;

    if (!ar_process_ready())
        return NULL;
    ar_self.foreign = true;
    function = ar_real_for_caller(entry->name, caller, own);
    ar_self.foreign = false;
    errno = saved;
    return function;
}

void *ar_sdl_real(struct ar_sdl_entry *entry, const void *caller, const void *own)
{
    unsigned place = (unsigned)((uintptr_t)caller >> 2) % AR_SDL_CALLERS;
    uint32_t generation = ar_modules_generation();
    const void *before = __atomic_load_n(&entry->known[place].caller, __ATOMIC_ACQUIRE);
    void *function = __atomic_load_n(&entry->known[place].function, __ATOMIC_ACQUIRE);
    uint32_t found_in = __atomic_load_n(&entry->known[place].generation, __ATOMIC_ACQUIRE);

    /* The place is this caller's if it was before and after it was read. */
    if (before == caller && found_in == generation &&
        __atomic_load_n(&entry->known[place].caller, __ATOMIC_RELAXED) == caller)
        return function;
    function = look_up(entry, caller, own);
    /* Unused while it changes; two threads that write the same write the same. */
    __atomic_store_n(&entry->known[place].caller, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].generation, generation, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].function, function, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->known[place].caller, caller, __ATOMIC_RELEASE);
    return function;
}
