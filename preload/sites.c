/* SPDX-License-Identifier: MIT */
#include "preload/sites.h"

#include "preload/config.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/memory.h"
#include "preload/modules.h"
#include "preload/stacks.h"
#include "preload/unwind.h"

#include <string.h>

/*
 * The cache from a stack's raw return addresses to its number: sets of four, read without a lock.
 * An entry is written under the lock: key 0 first, then the number, then the key; a reader that
 * sees the same key before and after has the number that belongs to it.
 */
#define CACHE_SETS      ((size_t)1 << 14)
#define CACHE_WAYS      4u
#define OWN_FRAMES_MOST 16u /* of the recorder and of an operator new between two of its hooks */
#define CALL_SITE_DEPTH 2u

struct cached {
    uint64_t key; /* of the addresses, the flags and the modules' generation; 0: unused */
    uint64_t number;
};

static struct cached (*cache)[CACHE_WAYS];

bool ar_sites_start(void)
{
    if (cache == NULL)
        cache = ar_pages(CACHE_SETS * sizeof *cache);
    else
        memset(cache, 0, CACHE_SETS * sizeof *cache);
    return cache != NULL && ar_stacks_start();
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ (hash >> 32);
}

static uint64_t key_of(const uintptr_t *addresses, unsigned count, uint32_t flags)
{
    uint64_t hash = mix(ar_modules_generation(), ((uint64_t)count << 32) | flags);

    for (unsigned i = 0; i < count; i++)
        hash = mix(hash, addresses[i]);
    return hash != 0 ? hash : 1;
}

static uint32_t find_cached(uint64_t key)
{
    struct cached *set = cache[key & (CACHE_SETS - 1)];

    for (unsigned i = 0; i < CACHE_WAYS; i++) {
        uint64_t number;

        if (__atomic_load_n(&set[i].key, __ATOMIC_ACQUIRE) != key)
            continue;
        number = __atomic_load_n(&set[i].number, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&set[i].key, __ATOMIC_RELAXED) == key)
            return (uint32_t)number;
    }
    return 0;
}

static void cache_number(uint64_t key, uint32_t number)
{
    struct cached *set = cache[key & (CACHE_SETS - 1)];
    struct ar_held held = ar_lock();
    struct cached *entry = &set[(key >> 32) % CACHE_WAYS];

    for (unsigned i = 0; i < CACHE_WAYS; i++)
        if (set[i].key == 0 || set[i].key == key)
            entry = &set[i];
    __atomic_store_n(&entry->key, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->number, number, __ATOMIC_RELEASE);
    __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
    ar_unlock(held);
}

/* How many of the innermost frames are the recorder's, or lie between two of its hooks. */
static unsigned own_frames(const uintptr_t *addresses, unsigned count)
{
    unsigned own = 0;

    for (unsigned i = 0; i < count && i < OWN_FRAMES_MOST; i++)
        if (ar_modules_own(addresses[i]))
            own = i + 1;
    return own;
}

static uint32_t number_of(const uintptr_t *addresses, unsigned count, uint32_t flags)
{
    struct ar_place places[AR_DEPTH_MOST];
    uint64_t key = key_of(addresses, count, flags);
    uint32_t number = find_cached(key);

    if (number != 0)
        return number;
    ar_modules_resolve(addresses, count, places);
    number = ar_stacks_number(places, count, flags);
    if (number == 0 && count > CALL_SITE_DEPTH) {
        ar_lose(DUMP_LOSS_STACKS, 1);
        return number_of(addresses, CALL_SITE_DEPTH, flags | DUMP_STACK_CALL_SITE);
    }
    if (number != 0)
        cache_number(key, number);
    return number;
}

uint32_t ar_sites_current(uintptr_t caller, uint32_t flags)
{
    uintptr_t addresses[AR_DEPTH_MOST + OWN_FRAMES_MOST + 1];
    unsigned depth = (unsigned)ar_config.stack_depth;
    unsigned count = ar_unwind(addresses, depth + OWN_FRAMES_MOST + 1);
    unsigned own = own_frames(addresses, count);

    count -= own;
    if (count == 0) {
        addresses[0] = caller;
        return number_of(addresses, 1, flags | DUMP_STACK_EARLY);
    }
    if (count > depth) {
        count = depth;
        flags |= DUMP_STACK_DEEPER;
    }
    return number_of(addresses + own, count, flags);
}
