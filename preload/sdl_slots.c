/* SPDX-License-Identifier: MIT */
#include "preload/sdl_slots.h"

#include "preload/sdl3_calls.h"

#include "preload/sdl_calls.h"
#include "preload/sdl_queue.h"
#include <string.h>

#define MAJORS 2u /* SDL 2 and 3 */

struct ar_sdl_table ar_sdl_tables[AR_SDL_TABLES];
bool ar_sdl_presented;

/* Places of the functions in src/dynapi/SDL_dynapi_procs.h, counted from 0, its variadic ones
 * included; 0 is one of those, and means none here. */
static const uint16_t slots[AR_SDL_CALLS][MAJORS] = {
    [AR_SDL_POLL] = {81, 677},
    [AR_SDL_WAIT] = {82, 972},
    [AR_SDL_WAIT_TIMEOUT] = {83, 973},
    [AR_SDL_PUMP] = {75, 681},
    [AR_SDL_PEEP] = {76, 675},
    [AR_SDL_RENDER] = {305, 744},
    [AR_SDL_GL_SWAP] = {522, 202},
    [AR_SDL_SURFACE] = {497, 958},
    [AR_SDL_SURFACE_RECTS] = {498, 959},
    [AR_SDL_GPU_ACQUIRE] = {0, 17},
    [AR_SDL_GPU_WAIT_ACQUIRE] = {0, 1204},
    [AR_SDL_GPU_SUBMIT] = {0, 921},
    [AR_SDL_GPU_SUBMIT_FENCE] = {0, 922},
    [AR_SDL_CALLBACKS] = {0, 171},
    [AR_SDL_INIT] = {13, 602},
    [AR_SDL_INIT_SUBSYSTEM] = {14, 604},
};

static const uint16_t queries[][MAJORS] = {
    [AR_SDL_GET_VERSION] = {450, 534},  [AR_SDL_WAS_INIT] = {16, 982},
    [AR_SDL_VIDEO_DRIVER] = {457, 271}, [AR_SDL_AUDIO_DRIVER] = {36, 264},
    [AR_SDL_ADD_WATCH] = {87, 0},       [AR_SDL_DELETE_WATCH] = {88, 0},
    [AR_SDL_NUM_JOYSTICKS] = {154, 0},  [AR_SDL_NUM_SENSORS] = {629, 0},
    [AR_SDL_WINDOW_FROM_ID] = {473, 0},
};

/* What stands in the slots of table n. */
#define ORIGINAL(n, call) (ar_sdl_tables[n].original[call])
#define SDL(n)            (&ar_sdl_tables[n].sdl)

static int set_up(struct ar_sdl_table *table, ar_sdl_init_call *real, uint32_t flags)
{
    bool ran = ar_sdl_queue_runs(table);
    int result;

    ar_sdl_sets_up(flags);
    result = real(flags);
    ar_sdl_queue_started(table, ran);
    return result;
}

#define FUNCTIONS(n)                                                                               \
    static int poll_##n(void *event)                                                               \
    {                                                                                              \
        return ar_sdl_event(AR_HOOK(), SDL(n), DUMP_POLL_EVENT, ORIGINAL(n, AR_SDL_POLL), event);  \
    }                                                                                              \
    static int wait_##n(void *event)                                                               \
    {                                                                                              \
        return ar_sdl_event(AR_HOOK(), SDL(n), DUMP_WAIT_EVENT, ORIGINAL(n, AR_SDL_WAIT), event);  \
    }                                                                                              \
    static int timeout_##n(void *event, int milliseconds)                                          \
    {                                                                                              \
        return ar_sdl_timeout(AR_HOOK(), SDL(n), ORIGINAL(n, AR_SDL_WAIT_TIMEOUT), event,          \
                              milliseconds);                                                       \
    }                                                                                              \
    static int pump_##n(void)                                                                      \
    {                                                                                              \
        return ar_sdl_pump(AR_HOOK(), SDL(n), ORIGINAL(n, AR_SDL_PUMP));                           \
    }                                                                                              \
    static int peep_##n(void *events, int count, int action, uint32_t least, uint32_t most)        \
    {                                                                                              \
        return ar_sdl_peep(AR_HOOK(), SDL(n), ORIGINAL(n, AR_SDL_PEEP), events, count, action,     \
                           least, most);                                                           \
    }                                                                                              \
    static int render_##n(void *renderer)                                                          \
    {                                                                                              \
        return ar_sdl_present(AR_HOOK(), SDL(n), DUMP_PRESENT_RENDER, ORIGINAL(n, AR_SDL_RENDER),  \
                              renderer);                                                           \
    }                                                                                              \
    static int swap_##n(void *window)                                                              \
    {                                                                                              \
        return ar_sdl_present(AR_HOOK(), SDL(n), DUMP_PRESENT_GL_SWAP,                             \
                              ORIGINAL(n, AR_SDL_GL_SWAP), window);                                \
    }                                                                                              \
    static int surface_##n(void *window)                                                           \
    {                                                                                              \
        return ar_sdl_present(AR_HOOK(), SDL(n), DUMP_PRESENT_SURFACE,                             \
                              ORIGINAL(n, AR_SDL_SURFACE), window);                                \
    }                                                                                              \
    static int rects_##n(void *window, const void *rects, int count)                               \
    {                                                                                              \
        return ar_sdl_present_rects(AR_HOOK(), SDL(n), ORIGINAL(n, AR_SDL_SURFACE_RECTS), window,  \
                                    rects, count);                                                 \
    }                                                                                              \
    static int acquire_##n(void *commands, void *window, void **texture, uint32_t *width,          \
                           uint32_t *height)                                                       \
    {                                                                                              \
        return ar_sdl3_gpu_acquire(ORIGINAL(n, AR_SDL_GPU_ACQUIRE), commands, window, texture,     \
                                   width, height);                                                 \
    }                                                                                              \
    static int wait_acquire_##n(void *commands, void *window, void **texture, uint32_t *width,     \
                                uint32_t *height)                                                  \
    {                                                                                              \
        return ar_sdl3_gpu_acquire(ORIGINAL(n, AR_SDL_GPU_WAIT_ACQUIRE), commands, window,         \
                                   texture, width, height);                                        \
    }                                                                                              \
    static void *submit_##n(void *commands)                                                        \
    {                                                                                              \
        return ar_sdl3_gpu_submit(AR_HOOK(), ORIGINAL(n, AR_SDL_GPU_SUBMIT), commands);            \
    }                                                                                              \
    static void *submit_fence_##n(void *commands)                                                  \
    {                                                                                              \
        return ar_sdl3_gpu_submit(AR_HOOK(), ORIGINAL(n, AR_SDL_GPU_SUBMIT_FENCE), commands);      \
    }                                                                                              \
    static int callbacks_##n(int argc, char **argv, ar_sdl3_init_call *init,                       \
                             ar_sdl3_iterate_call *iterate, ar_sdl3_event_call *told,              \
                             ar_sdl3_quit_call *quit)                                              \
    {                                                                                              \
        return ar_sdl3_loop(AR_HOOK(), SDL(n), ORIGINAL(n, AR_SDL_CALLBACKS), argc, argv, init,    \
                            iterate, told, quit);                                                  \
    }                                                                                              \
    static int init_##n(uint32_t flags)                                                            \
    {                                                                                              \
        return set_up(&ar_sdl_tables[n], ORIGINAL(n, AR_SDL_INIT), flags);                         \
    }                                                                                              \
    static int init_subsystem_##n(uint32_t flags)                                                  \
    {                                                                                              \
        return set_up(&ar_sdl_tables[n], ORIGINAL(n, AR_SDL_INIT_SUBSYSTEM), flags);               \
    }

#define ADDRESSES(n)                                                                               \
    {                                                                                              \
        [AR_SDL_POLL] = (void *)poll_##n, [AR_SDL_WAIT] = (void *)wait_##n,                        \
        [AR_SDL_WAIT_TIMEOUT] = (void *)timeout_##n, [AR_SDL_PUMP] = (void *)pump_##n,             \
        [AR_SDL_PEEP] = (void *)peep_##n, [AR_SDL_RENDER] = (void *)render_##n,                    \
        [AR_SDL_GL_SWAP] = (void *)swap_##n, [AR_SDL_SURFACE] = (void *)surface_##n,               \
        [AR_SDL_SURFACE_RECTS] = (void *)rects_##n, [AR_SDL_GPU_ACQUIRE] = (void *)acquire_##n,    \
        [AR_SDL_GPU_WAIT_ACQUIRE] = (void *)wait_acquire_##n,                                      \
        [AR_SDL_GPU_SUBMIT] = (void *)submit_##n,                                                  \
        [AR_SDL_GPU_SUBMIT_FENCE] = (void *)submit_fence_##n,                                      \
        [AR_SDL_CALLBACKS] = (void *)callbacks_##n, [AR_SDL_INIT] = (void *)init_##n,              \
        [AR_SDL_INIT_SUBSYSTEM] = (void *)init_subsystem_##n,                                      \
    }

FUNCTIONS(0)
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)
FUNCTIONS(4)
FUNCTIONS(5)
FUNCTIONS(6)
FUNCTIONS(7)

static void *const functions[AR_SDL_TABLES][AR_SDL_CALLS] = {
    ADDRESSES(0), ADDRESSES(1), ADDRESSES(2), ADDRESSES(3),
    ADDRESSES(4), ADDRESSES(5), ADDRESSES(6), ADDRESSES(7),
};

static unsigned slot_of(const struct ar_sdl *sdl, const uint16_t *numbers)
{
    unsigned slot = sdl->major == 2 || sdl->major == 3 ? numbers[sdl->major - 2] : 0;

    return slot < sdl->slots ? slot : 0;
}

unsigned ar_sdl_slots_query(const struct ar_sdl *sdl, enum ar_sdl_query query)
{
    return slot_of(sdl, queries[query]);
}

bool ar_sdl_slots_in_sdl2(uintptr_t address)
{
    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        const struct ar_sdl_table *table = &ar_sdl_tables[i];

        if (table->sdl.major == 2 && address - table->start < table->end - table->start)
            return true;
    }
    return false;
}

void ar_sdl_slots_gone(uintptr_t address, bool unloaded)
{
    for (unsigned i = 0; i < AR_SDL_TABLES; i++) {
        struct ar_sdl_table *table = &ar_sdl_tables[i];

        if (address - table->start >= table->end - table->start)
            continue;
        __atomic_store_n(&table->late, false, __ATOMIC_RELEASE);
        if (unloaded)
            table->start = table->end = 0;
    }
}

enum ar_sdl_call ar_sdl_slots_named(const char *name)
{
    static const char *const names[] = {
        [AR_SDL_POLL] = "SDL_PollEvent",
        [AR_SDL_WAIT] = "SDL_WaitEvent",
        [AR_SDL_WAIT_TIMEOUT] = "SDL_WaitEventTimeout",
        [AR_SDL_PUMP] = "SDL_PumpEvents",
        [AR_SDL_PEEP] = "SDL_PeepEvents",
        [AR_SDL_RENDER] = "SDL_RenderPresent",
        [AR_SDL_GL_SWAP] = "SDL_GL_SwapWindow",
        [AR_SDL_SURFACE] = "SDL_UpdateWindowSurface",
        [AR_SDL_SURFACE_RECTS] = "SDL_UpdateWindowSurfaceRects",
    };

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return (enum ar_sdl_call)i;
    return AR_SDL_NO_CALL;
}

void *ar_sdl_slots_function(const struct ar_sdl_table *table, enum ar_sdl_call call)
{
    return functions[table - ar_sdl_tables][call];
}

void ar_sdl_slots_remember(struct ar_sdl_table *table)
{
    for (unsigned call = 0; call < AR_SDL_CALLS; call++) {
        unsigned slot = slot_of(&table->sdl, slots[call]);

        table->before[call] =
            slot != 0 ? __atomic_load_n(&table->slots[slot], __ATOMIC_ACQUIRE) : NULL;
    }
}

bool ar_sdl_slots_filled(const struct ar_sdl_table *table)
{
    unsigned slot = slot_of(&table->sdl, slots[AR_SDL_POLL]);

    return __atomic_load_n(&table->slots[slot], __ATOMIC_ACQUIRE) != table->before[AR_SDL_POLL];
}

/* False: SDL has not filled it yet. Each slot is filled once, so it stays as it is left here. */
static bool replace(struct ar_sdl_table *table, unsigned call, unsigned slot)
{
    void *own = ar_sdl_slots_function(table, (enum ar_sdl_call)call);
    void *found = __atomic_load_n(&table->slots[slot], __ATOMIC_ACQUIRE);

    if (found == own || found == NULL)
        return found == own;
    if (table->late && found == table->before[call])
        return false;
    __atomic_store_n(&table->original[call], found, __ATOMIC_RELEASE);
    __atomic_compare_exchange_n(&table->slots[slot], &found, own, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
    return true;
}

bool ar_sdl_slots_replace(struct ar_sdl_table *table)
{
    bool all = true;

    for (unsigned call = 0; call < AR_SDL_CALLS; call++) {
        unsigned slot = slot_of(&table->sdl, slots[call]);

        if (slot != 0)
            all = replace(table, call, slot) && all;
    }
    return all;
}

bool ar_sdl_slots_ours(const struct ar_sdl_table *table, enum ar_sdl_call call)
{
    unsigned slot = call < AR_SDL_CALLS ? slot_of(&table->sdl, slots[call]) : 0;

    return slot != 0 && __atomic_load_n(&table->slots[slot], __ATOMIC_ACQUIRE) ==
                            ar_sdl_slots_function(table, call);
}
