/* SPDX-License-Identifier: MIT */
/*
 * hook_unload.c: objects that go. libc ends each by its own __cxa_finalize, whoever closed it: the
 * program by dlclose under any name, or libc itself (character sets, name services). What was
 * learnt about its addresses is void from then on, since another may come to lie there.
 */
#include "preload/modules.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/record.h"
#include "preload/sdl_slots.h"

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

void __cxa_finalize(void *object);

static uint32_t closing; /* calls of dlclose; none at exit, when objects end but stay mapped */

/* Called with the loader's lock held: an object's code is still there, and goes behind it. At exit
 * it comes once for each object. Recorded or not, the object's destructors must run. */
EXPORT void __cxa_finalize(void *object)
{
    void (*real)(void *) = ar_real.finalize;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "__cxa_finalize");
    if (real != NULL)
        real(object);
    if (object == NULL || ar_real.malloc == NULL)
        return;
    ar_sdl_slots_gone((uintptr_t)object, __atomic_load_n(&closing, __ATOMIC_RELAXED) > 0);
    ar_modules_finalized((uintptr_t)object);
}

EXPORT int dlclose(void *handle)
{
    int result;

    if (ar_real.dlclose == NULL && (!ar_process_ready() || ar_real.dlclose == NULL))
        return -1;
    __atomic_fetch_add(&closing, 1, __ATOMIC_RELAXED);
    result = ar_real.dlclose(handle);
    __atomic_fetch_sub(&closing, 1, __ATOMIC_RELAXED);
    ar_record_unloaded(AR_HOOK());
    return result;
}
