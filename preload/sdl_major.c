/* SPDX-License-Identifier: MIT */
#include "preload/sdl_major.h"

#include "preload/foreign.h"
#include "preload/modules.h"
#include "preload/real.h"
#include "preload/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

#define KNOWN 16u

static struct {
    const void *function; /* NULL: unused, or being changed */
    uint32_t generation;  /* of modules */
    uint32_t major;
} known[KNOWN];

/* SDL 2 fills in a struct of three bytes, SDL 3 takes nothing and returns a number, SDL 1.2 has no
 * function of that name. */
static uint32_t ask(void *library)
{
    int (*get_version)(uint8_t * version);
    uint8_t version[4] = {0};
    int number;

    *(void **)&get_version = dlsym(library, "SDL_GetVersion");
    if (get_version == NULL)
        return dlsym(library, "SDL_Linked_Version") != NULL ? 1 : 0;
    number = get_version(version);
    return version[0] != 0 ? version[0] : (uint32_t)number / 1000000u;
}

static uint32_t look_up(const void *function)
{
    struct ar_foreign foreign;
    int saved = errno;
    struct link_map *map = NULL;
    void *library = NULL;
    uint32_t major = 0;
    Dl_info info;

    foreign = ar_foreign_begin();
    if (dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL)
        library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
        major = ask(library);
        ar_real.dlclose(library);
        dlsym(RTLD_DEFAULT, "malloc"); /* a call that succeeds leaves no dlerror behind */
    }
    ar_foreign_end(foreign);
    errno = saved;
    return major;
}

uint32_t ar_sdl_major(const void *function)
{
    unsigned place = (unsigned)((uintptr_t)function >> 4) % KNOWN;
    uint32_t generation = ar_modules_generation();
    const void *before = __atomic_load_n(&known[place].function, __ATOMIC_ACQUIRE);
    uint32_t major = __atomic_load_n(&known[place].major, __ATOMIC_ACQUIRE);
    uint32_t found_in = __atomic_load_n(&known[place].generation, __ATOMIC_ACQUIRE);

    /* The place is this function's if it was before and after it was read. */
    if (before == function && found_in == generation &&
        __atomic_load_n(&known[place].function, __ATOMIC_RELAXED) == function)
        return major;
    major = function != NULL ? look_up(function) : 0;
    __atomic_store_n(&known[place].function, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&known[place].generation, generation, __ATOMIC_RELEASE);
    __atomic_store_n(&known[place].major, major, __ATOMIC_RELEASE);
    __atomic_store_n(&known[place].function, function, __ATOMIC_RELEASE);
    return major;
}
