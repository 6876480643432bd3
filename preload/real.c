/* SPDX-License-Identifier: MIT */
#include "preload/real.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

struct ar_real ar_real;
__attribute__((used)) void *ar_real_syscall;

const char *const ar_new_names[AR_NEW_COUNT] = {
    "_Znw" AR_SIZE_T,
    "_Zna" AR_SIZE_T,
    "_Znw" AR_SIZE_T "RKSt9nothrow_t",
    "_Zna" AR_SIZE_T "RKSt9nothrow_t",
    "_Znw" AR_SIZE_T "St11align_val_t",
    "_Zna" AR_SIZE_T "St11align_val_t",
    "_Znw" AR_SIZE_T "St11align_val_tRKSt9nothrow_t",
    "_Zna" AR_SIZE_T "St11align_val_tRKSt9nothrow_t",
};

const char *const ar_delete_names[AR_DELETE_COUNT] = {
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPv" AR_SIZE_T,
    "_ZdaPv" AR_SIZE_T,
    "_ZdlPvRKSt9nothrow_t",
    "_ZdaPvRKSt9nothrow_t",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPv" AR_SIZE_T "St11align_val_t",
    "_ZdaPv" AR_SIZE_T "St11align_val_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t",
    "_ZdaPvSt11align_val_tRKSt9nothrow_t",
};

void *ar_real_new[AR_NEW_COUNT];
void *ar_real_delete[AR_DELETE_COUNT];
bool ar_real_new_is_mallocs[AR_NEW_COUNT];
bool ar_real_delete_is_mallocs[AR_DELETE_COUNT];

static struct link_map *allocator_map;

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* What was not found is no error of the program's: a call that succeeds leaves none behind.
 * dlerror() would translate the message first, and take the lock of libc's translations, which the
 * caller of the first allocation may hold. */
static void forget_error(void)
{
    next("malloc");
}

bool ar_real_preloaded(void)
{
    struct link_map *own = NULL;
    struct link_map *libc = NULL;
    const struct link_map *map;
    Dl_info info;

    if (dladdr1((const void *)ar_real_preloaded, &info, (void **)&own, RTLD_DL_LINKMAP) == 0 ||
        dladdr1((const void *)gnu_get_libc_version, &info, (void **)&libc, RTLD_DL_LINKMAP) == 0)
        return false;
    for (map = own; map->l_prev != NULL; map = map->l_prev)
        if (map == libc)
            return false;
    return map == _r_debug.r_map;
}

static bool is_allocators(const void *function)
{
    struct link_map *map = NULL;
    Dl_info info;

    return function != NULL && allocator_map != NULL &&
           dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map == allocator_map;
}

bool ar_real_start(void)
{
    Dl_info info;
    void *found = next("malloc");

#define RESOLVE(member, name) *(void **)&ar_real.member = next(name)
    RESOLVE(calloc, "calloc");
    RESOLVE(realloc, "realloc");
    RESOLVE(reallocarray, "reallocarray");
    RESOLVE(free, "free");
    RESOLVE(posix_memalign, "posix_memalign");
    RESOLVE(aligned_alloc, "aligned_alloc");
    RESOLVE(memalign, "memalign");
    RESOLVE(valloc, "valloc");
    RESOLVE(pvalloc, "pvalloc");
    RESOLVE(malloc_usable_size, "malloc_usable_size");
    RESOLVE(free_sized, "free_sized");
    RESOLVE(free_aligned_sized, "free_aligned_sized");
    RESOLVE(poll, "poll");
    RESOLVE(ppoll, "ppoll");
    RESOLVE(__poll_chk, "__poll_chk");
    RESOLVE(__ppoll_chk, "__ppoll_chk");
    RESOLVE(select, "select");
    RESOLVE(pselect, "pselect");
    RESOLVE(epoll_wait, "epoll_wait");
    RESOLVE(epoll_pwait, "epoll_pwait");
    RESOLVE(epoll_pwait2, "epoll_pwait2");
    RESOLVE(dlclose, "dlclose");
    RESOLVE(finalize, "__cxa_finalize");
    RESOLVE(munmap, "munmap");
    RESOLVE(mprotect, "mprotect");
    RESOLVE(prctl, "prctl");
    RESOLVE(execve, "execve");
    RESOLVE(execv, "execv");
    RESOLVE(execvp, "execvp");
    RESOLVE(execvpe, "execvpe");
    RESOLVE(fexecve, "fexecve");
    RESOLVE(execveat, "execveat");
    RESOLVE(quick_exit, "quick_exit");
    RESOLVE(immediate_exit, "_exit");
    RESOLVE(iterate_objects, "dl_iterate_phdr");
#undef RESOLVE
    ar_real_syscall = next("syscall");
    if (found == NULL || ar_real.calloc == NULL || ar_real.realloc == NULL || ar_real.free == NULL)
        return false;
    for (unsigned i = 0; i < AR_NEW_COUNT; i++)
        ar_real_new[i] = next(ar_new_names[i]);
    for (unsigned i = 0; i < AR_DELETE_COUNT; i++)
        ar_real_delete[i] = next(ar_delete_names[i]);
    forget_error();
    if (dladdr1(found, &info, (void **)&allocator_map, RTLD_DL_LINKMAP) == 0)
        allocator_map = NULL;
    for (unsigned i = 0; i < AR_NEW_COUNT; i++)
        ar_real_new_is_mallocs[i] = is_allocators(ar_real_new[i]);
    for (unsigned i = 0; i < AR_DELETE_COUNT; i++)
        ar_real_delete_is_mallocs[i] = is_allocators(ar_real_delete[i]);
    *(void **)&ar_real.malloc = found;
    return true;
}

const char *ar_real_allocator(void)
{
    return allocator_map != NULL ? allocator_map->l_name : "?";
}

bool ar_real_is_glibc(void)
{
    const char *name = strrchr(ar_real_allocator(), '/');

    return name != NULL && strcmp(name, "/libc.so.6") == 0;
}

void *ar_real_for_caller(const char *name, const void *caller, const void *own)
{
    struct link_map *map = NULL;
    Dl_info info;
    void *handle;
    void *found = next(name);

    if (found != NULL && found != own)
        return found;
    if (dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return NULL;
    handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    found = handle != NULL ? dlsym(handle, name) : NULL;
    if (handle != NULL)
        ar_real.dlclose(handle);
    forget_error();
    return found == own ? NULL : found;
}
