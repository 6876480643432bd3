/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/near.h"

#include "examples/timeouts/clock.h"

#include <stdbool.h>

#define BATCH         64
#define THREADS_BATCH 8 /* of ways that need a thread for each alarm */
#define MANY          100000
#define APART         INT64_C(200) /* between two deadlines: what a cancel takes, about */
#define STEP_LEAST    INT64_C(500)
#define STEP_MOST     (200 * CLOCK_MICROSECOND)

enum { IDLE, ARMED, FIRING, FIRED };

struct probe {
    struct alarm alarm;
    atomic_uint state;
};

/* Static, so that what fires too late finds its probe. */
static struct probe probes[BATCH];
static atomic_ullong stale;
static atomic_ullong early;

static void fire(struct alarm *alarm)
{
    struct probe *probe = (struct probe *)((char *)alarm - offsetof(struct probe, alarm));
    unsigned armed = ARMED;

    if (clock_now() < alarm->deadline)
        atomic_fetch_add(&early, 1);
    if (!atomic_compare_exchange_strong(&probe->state, &armed, FIRING)) {
        atomic_fetch_add(&stale, 1);
        return;
    }
    atomic_store(&probe->state, FIRED);
}

/* Right after cancel has returned. True if it had fired. */
static bool settle(struct probe *probe)
{
    unsigned state = atomic_exchange(&probe->state, IDLE);

    if (state == FIRING)
        atomic_fetch_add(&stale, 1);
    return state != ARMED;
}

static void wait_until(const struct way *way, int64_t time)
{
    static atomic_uint nothing;

    if (way->wait != NULL)
        way->wait(&nothing, atomic_load(&nothing), time);
    else
        while (clock_now() < time)
            ;
}

/* The moment of the first cancel, from the first deadline on; and how it is moved. */
struct aim {
    int64_t offset;
    int64_t step;
    bool earlier;
};

static void correct(struct aim *aim, bool earlier)
{
    aim->step = earlier == aim->earlier ? aim->step * 2 : aim->step / 4;
    if (aim->step < STEP_LEAST)
        aim->step = STEP_LEAST;
    if (aim->step > STEP_MOST)
        aim->step = STEP_MOST;
    aim->earlier = earlier;
    aim->offset += earlier ? -aim->step : aim->step;
}

/* Arms `size` alarms, the first for `lead` from now. Returns how many it did, or -errno. */
static int arm_batch(const struct way *way, unsigned size, int64_t lead)
{
    int64_t deadline = clock_now() + lead;

    for (unsigned i = 0; i < size; i++) {
        struct probe *probe = &probes[i];
        int failure;

        probe->alarm.deadline = deadline + i * APART;
        probe->alarm.fire = fire;
        atomic_store(&probe->state, ARMED);
        failure = way->arm(&probe->alarm);
        if (failure == 0)
            continue;
        atomic_store(&probe->state, IDLE);
        while (i-- > 0)
            way->cancel(&probes[i].alarm);
        return failure;
    }
    return 0;
}

int near_run(const struct way *way, uint64_t misses, struct near_counts *counts)
{
    struct aim aim = {.step = STEP_LEAST};
    unsigned size = way->most < MANY ? THREADS_BATCH : BATCH;
    int64_t lead = 100 * CLOCK_MICROSECOND;

    *counts = (struct near_counts){0};
    atomic_store(&stale, 0);
    atomic_store(&early, 0);
    while (counts->misses < misses) {
        int64_t begin = clock_now();
        int failure = arm_batch(way, size, lead);
        unsigned fired = 0;

        if (failure != 0)
            return failure;
        lead = 2 * (clock_now() - begin) + 20 * CLOCK_MICROSECOND;
        if (lead > CLOCK_MILLISECOND)
            lead = CLOCK_MILLISECOND;
        wait_until(way, probes[0].alarm.deadline + aim.offset);
        for (unsigned i = 0; i < size; i++) {
            way->cancel(&probes[i].alarm);
            fired += settle(&probes[i]);
        }
        correct(&aim, 2 * fired > size);
        counts->misses += size;
        counts->fired += fired;
        counts->cancelled += size - fired;
    }
    counts->stale = atomic_load(&stale);
    counts->early = atomic_load(&early);
    return 0;
}
