/* SPDX-License-Identifier: MIT */
#include "preload/sdl_queue.h"

#include "preload/config.h"
#include "preload/patch.h"
#include "preload/sdl_calls.h"
#include "preload/thread.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define SDL_INIT_EVENTS 0x4000u /* SDL.h: the same in SDL 2 and 3 */
#define SDL_ADDEVENT    0       /* SDL_eventaction, the same in SDL 2 and 3 */
/* Between SDL's own types, which end at 0x7F00 (SDL_POLLSENTINEL), and those that programs register
 * (from SDL_USEREVENT, 0x8000): SDL_events.h of SDL 2 and 3. */
#define UNUSED_TYPE 0x7ffeu
#define AT_ONCE     16

static bool wanted(void)
{
    return (ar_config.patch & AR_PATCH_POLL) != 0 && ar_config.queue > 0;
}

bool ar_sdl_queue_runs(const struct ar_sdl_table *table)
{
    unsigned slot = ar_sdl_slots_query(&table->sdl, AR_SDL_WAS_INIT);
    uint32_t (*was_init)(uint32_t);

    if (!wanted() || slot == 0)
        return false;
    *(void **)&was_init = table->slots[slot];
    return (was_init(SDL_INIT_EVENTS) & SDL_INIT_EVENTS) != 0;
}

/* Puts in, or takes out, up to `count` events; returns how many. */
static uint64_t move_events(const struct ar_sdl_table *table, int action, uint64_t count)
{
    ar_sdl_peep_call *peep = table->original[AR_SDL_PEEP];
    size_t stride = table->sdl.major == 3 ? AR_SDL3_EVENT_BYTES : AR_SDL2_EVENT_BYTES;
    uint64_t events[AT_ONCE * AR_SDL3_EVENT_BYTES / sizeof(uint64_t)];
    uint64_t moved = 0;
    int got = 1;

    memset(events, 0, sizeof events);
    while (moved < count && got > 0) {
        int most = count - moved < AT_ONCE ? (int)(count - moved) : AT_ONCE;

        for (int i = 0; i < most; i++)
            *(uint32_t *)((char *)events + (size_t)i * stride) = UNUSED_TYPE;
        got = peep(events, most, action, UNUSED_TYPE, UNUSED_TYPE);
        moved += got > 0 ? (uint64_t)got : 0;
    }
    return moved;
}

static void make_room(struct ar_sdl_table *table)
{
    bool foreign = ar_self.foreign;
    int saved = errno;
    uint64_t put;

    if (table->original[AR_SDL_PEEP] == NULL)
        return;
    table->queue_made = true;
    ar_self.foreign = true;
    put = move_events(table, SDL_ADDEVENT, 1);
    /* One that does not give them back would show them to the program. */
    if (move_events(table, AR_SDL_GETEVENT, put) == 1) {
        put = move_events(table, SDL_ADDEVENT, ar_config.queue);
        move_events(table, AR_SDL_GETEVENT, put);
    }
    ar_self.foreign = foreign;
    errno = saved;
    ar_patch_queue_made(put);
}

void ar_sdl_queue_started(struct ar_sdl_table *table, bool ran)
{
    if (wanted() && (!ran || !table->queue_made) && ar_sdl_queue_runs(table))
        make_room(table);
}

void ar_sdl_queue_polled(const struct ar_sdl *sdl)
{
    struct ar_sdl_table *table =
        (struct ar_sdl_table *)((char *)(uintptr_t)sdl - offsetof(struct ar_sdl_table, sdl));

    if (wanted() && sdl->table != NULL && !table->queue_made && ar_sdl_queue_runs(table))
        make_room(table);
}
