/* SPDX-License-Identifier: MIT */
#include "preload/timeline.h"

#include "preload/mapfile.h"

#define WIDTH_AT_START_NS ((uint64_t)20000000) /* 20 ms: the first ten seconds in full detail */

void ar_timeline_make(struct ar_timeline *timeline, uint32_t thread)
{
    uint64_t bytes = DUMP_TIMELINE_BUCKETS * sizeof(struct dump_bucket);

    timeline->chunk = ar_chunk_new(DUMP_TIMELINE, sizeof(struct dump_bucket), bytes, thread);
    timeline->buckets = ar_chunk_place(timeline->chunk, bytes);
    timeline->width_ns = WIDTH_AT_START_NS;
    if (timeline->chunk != NULL)
        ar_chunk_commit(timeline->chunk, sizeof(struct dump_bucket));
}

static void add_bucket(struct dump_bucket *to, const struct dump_bucket *more)
{
    to->polls += more->polls;
    to->drains += more->drains;
    to->frames += more->frames;
    to->in_poll_allocations += more->in_poll_allocations;
    to->in_poll_bytes += more->in_poll_bytes;
    to->between_allocations += more->between_allocations;
    to->between_bytes += more->between_bytes;
    to->poll_ns += more->poll_ns;
    if (more->most_bytes > to->most_bytes) {
        to->most_bytes = more->most_bytes;
        to->most_window = more->most_window;
    }
    if (more->polls > 0)
        to->live_bytes = more->live_bytes;
}

static void halve(struct ar_timeline *timeline)
{
    for (unsigned i = 0; i < DUMP_TIMELINE_BUCKETS / 2; i++) {
        struct dump_bucket sum = timeline->buckets[2 * i];

        add_bucket(&sum, &timeline->buckets[2 * i + 1]);
        timeline->buckets[i] = sum;
    }
    for (unsigned i = DUMP_TIMELINE_BUCKETS / 2; i < DUMP_TIMELINE_BUCKETS; i++)
        timeline->buckets[i] = (struct dump_bucket){0};
    timeline->width_ns *= 2;
    timeline->open /= 2;
}

/* Opens the bucket of the time; those passed over stay empty. */
static void open_bucket(struct ar_timeline *timeline, uint64_t now_ns)
{
    uint64_t since = now_ns > timeline->start_ns ? now_ns - timeline->start_ns : 0;

    if (now_ns < timeline->open_end_ns)
        return;
    while (since / timeline->width_ns >= DUMP_TIMELINE_BUCKETS)
        halve(timeline);
    if (since / timeline->width_ns > timeline->open)
        timeline->open = since / timeline->width_ns;
    timeline->open_end_ns = timeline->start_ns + (timeline->open + 1) * timeline->width_ns;
    timeline->chunk->filled = (timeline->open + 1) * sizeof(struct dump_bucket);
    __atomic_store_n(&timeline->chunk->count, timeline->open + 1, __ATOMIC_RELEASE);
}

void ar_timeline_add(struct ar_timeline *timeline, const struct ar_window *window, bool primary)
{
    struct dump_header *header = ar_header();
    struct dump_bucket one = {
        .polls = 1,
        .in_poll_allocations = window->in_poll.allocations,
        .in_poll_bytes = window->in_poll.bytes,
        .between_allocations = window->between.allocations,
        .between_bytes = window->between.bytes,
        .poll_ns = window->end_ns - window->begin_ns,
        .most_bytes = window->in_poll.bytes + window->between.bytes,
        .most_window = window->number,
        .live_bytes = __atomic_load_n(&header->live_bytes, __ATOMIC_RELAXED),
    };

    if (timeline->buckets == NULL)
        return;
    open_bucket(timeline, window->end_ns);
    if (primary)
        header->timeline_width_ns = timeline->width_ns;
    add_bucket(&timeline->buckets[timeline->open], &one);
}

void ar_timeline_drain(struct ar_timeline *timeline)
{
    if (timeline->buckets != NULL)
        timeline->buckets[timeline->open].drains++;
}

void ar_timeline_frames(struct ar_timeline *timeline, uint64_t frames)
{
    if (timeline->buckets != NULL)
        timeline->buckets[timeline->open].frames += frames;
}
