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

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

void __cxa_finalize(void *object);

/* Called with the loader's lock held: an object's code is still there, and goes behind it. At exit
 * it comes once for each object. Recorded or not, the object's destructors must run. */
EXPORT void __cxa_finalize(void *object)
{
    void (*real)(void *) = ar_real.finalize;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "__cxa_finalize");
    if (real != NULL)
        real(object);
    if (object != NULL && ar_real.malloc != NULL)
        ar_modules_finalized((uintptr_t)object);
}

EXPORT int dlclose(void *handle)
{
    int result;

    if (ar_real.dlclose == NULL && (!ar_process_ready() || ar_real.dlclose == NULL))
        return -1;
    result = ar_real.dlclose(handle);
    ar_record_unloaded(AR_HOOK());
    return result;
}
