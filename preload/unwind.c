/* SPDX-License-Identifier: MIT */
#include "preload/unwind.h"

#include <dlfcn.h>
#include <stddef.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#define TEXT_OF(name)     #name
#define NAME_OF(function) TEXT_OF(function) /* unw_step is a macro for the machine's own name */

static int (*backtrace_function)(void **, int);
static const char *description = "none: it was not started";

/* A sanitizer's runtime ends the program at a dlopen with RTLD_DEEPBIND. */
static bool sanitizer_present(void)
{
    static const char *const names[] = {"__asan_init", "__tsan_init", "__msan_init",
                                        "__hwasan_init"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (dlsym(RTLD_DEFAULT, names[i]) != NULL)
            return true;
    return false;
}

bool ar_unwind_start(void)
{
    int flags = RTLD_NOW | RTLD_LOCAL | (sanitizer_present() ? 0 : RTLD_DEEPBIND);
    void *library = dlopen("libunwind.so.8", flags);
    int (*set_caching_policy)(unw_addr_space_t, unw_caching_policy_t);
    unw_addr_space_t *space;
    void *found;

    if (library == NULL) {
        description = "none: libunwind.so.8 is not installed";
        return false;
    }
    *(void **)&set_caching_policy = dlsym(library, NAME_OF(unw_set_caching_policy));
    space = dlsym(library, NAME_OF(unw_local_addr_space));
    found = dlsym(library, "unw_backtrace");
    if (found == NULL || set_caching_policy == NULL || space == NULL) {
        description = "none: libunwind.so.8 lacks unw_backtrace";
        return false;
    }
    set_caching_policy(*space, UNW_CACHE_PER_THREAD);
    *(void **)&backtrace_function = found;
    description = "libunwind.so.8, unw_backtrace";
    return true;
}

const char *ar_unwind_description(void)
{
    return description;
}

unsigned ar_unwind(uintptr_t *addresses, unsigned most)
{
    int count;

    if (backtrace_function == NULL)
        return 0;
    count = backtrace_function((void **)addresses, (int)most);
    return count > 0 ? (unsigned)count : 0;
}
