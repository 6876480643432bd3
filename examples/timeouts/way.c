/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/way.h"

#include <string.h>

/* What is not linked in has the address NULL; it stands at the end of the list for that. */
#pragma weak way_libuv
#pragma weak way_libevent

const struct way *const *way_all(void)
{
    static const struct way *const both[] = {&way_thread,   &way_detached, &way_pool, &way_event,
                                             &way_futex,    &way_loop,     &way_sdl,  &way_libuv,
                                             &way_libevent, NULL};
    static const struct way *const without_libuv[] = {&way_thread, &way_detached, &way_pool,
                                                      &way_event,  &way_futex,    &way_loop,
                                                      &way_sdl,    &way_libevent, NULL};

    return &way_libuv != NULL ? both : without_libuv;
}

const struct way *way_find(const char *name)
{
    for (const struct way *const *way = way_all(); *way != NULL; way++)
        if (strcmp((*way)->name, name) == 0)
            return *way;
    return NULL;
}
