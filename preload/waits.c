/* SPDX-License-Identifier: MIT */
#include "preload/waits.h"

#include "preload/clock.h"
#include "preload/config.h"
#include "preload/sdl_calls.h"
#include "preload/sdl_slots.h"
#include "preload/sys.h"
#include "preload/thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MILLISECOND UINT64_C(1000000)

/* Nothing but pushed events can come; signals interrupt a sleep, but another thread may take them.
 * SDL itself looks for new joysticks as seldom as every 3 s. */
#define SLICE_NS (100 * MILLISECOND)
/* Joysticks, sensors and kmsdrm's input are noticed by pumping alone. */
#define SLICE_PUMPED_NS (2 * MILLISECOND)

/* A watch is told of an event before it is queued: after a wake-up in vain, look again soon. */
#define RETRIES       40u
#define RETRIES_SHORT 20u
#define RETRY_NS      50000u

#define LEARN_NS (50 * MILLISECOND) /* of SDL's own waiting, before it is judged */

#define WINDOW_IDS 64u /* SDL counts them from 1 */

#define INIT_VIDEO    0x20u /* SDL.h */
#define INIT_JOYSTICK 0x200u
#define INIT_SENSOR   0x8000u
#define WINDOW_EVENT  0x200u /* SDL_WINDOWEVENT, SDL_events.h of SDL 2 */
#define LAST_EVENT    0xffffu

/* What is known of one table's SDL. */
struct learnt {
    uint32_t busy; /* a thread waits; another one's wait is SDL's own */
    bool watched;  /* the event watch is set */
    bool judged;   /* with a driver and windows as `drawn` says ... */
    bool loops;    /* ... it waits in steps */
    uint32_t drawn;
    uint64_t waits;
    uint64_t switches;
    uint64_t ns;
};

static struct learnt learnt[AR_SDL_TABLES];
static uint32_t pushed;      /* the futex: one more for each event */
static uint32_t sleepers;    /* threads that wait for it */
static uint32_t set_ups;     /* times that SDL was set up */
static uint32_t watched_at;  /* of these, when the watches were set */
static uint32_t window_told; /* an event of a window has come by */

bool ar_waits_in_steps(uint64_t waits, uint64_t switches, uint64_t ns)
{
    uint64_t steps = switches > waits ? switches - waits : 0;

    /* At least forty a second: SDL 2.0.10 and before sleep 10 ms at a time, later ones 1 ms. */
    return steps >= 2 && steps >= waits && steps * 25 * MILLISECOND >= ns;
}

static void add_time(uint64_t *ns, const struct timeval *time)
{
    *ns += (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* The thread's so far; false: not known. */
static bool usage(struct ar_wait_cost *cost)
{
    struct rusage used;

    if (ar_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&used, 0, 0, 0, 0) != 0)
        return false;
    cost->switches = (uint64_t)used.ru_nvcsw;
    cost->cpu_ns = 0;
    add_time(&cost->cpu_ns, &used.ru_utime);
    add_time(&cost->cpu_ns, &used.ru_stime);
    return true;
}

static void wake(void)
{
    __atomic_add_fetch(&pushed, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) != 0)
        ar_syscall(SYS_futex, (long)&pushed, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
}

/* SDL_EventFilter, by which SDL tells its watches of each event that is pushed. */
static int on_event(void *data, const uint32_t *event)
{
    (void)data;
    if (event != NULL && *event == WINDOW_EVENT)
        __atomic_store_n(&window_told, 1, __ATOMIC_RELAXED);
    wake();
    return 1;
}

void ar_waits_added(void)
{
    if (ar_config.patch & AR_PATCH_WAIT)
        wake();
}

void ar_waits_set_up(void)
{
    __atomic_add_fetch(&set_ups, 1, __ATOMIC_RELAXED);
}

/* Rounded up; -1: for ever. */
static int milliseconds_to(uint64_t end, uint64_t now)
{
    if (end == UINT64_MAX)
        return -1;
    return end > now ? (int)((end - now + MILLISECOND - 1) / MILLISECOND) : 0;
}

static int real_wait(const struct ar_wait *wait)
{
    if (wait->timeout != NULL)
        return wait->timeout(wait->event, wait->milliseconds);
    return wait->wait != NULL ? wait->wait(wait->event) : 0;
}

static void *query(const struct ar_wait *wait, enum ar_sdl_query which)
{
    unsigned slot = ar_sdl_slots_query(wait->sdl, which);

    return slot != 0 ? wait->sdl->table[slot] : NULL;
}

/* Of a function that takes nothing and returns a number. */
static int number_of(const struct ar_wait *wait, enum ar_sdl_query which)
{
    int (*function)(void);

    *(void **)&function = query(wait, which);
    return function != NULL ? function() : 0;
}

static uint32_t running(const struct ar_wait *wait)
{
    uint32_t (*was_init)(uint32_t);

    *(void **)&was_init = query(wait, AR_SDL_WAS_INIT);
    return was_init != NULL ? was_init(0) : 0;
}

/* A window that came while it was watched was told of, if SDL ever showed it. */
static bool has_window(const struct ar_wait *wait)
{
    void *(*window_of)(uint32_t);

    if (__atomic_load_n(&window_told, __ATOMIC_RELAXED) != 0)
        return true;
    *(void **)&window_of = query(wait, AR_SDL_WINDOW_FROM_ID);
    for (uint32_t id = 1; window_of != NULL && id <= WINDOW_IDS; id++)
        if (window_of(id) != NULL)
            return true;
    return false;
}

enum driver { DRIVER_NONE, DRIVER_WITHOUT_INPUT, DRIVER_PUMPED, DRIVER_OTHER };

static enum driver driver_of(const struct ar_wait *wait, uint32_t subsystems)
{
    const char *(*driver)(void);
    const char *name;

    *(void **)&driver = query(wait, AR_SDL_VIDEO_DRIVER);
    name = (subsystems & INIT_VIDEO) != 0 && driver != NULL ? driver() : NULL;
    if (name == NULL)
        return DRIVER_NONE;
    if (strcmp(name, "dummy") == 0 || strcmp(name, "offscreen") == 0)
        return DRIVER_WITHOUT_INPUT;
    return strncmp(name, "KMSDRM", 6) == 0 || strncmp(name, "kmsdrm", 6) == 0 ? DRIVER_PUMPED
                                                                              : DRIVER_OTHER;
}

/* How long the wait may sleep without a look; 0: it is to be SDL's own, which may block, or which
 * has not been judged. */
static uint64_t slice_of(const struct ar_wait *wait, struct learnt *known, bool *may_block)
{
    uint32_t subsystems = running(wait);
    enum driver driver = driver_of(wait, subsystems);
    bool window = driver >= DRIVER_PUMPED && has_window(wait);
    uint32_t drawn = (uint32_t)driver * 2 + window + 1;

    if (drawn != known->drawn)
        *known = (struct learnt){.busy = 1, .watched = known->watched, .drawn = drawn};
    *may_block = driver == DRIVER_OTHER && window;
    if (!known->loops || *may_block)
        return 0;
    if (((subsystems & INIT_JOYSTICK) != 0 && number_of(wait, AR_SDL_NUM_JOYSTICKS) > 0) ||
        ((subsystems & INIT_SENSOR) != 0 && number_of(wait, AR_SDL_NUM_SENSORS) > 0))
        return SLICE_PUMPED_NS;
    return driver == DRIVER_PUMPED && window ? SLICE_PUMPED_NS : SLICE_NS;
}

/* What SDL keeps for its watches is not of the program's. */
static bool watch(const struct ar_wait *wait, struct learnt *known)
{
    void (*add)(int (*)(void *, const uint32_t *), void *);
    void (*delete)(int (*)(void *, const uint32_t *), void *);
    uint32_t now = __atomic_load_n(&set_ups, __ATOMIC_RELAXED);
    bool foreign = ar_self.foreign;

    if (known->watched && __atomic_load_n(&watched_at, __ATOMIC_RELAXED) == now)
        return true;
    *(void **)&add = query(wait, AR_SDL_ADD_WATCH);
    *(void **)&delete = query(wait, AR_SDL_DELETE_WATCH);
    if (add == NULL || delete == NULL)
        return false;
    ar_self.foreign = true;
    delete (on_event, NULL);
    add(on_event, NULL);
    ar_self.foreign = foreign;
    __atomic_store_n(&watched_at, now, __ATOMIC_RELAXED);
    return known->watched = true;
}

/* Until `pushed` is no longer `seen`, or that time is over, or a signal came. True: it changed. */
static bool sleep_for(uint32_t seen, uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u)};

    __atomic_add_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
    ar_syscall(SYS_futex, (long)&pushed, FUTEX_WAIT_PRIVATE, (long)seen, (long)&time, 0, 0);
    __atomic_sub_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&pushed, __ATOMIC_SEQ_CST) != seen;
}

/* As SDL's own loop does: pumps, then takes an event, without the mark that ends a drain. */
static int look(const struct ar_wait *wait)
{
    const struct ar_sdl_table *table = (const struct ar_sdl_table *)wait->sdl;
    int (*pump)(void);
    int (*peep)(void *, int, int, uint32_t, uint32_t);

    *(void **)&pump = table->original[AR_SDL_PUMP];
    *(void **)&peep = table->original[AR_SDL_PEEP];
    pump();
    return peep(wait->event, 1, AR_SDL_GETEVENT, 0, LAST_EVENT);
}

static uint64_t end_of(const struct ar_wait *wait)
{
    if (wait->timeout == NULL || wait->milliseconds < 0)
        return UINT64_MAX;
    return ar_clock_ns() + (uint64_t)wait->milliseconds * MILLISECOND;
}

static int wait_blocking(const struct ar_wait *wait, uint64_t end, uint64_t slice)
{
    unsigned retries = 0;

    for (;;) {
        uint32_t seen = __atomic_load_n(&pushed, __ATOMIC_SEQ_CST);
        int found = look(wait);
        uint64_t now = end == UINT64_MAX ? 0 : ar_clock_ns();
        uint64_t most = slice;

        if (found != 0)
            return found > 0;
        if (now >= end)
            return 0;
        if (retries > 0)
            most = retries > RETRIES - RETRIES_SHORT ? RETRY_NS : MILLISECOND;
        if (sleep_for(seen, end - now < most ? end - now : most))
            retries = RETRIES;
        else if (retries > 0)
            retries--;
    }
}

static void learn(struct learnt *known, uint64_t ns, uint64_t switches)
{
    known->waits++;
    known->ns += ns;
    known->switches += switches;
    if (known->ns < LEARN_NS)
        return;
    known->loops = ar_waits_in_steps(known->waits, known->switches, known->ns);
    known->judged = true;
    known->waits = known->ns = known->switches = 0;
}

/* SDL's own wait, until `until`. It is judged by each: the first ones may have been too few, or the
 * machine too busy for many steps. */
static int own_wait(const struct ar_wait *wait, struct learnt *known, uint64_t until)
{
    struct ar_wait_cost before;
    struct ar_wait_cost after;
    uint64_t begin = ar_clock_ns();
    struct ar_wait part = *wait;
    bool measured = usage(&before);
    int result;

    part.milliseconds = milliseconds_to(until, begin);
    result = real_wait(&part);
    if (measured && usage(&after))
        learn(known, ar_clock_ns() - begin, after.switches - before.switches);
    return result;
}

/* The first of SDL's own waits are cut, so that one that is never over is judged, too. */
static int wait_patched(const struct ar_wait *whole, struct learnt *known, bool *replaced)
{
    const struct ar_sdl_table *table = (const struct ar_sdl_table *)whole->sdl;
    struct ar_wait wait = *whole;
    uint64_t end = end_of(whole);
    bool may_block;
    uint64_t slice = slice_of(whole, known, &may_block);

    if (may_block)
        return real_wait(whole);
    *(void **)&wait.timeout = table->original[AR_SDL_WAIT_TIMEOUT];
    while (!known->judged) {
        uint64_t soon = ar_clock_ns() + LEARN_NS;
        int result = own_wait(&wait, known, end < soon ? end : soon);

        if (result != 0 || ar_clock_ns() >= end)
            return result;
        slice = slice_of(whole, known, &may_block);
    }
    if (slice == 0 || !watch(whole, known))
        return own_wait(&wait, known, end);
    *replaced = true;
    return wait_blocking(whole, end, slice);
}

/* Of an SDL 2 whose functions can be called by its table. */
static bool can_be_patched(const struct ar_wait *wait)
{
    const struct ar_sdl_table *table = (const struct ar_sdl_table *)wait->sdl;

    return (ar_config.patch & AR_PATCH_WAIT) != 0 && wait->sdl->table != NULL &&
           wait->sdl->major == 2 && !ar_sys_is_frozen() && table->original[AR_SDL_PUMP] != NULL &&
           table->original[AR_SDL_PEEP] != NULL && table->original[AR_SDL_WAIT_TIMEOUT] != NULL;
}

int ar_waits_call(const struct ar_wait *wait, struct ar_wait_cost *cost)
{
    struct ar_wait_cost before = {0};
    struct learnt *known = NULL;
    int saved = errno;
    int result;

    *cost = (struct ar_wait_cost){0};
    if (!usage(&before))
        return real_wait(wait);
    if (can_be_patched(wait))
        known = &learnt[(const struct ar_sdl_table *)wait->sdl - ar_sdl_tables];
    if (known != NULL && __atomic_exchange_n(&known->busy, 1, __ATOMIC_ACQUIRE) == 0) {
        result = wait_patched(wait, known, &cost->replaced);
        __atomic_store_n(&known->busy, 0, __ATOMIC_RELEASE);
    } else {
        result = real_wait(wait);
    }
    if (usage(cost)) {
        cost->switches -= before.switches;
        cost->cpu_ns -= before.cpu_ns;
    }
    if (cost->replaced)
        errno = saved;
    return result;
}
