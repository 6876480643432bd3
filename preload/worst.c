/* SPDX-License-Identifier: MIT */
#include "preload/worst.h"

#include "preload/mapfile.h"

#include <string.h>

void ar_worst_make(struct ar_worst *worst, uint32_t thread)
{
    uint64_t bytes = 2 * DUMP_WORST_POLLS * sizeof(struct dump_worst);
    struct dump_chunk *chunk = ar_chunk_new(DUMP_WORST, sizeof(struct dump_worst), bytes, thread);

    worst->all = ar_chunk_place(chunk, bytes);
    if (worst->all == NULL)
        return;
    worst->steady = worst->all + DUMP_WORST_POLLS;
    for (unsigned i = 0; i < 2 * DUMP_WORST_POLLS; i++)
        ar_chunk_commit(chunk, sizeof(struct dump_worst));
}

/* Keeps the DUMP_WORST_SITES sites with most bytes, in falling order. */
static void add_site(struct dump_worst *record, const struct dump_counter *counter)
{
    struct dump_worst_site site = {
        .site = counter->site,
        .allocations = counter->tally.now.allocations - counter->tally.window_start.allocations,
        .bytes = counter->tally.now.bytes - counter->tally.window_start.bytes,
    };
    unsigned at = record->sites;

    if (at == DUMP_WORST_SITES) {
        at--;
        if (site.bytes <= record->site[at].bytes)
            return;
    } else {
        record->sites++;
    }
    for (; at > 0 && record->site[at - 1].bytes < site.bytes; at--)
        record->site[at] = record->site[at - 1];
    record->site[at] = site;
}

static void add_to_list(struct dump_worst *list, uint32_t flags, const struct ar_window *window,
                        struct dump_counter *const *counters, uint32_t kept, uint32_t count)
{
    uint64_t bytes = window->in_poll.bytes + window->between.bytes;
    struct dump_worst *least = &list[0];

    for (unsigned i = 1; i < DUMP_WORST_POLLS; i++)
        if (list[i].bytes < least->bytes)
            least = &list[i];
    if (bytes <= least->bytes)
        return;
    /* Unused while it is being written: the program may be killed at any instant. */
    __atomic_store_n(&least->window, 0, __ATOMIC_RELEASE);
    least->end_ns = window->end_ns;
    least->poll_ns = window->end_ns - window->begin_ns;
    least->interval_ns = window->interval_ns;
    least->allocations = window->in_poll.allocations + window->between.allocations;
    least->bytes = bytes;
    least->in_poll_allocations = window->in_poll.allocations;
    least->in_poll_bytes = window->in_poll.bytes;
    least->loop = window->loop;
    least->flags = flags;
    least->sites = 0;
    least->all_sites = count;
    for (uint32_t i = 0; i < kept; i++)
        add_site(least, counters[i]);
    __atomic_store_n(&least->window, window->number, __ATOMIC_RELEASE);
}

void ar_worst_add(struct ar_worst *worst, const struct ar_window *window,
                  struct dump_counter *const *counters, uint32_t kept, uint32_t count)
{
    if (worst->all == NULL || window->in_poll.bytes + window->between.bytes == 0)
        return;
    add_to_list(worst->all, 0, window, counters, kept, count);
    add_to_list(worst->steady, DUMP_WORST_STEADY, window, counters, kept, count);
}

void ar_worst_steady_from(struct ar_worst *worst, uint64_t first)
{
    for (unsigned i = 0; worst->all != NULL && i < DUMP_WORST_POLLS; i++) {
        if (worst->steady[i].window >= first)
            continue;
        __atomic_store_n(&worst->steady[i].window, 0, __ATOMIC_RELEASE);
        worst->steady[i].bytes = 0;
    }
}
