/* SPDX-License-Identifier: MIT */
#include "preload/sites.h"

#include "preload/config.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/memo.h"
#include "preload/memory.h"
#include "preload/modules.h"
#include "preload/rules.h"
#include "preload/stacks.h"
#include "preload/walk.h"

#include <errno.h>
#include <string.h>

/*
 * The cache from a stack's raw return addresses to its number: sets of four, read without a lock.
 * An entry is written under the lock: key 0 first, then the number, then the key; a reader that
 * sees the same key before and after has the number that belongs to it.
 */
#define CACHE_SETS      ((size_t)1 << 14)
#define CACHE_WAYS      4u
#define OWN_FRAMES_MOST (AR_FRAMES_MOST - AR_DEPTH_MOST)
#define CALL_SITE_DEPTH 2u
#define MEMO_AFTER      64u /* stacks looked up: a thread that allocates less has no memo */

struct cached {
    uint64_t key; /* of the addresses, the flags and the modules' generation; 0: unused */
    uint64_t number;
};

struct ar_stack_state {
    struct ar_memo *memo;
    uint32_t looked_up;
    struct ar_spans spans;
    struct ar_walk walk; /* too large for the program's stack, as are the places */
    struct ar_place places[AR_DEPTH_MOST];
};

static struct cached (*cache)[CACHE_WAYS];
static uint32_t unsampled[2]; /* their numbers, outside and inside polls; 0: none yet */

struct ar_stack_state *ar_sites_new_state(void)
{
    return ar_pages(sizeof(struct ar_stack_state));
}

void ar_sites_forget_counters(struct ar_stack_state *state)
{
    if (state != NULL && state->memo != NULL)
        ar_memo_forget(state->memo);
}

void ar_sites_renew_state(struct ar_stack_state *state)
{
    state->spans = (struct ar_spans){0};
}

bool ar_sites_start(void)
{
    if (cache == NULL)
        cache = ar_pages(CACHE_SETS * sizeof *cache);
    else
        memset(cache, 0, CACHE_SETS * sizeof *cache);
    unsampled[0] = unsampled[1] = 0;
    return cache != NULL && ar_stacks_start();
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ (hash >> 32);
}

static uint64_t key_of(const uintptr_t *addresses, unsigned count, uint32_t exact, uint32_t flags)
{
    uint64_t hash = mix(ar_modules_generation(), ((uint64_t)count << 32) | flags);

    hash = mix(hash, exact);
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

/* Takes the recorder's frames out of the walk, and those that lie between two allocation hooks. */
static void drop_own_frames(struct ar_walk *walk)
{
    unsigned from = 0;
    unsigned kept = 0;
    uint32_t exact = 0;

    /* Behind a frame that a signal interrupted, hooks are another allocation's. */
    for (unsigned i = 0;
         i < walk->count && i < OWN_FRAMES_MOST && (i >= 32 || (walk->exact >> i & 1) == 0); i++)
        if (ar_modules_own_hook(walk->addresses[i]))
            from = i + 1;
    for (unsigned i = from; i < walk->count; i++) {
        if (ar_modules_own(walk->addresses[i]))
            continue;
        if (i < 32 && (walk->exact >> i & 1) != 0)
            exact |= UINT32_C(1) << kept;
        walk->addresses[kept++] = walk->addresses[i];
    }
    walk->count = kept;
    walk->exact = exact;
}

/* `seen`: it had a number already. `places`: room for `count`. */
static uint32_t number_of(struct ar_place *places, const uintptr_t *addresses, unsigned count,
                          uint32_t exact, uint32_t flags, bool *seen)
{
    uint64_t key = key_of(addresses, count, exact, flags);
    uint32_t number = find_cached(key);

    *seen = number != 0;
    if (number != 0)
        return number;
    ar_modules_resolve(addresses, count, exact, places);
    number = ar_stacks_number(places, count, flags);
    if (number == 0 && count > CALL_SITE_DEPTH) {
        ar_lose(DUMP_LOSS_STACKS, 1);
        return number_of(places, addresses, CALL_SITE_DEPTH, exact & 3,
                         flags | DUMP_STACK_CALL_SITE, seen);
    }
    if (number != 0)
        cache_number(key, number);
    return number;
}

static uint32_t number_of_walk(struct ar_stack_state *state, uintptr_t caller, uint32_t flags,
                               bool *seen)
{
    struct ar_walk *walk = &state->walk;
    unsigned count;

    drop_own_frames(walk);
    count = walk->count;
    if (count == 0)
        return number_of(state->places, &caller, 1, 0, flags | DUMP_STACK_BROKEN, seen);
    if (count > ar_config.stack_depth) {
        count = (unsigned)ar_config.stack_depth;
        flags |= DUMP_STACK_DEEPER;
    } else if (walk->broken) {
        flags |= DUMP_STACK_BROKEN;
    }
    return number_of(state->places, walk->addresses, count, walk->exact, flags, seen);
}

/* Where the walk starts: at the hook's caller, or where the hook's frame does not tell that
 * caller's stack pointer, here. */
static inline __attribute__((always_inline)) struct ar_frame start_frame(uintptr_t frame,
                                                                         uintptr_t caller)
{
#if defined(__x86_64__) || defined(__i386__)
    return (struct ar_frame){caller, frame + 2 * sizeof(uintptr_t), *(const uintptr_t *)frame,
                             false};
#else
    uintptr_t sp;

    (void)frame, (void)caller;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
here:
    return (struct ar_frame){(uintptr_t) && here, sp, (uintptr_t)__builtin_frame_address(0), true};
#endif
}

/* The self-check: libunwind alone, step by step, must come to the same number. */
static void verify(struct ar_stack_state *state, struct ar_frame start, uintptr_t caller,
                   uint32_t flags, uint32_t number)
{
    bool seen;

    if (!ar_unwind_may_ask())
        return;
    ar_walk_slowly(&state->walk, start, &state->spans,
                   (unsigned)ar_config.stack_depth + OWN_FRAMES_MOST);
    if (number_of_walk(state, caller, flags, &seen) != number)
        ar_lose(DUMP_LOSS_VERIFY, 1);
}

static uint32_t walk_and_look_up(struct ar_stack_state *state, const struct ar_memo_key *key,
                                 struct ar_frame start, uint32_t flags)
{
    uint32_t number;
    bool memorable;
    bool seen;

    ar_walk(&state->walk, start, &state->spans, (unsigned)ar_config.stack_depth + OWN_FRAMES_MOST);
    number = number_of_walk(state, key->caller, flags, &seen);
    memorable = state->walk.memorable;
    if (seen && memorable && state->memo != NULL)
        ar_memo_add(state->memo, key, &state->walk, number);
    if (ar_config.verify && memorable)
        verify(state, start, key->caller, flags, number);
    return number;
}

static inline struct ar_memo_key key_at(uintptr_t frame, uintptr_t caller, uint32_t flags)
{
    return (struct ar_memo_key){caller, frame + 2 * sizeof(uintptr_t),
                                ar_memo_kind(flags, ar_modules_generation())};
}

struct ar_site ar_sites_remembered(struct ar_stack_state *state, uintptr_t frame, uintptr_t caller,
                                   uint32_t flags)
{
    struct ar_memo_key key = key_at(frame, caller, flags);
    struct ar_memo_value *found;

    if (state == NULL || state->memo == NULL || ar_config.verify)
        return (struct ar_site){0, NULL};
    found = ar_memo_find(state->memo, &key, ar_span_of(&state->spans, key.sp));
    if (found == NULL)
        return (struct ar_site){0, NULL};
    return (struct ar_site){found->number, &found->counter};
}

struct ar_site ar_sites_walked(struct ar_stack_state *state, uintptr_t frame, uintptr_t caller,
                               uint32_t flags)
{
    struct ar_memo_key key = key_at(frame, caller, flags);
    struct ar_memo_value *found;
    struct ar_place place;
    bool seen;

    if (!ar_unwind_ready())
        return (struct ar_site){number_of(&place, &caller, 1, 0, flags | DUMP_STACK_EARLY, &seen),
                                NULL};
    if (state == NULL)
        return (struct ar_site){number_of(&place, &caller, 1, 0, flags | DUMP_STACK_BROKEN, &seen),
                                NULL};
    if (state->memo == NULL && state->looked_up++ == MEMO_AFTER)
        state->memo = ar_memo_new();
    if (ar_config.verify && state->memo != NULL) {
        found = ar_memo_find(state->memo, &key, ar_span_of(&state->spans, key.sp));
        if (found != NULL) {
            verify(state, start_frame(frame, caller), caller, flags, found->number);
            return (struct ar_site){found->number, &found->counter};
        }
    }
    return (struct ar_site){walk_and_look_up(state, &key, start_frame(frame, caller), flags), NULL};
}

uint32_t ar_sites_poll_call(uintptr_t caller)
{
    struct ar_place place;
    int saved = errno;
    uint32_t number;
    bool seen;

    number =
        number_of(&place, &caller, caller != 0, 0, DUMP_STACK_POLL | DUMP_STACK_CALL_SITE, &seen);
    errno = saved;
    return number;
}

struct ar_site ar_sites_unsampled(uint32_t flags)
{
    uint32_t *number = &unsampled[(flags & DUMP_STACK_IN_POLL) != 0];
    uint32_t known = __atomic_load_n(number, __ATOMIC_RELAXED);

    if (known == 0) {
        known = ar_stacks_number(NULL, 0, flags | DUMP_STACK_UNSAMPLED);
        __atomic_store_n(number, known, __ATOMIC_RELAXED);
    }
    return (struct ar_site){known, NULL};
}

uint32_t ar_sites_interrupting(uintptr_t caller, uint32_t flags)
{
    struct ar_place place;
    uint32_t number;
    bool seen;

    flags |= DUMP_STACK_HANDLER;
    number = number_of(&place, &caller, 1, 0, flags, &seen);
    if (number != 0)
        return number;
    ar_lose(DUMP_LOSS_STACKS, 1);
    return number_of(&place, &caller, 1, 0, flags | DUMP_STACK_CALL_SITE, &seen);
}
