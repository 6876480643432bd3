/* SPDX-License-Identifier: MIT */
/*
 * sdl: SDL_AddTimer and SDL_RemoveTimer, as games have them. Two promises are not SDL's: its timers
 * may run a fraction of a millisecond early, since they count whole ones, and a callback may begin
 * or still run after SDL_RemoveTimer has returned. So what SDL is given is not an address but the
 * number of a slot with the number of its use, and one word for each slot decides whether the call
 * still counts. Both faults are kept from the caller, and counted.
 */
#include "examples/timeouts/clock.h"
#include "examples/timeouts/park.h"
#include "examples/timeouts/way.h"

#include <SDL.h>
#include <errno.h>

enum { FREE, ARMED, FIRING, FIRED, PHASES };

/* Many more take SDL minutes: its thread puts each into a sorted list, one step for each timer that
 * is before it, cancelled or not. */
#define SLOT_BITS 14
#define SLOTS     (1u << SLOT_BITS)

/* state: the use's number times PHASES, and the phase. */
struct slot {
    atomic_uint state;
    SDL_TimerID id;
    struct alarm *alarm; /* stable while FIRING: cancel waits */
    struct slot *next_free;
};

static struct slot slots[SLOTS];
static struct slot *free_slots;
static size_t fresh; /* slots from here on were never used */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Around SDL's own calls: a timer that is added takes over the record of one that has run, and SDL
 * cancels it for good if another thread is just then removing the former owner of the record. */
static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;

static atomic_size_t pending;
static struct way_faults faults;

static struct slot *take(void)
{
    struct slot *slot;

    pthread_mutex_lock(&lock);
    slot = free_slots;
    if (slot != NULL)
        free_slots = slot->next_free;
    else if (fresh < SLOTS)
        slot = &slots[fresh++];
    pthread_mutex_unlock(&lock);
    return slot;
}

static void give_back(struct slot *slot)
{
    pthread_mutex_lock(&lock);
    slot->next_free = free_slots;
    free_slots = slot;
    pthread_mutex_unlock(&lock);
}

static Uint32 milliseconds_until(int64_t deadline)
{
    int64_t left = clock_milliseconds_until(deadline, INT32_MAX); /* longer ones go in steps */

    return left > 0 ? (Uint32)left : 1;
}

/* Returns when SDL is to call again, in milliseconds; 0: no more. */
static Uint32 call(Uint32 interval, void *parameter)
{
    struct slot *slot = &slots[(uintptr_t)parameter % SLOTS];
    unsigned armed = (unsigned)((uintptr_t)parameter >> SLOT_BITS);
    unsigned state = armed;
    Uint32 again = 0;

    (void)interval;
    if (!atomic_compare_exchange_strong(&slot->state, &state, armed - ARMED + FIRING)) {
        atomic_fetch_add(&faults.late, 1);
        return 0;
    }
    if (clock_now() < slot->alarm->deadline) {
        atomic_fetch_add(&faults.early, 1);
        again = milliseconds_until(slot->alarm->deadline);
        atomic_store(&slot->state, armed);
    } else {
        slot->alarm->fire(slot->alarm);
        atomic_fetch_sub(&pending, 1);
        atomic_store(&slot->state, armed - ARMED + FIRED);
    }
    park_wake(&slot->state);
    return again;
}

static int sdl_arm(struct alarm *alarm)
{
    struct slot *slot = take();
    unsigned armed;
    uintptr_t parameter;

    if (slot == NULL)
        return -ENOMEM;
    armed = atomic_load(&slot->state) - FREE + ARMED;
    slot->alarm = alarm;
    alarm->own.held = slot;
    atomic_fetch_add(&pending, 1);
    atomic_store(&slot->state, armed);
    parameter = (uintptr_t)armed << SLOT_BITS | (uintptr_t)(slot - slots);
    /* SDL keeps the number for us, it is no address. */
    pthread_mutex_lock(&calls);
    slot->id = SDL_AddTimer(milliseconds_until(alarm->deadline), call, (void *)parameter);
    pthread_mutex_unlock(&calls);
    if (slot->id != 0)
        return 0;
    atomic_fetch_sub(&pending, 1);
    atomic_store(&slot->state, armed - ARMED + FREE);
    give_back(slot);
    return -ENOMEM;
}

static void sdl_cancel(struct alarm *alarm)
{
    struct slot *slot = alarm->own.held;
    unsigned state;

    pthread_mutex_lock(&calls);
    SDL_RemoveTimer(slot->id);
    pthread_mutex_unlock(&calls);
    if (atomic_load(&slot->state) % PHASES == FIRING)
        atomic_fetch_add(&faults.late, 1);
    for (;;) {
        state = atomic_load(&slot->state);
        if (state % PHASES == FIRING) {
            park_wait(&slot->state, state, CLOCK_NEVER);
        } else if (state % PHASES == FIRED) {
            break;
        } else if (atomic_compare_exchange_strong(&slot->state, &state, state - ARMED + FIRED)) {
            atomic_fetch_sub(&pending, 1);
            break;
        }
    }
    state = atomic_load(&slot->state);
    atomic_store(&slot->state, state - FIRED + PHASES); /* FREE, and the next use's number */
    give_back(slot);
}

static int start(void)
{
    return SDL_Init(SDL_INIT_TIMER) == 0 ? 0 : -ENODEV;
}

static void stop(void)
{
    SDL_Quit();
}

static size_t count_pending(void)
{
    return atomic_load(&pending);
}

const struct way way_sdl = {
    .name = "sdl",
    .about = "SDL_AddTimer and SDL_RemoveTimer",
    .most = SLOTS,
    .start = start,
    .stop = stop,
    .arm = sdl_arm,
    .cancel = sdl_cancel,
    .pending = count_pending,
    .faults = &faults,
};
