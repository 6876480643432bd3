/* SPDX-License-Identifier: MIT */
#include "preload/sdl_late.h"

#include "preload/real.h"
#include "preload/sdl_real.h"

/* The allocator's, while ours stand before them. */
static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *block, size_t size);

void ar_sdl_late_done(struct ar_sdl_table *table)
{
    table->sdl.function = table->original[AR_SDL_POLL];
    ar_sdl_real_void();
}

static bool any_waits(void)
{
    for (unsigned i = 0; i < AR_SDL_TABLES; i++)
        if (__atomic_load_n(&ar_sdl_tables[i].late, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static void start(void);

/* Another table may have come to wait meanwhile. */
static void stop(void)
{
    __atomic_store_n(&ar_real.malloc, next_malloc, __ATOMIC_RELEASE);
    __atomic_store_n(&ar_real.calloc, next_calloc, __ATOMIC_RELEASE);
    __atomic_store_n(&ar_real.realloc, next_realloc, __ATOMIC_RELEASE);
    if (any_waits())
        start();
}

static void look_at(struct ar_sdl_table *table)
{
    if (ar_sdl_slots_filled(table) && ar_sdl_slots_replace(table) &&
        __atomic_exchange_n(&table->late, false, __ATOMIC_ACQ_REL))
        ar_sdl_late_done(table);
}

/* Several threads may come here at once. */
static inline void look(void)
{
    bool waits = false;

    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        if (!__atomic_load_n(&ar_sdl_tables[i].late, __ATOMIC_ACQUIRE))
            continue;
        look_at(&ar_sdl_tables[i]);
        waits = true;
    }
    if (!waits)
        stop();
}

static void *looking_malloc(size_t size)
{
    look();
    return next_malloc(size);
}

static void *looking_calloc(size_t count, size_t size)
{
    look();
    return next_calloc(count, size);
}

static void *looking_realloc(void *block, size_t size)
{
    look();
    return next_realloc(block, size);
}

static void start(void)
{
    if (ar_real.malloc == looking_malloc)
        return;
    next_malloc = ar_real.malloc;
    next_calloc = ar_real.calloc;
    next_realloc = ar_real.realloc;
    __atomic_store_n(&ar_real.malloc, looking_malloc, __ATOMIC_RELEASE);
    __atomic_store_n(&ar_real.calloc, looking_calloc, __ATOMIC_RELEASE);
    __atomic_store_n(&ar_real.realloc, looking_realloc, __ATOMIC_RELEASE);
}

void ar_sdl_late_expect(struct ar_sdl_table *table)
{
    if (ar_real.malloc == NULL)
        return;
    ar_sdl_slots_remember(table);
    __atomic_store_n(&table->late, true, __ATOMIC_RELEASE);
    start();
}
