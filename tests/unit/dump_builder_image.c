/* SPDX-License-Identifier: MIT */
#include "tests/unit/dump_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
    struct builder *builder;
    uint8_t *data;
    size_t size;
};

static void *extend(struct image *image, size_t size)
{
    image->data = realloc(image->data, image->size + size);
    if (!image->data)
        abort();
    void *place = image->data + image->size;
    memset(place, 0, size);
    image->size += size;
    return place;
}

/* Returns where the records stand; the pointer holds until the next chunk. */
static uint8_t *add_chunk(struct image *image, uint32_t type, uint32_t record_size, uint32_t owner,
                          uint64_t count, uint64_t filled)
{
    uint64_t size = (sizeof(struct dump_chunk) + filled + DUMP_ALIGN - 1) / DUMP_ALIGN * DUMP_ALIGN;
    struct dump_chunk *chunk = extend(image, size);
    *chunk = (struct dump_chunk){.magic = DUMP_CHUNK_MAGIC,
                                 .type = type,
                                 .size = size,
                                 .record_size = record_size,
                                 .owner = owner,
                                 .count = count,
                                 .filled = filled};
    return (uint8_t *)(chunk + 1);
}

static void add_variable(struct image *image, uint32_t type, const struct builder_bytes *bytes)
{
    uint8_t *place = add_chunk(image, type, 0, 0, bytes->count, bytes->size);
    if (bytes->size)
        memcpy(place, bytes->data, bytes->size);
}

/* Records of fixed size, each longer or shorter by what the builder is told. */
static void add_fixed(struct image *image, uint32_t type, uint32_t owner, const void *records,
                      size_t size, size_t count)
{
    size_t written = (size_t)((long)size + image->builder->record_change);
    uint8_t *place =
        add_chunk(image, type, (uint32_t)written, owner, count, (uint64_t)written * count);
    for (size_t i = 0; i < count; i++) {
        memset(place + i * written, 0xa5, written); /* what is newer than this reader knows */
        memcpy(place + i * written, (const uint8_t *)records + i * size,
               written < size ? written : size);
    }
}

/* The kinds of presents are the record's end. */
static void add_thread(struct image *image, size_t thread)
{
    struct builder *builder = image->builder;
    unsigned presents = builder->presents ? builder->presents : DUMP_PRESENT_KINDS;
    add_fixed(image, DUMP_THREAD, (uint32_t)thread + 1, &builder->threads[thread].record,
              offsetof(struct dump_thread, presents) + presents * sizeof(uint64_t), 1);
}

static unsigned bucket_of(uint64_t value)
{
    unsigned e = 0;
    if (value < 16)
        return (unsigned)value;
    while (e < 63 && value >> (e + 1))
        e++;
    return e > 47 ? DUMP_HISTOGRAM_BUCKETS - 1 : 16 * (e - 3) + (unsigned)(value >> (e - 4)) % 16;
}

static void add_value(struct dump_histogram *histogram, uint64_t value)
{
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (histogram->count == 0 || value > histogram->most)
        histogram->most = value;
    histogram->count++;
    histogram->sum += value;
    histogram->bucket[bucket_of(value)]++;
}

static unsigned slot_of(const struct builder *builder, unsigned thread, uint64_t window)
{
    const struct dump_clock *clock = &builder->threads[thread].record.clock;
    if (window < clock->boundary[DUMP_AT_STEADY])
        return DUMP_SLOT_WARMUP;
    return window < clock->boundary[DUMP_AT_CUT] ? DUMP_SLOT_EARLIER : DUMP_SLOT_LATER;
}

static struct dump_histogram *make_series(unsigned first, unsigned count, uint32_t thread,
                                          uint32_t loop)
{
    struct dump_histogram *series = calloc(count * DUMP_SLOTS, sizeof *series);
    if (!series)
        abort();
    for (unsigned i = 0; i < count * DUMP_SLOTS; i++) {
        series[i].thread = thread;
        series[i].loop = loop;
        series[i].series = first + i / DUMP_SLOTS;
        series[i].slot = i % DUMP_SLOTS;
    }
    return series;
}

/* Writes the histograms, in a compact dump those that hold something. */
static void add_series(struct image *image, uint32_t thread, const struct dump_histogram *series,
                       unsigned count)
{
    struct builder *builder = image->builder;
    struct dump_histogram *kept = calloc(count, sizeof *kept);
    unsigned used = 0;
    if (!kept)
        abort();
    for (unsigned i = 0; i < count; i++)
        if (series[i].count || !builder->compact)
            kept[used++] = series[i];
    int change = builder->record_change;
    if (builder->buckets)
        builder->record_change += 8 * ((int)builder->buckets - (int)DUMP_HISTOGRAM_BUCKETS);
    add_fixed(image, DUMP_HISTOGRAM, thread, kept, sizeof *kept, used);
    builder->record_change = change;
    free(kept);
}

static void add_loop_histograms(struct image *image, unsigned loop)
{
    struct builder *builder = image->builder;
    uint32_t thread = builder->loops[loop].thread;
    struct dump_histogram *series = make_series(0, DUMP_SERIES_LOOP_COUNT, thread, loop + 1);
    for (size_t i = 0; i < builder->poll_count; i++) {
        const struct builder_poll *poll = &builder->polls[i];
        if (poll->loop != loop)
            continue;
        struct dump_histogram *slot = series + slot_of(builder, poll->thread, poll->window);
        const struct dump_amount *in = &poll->in_poll;
        const struct dump_amount *out = &poll->between;
        add_value(slot + DUMP_SLOTS * DUMP_SERIES_WINDOW_BYTES, in->bytes + out->bytes);
        add_value(slot + DUMP_SLOTS * DUMP_SERIES_WINDOW_ALLOCATIONS,
                  in->allocations + out->allocations);
        add_value(slot + DUMP_SLOTS * DUMP_SERIES_POLL_BYTES, in->bytes);
        add_value(slot + DUMP_SLOTS * DUMP_SERIES_POLL_NS, poll->end_ns - poll->begin_ns);
        if (poll->interval_ns)
            add_value(slot + DUMP_SLOTS * DUMP_SERIES_INTERVAL_NS, poll->interval_ns);
    }
    add_series(image, thread, series, DUMP_SERIES_LOOP_COUNT * DUMP_SLOTS);
    free(series);
}

static void add_thread_histograms(struct image *image, unsigned thread)
{
    struct builder *builder = image->builder;
    unsigned count = DUMP_SERIES_COUNT - DUMP_SERIES_LOOP_COUNT;
    struct dump_histogram *series = make_series(DUMP_SERIES_LOOP_COUNT, count, thread + 1, 0);
    for (size_t i = 0; i < builder->turn_count; i++) {
        const struct builder_turn *turn = &builder->turns[i];
        if (turn->thread != thread)
            continue;
        unsigned first = turn->drain ? DUMP_SERIES_DRAIN_BYTES : DUMP_SERIES_FRAME_BYTES;
        struct dump_histogram *slot = series + slot_of(builder, thread, turn->window) +
                                      (size_t)DUMP_SLOTS * (first - DUMP_SERIES_LOOP_COUNT);
        add_value(slot, turn->bytes);
        add_value(slot + DUMP_SLOTS, turn->allocations);
        if (!turn->drain)
            add_value(slot + (size_t)DUMP_SLOTS * 2, turn->ns);
    }
    add_series(image, thread + 1, series, count * DUMP_SLOTS);
    free(series);
}

static void add_timeline(struct image *image, unsigned thread)
{
    struct builder *builder = image->builder;
    struct dump_header *header = &builder->header;
    struct dump_bucket buckets[DUMP_TIMELINE_BUCKETS] = {0};
    size_t used = 0;
    while ((builder->now_ns - header->first_poll_ns) / header->timeline_width_ns >=
           DUMP_TIMELINE_BUCKETS)
        header->timeline_width_ns *= 2;
    for (size_t i = 0; i < builder->poll_count; i++) {
        const struct builder_poll *poll = &builder->polls[i];
        if (poll->thread != thread)
            continue;
        size_t at = (poll->end_ns - header->first_poll_ns) / header->timeline_width_ns;
        uint64_t bytes = poll->in_poll.bytes + poll->between.bytes;
        buckets[at].polls++;
        buckets[at].in_poll_allocations += poll->in_poll.allocations;
        buckets[at].in_poll_bytes += poll->in_poll.bytes;
        buckets[at].between_allocations += poll->between.allocations;
        buckets[at].between_bytes += poll->between.bytes;
        buckets[at].poll_ns += poll->end_ns - poll->begin_ns;
        if (bytes > buckets[at].most_bytes) {
            buckets[at].most_bytes = bytes;
            buckets[at].most_window = poll->window;
        }
        if (at + 1 > used)
            used = at + 1;
    }
    add_fixed(image, DUMP_TIMELINE, thread + 1, buckets, sizeof *buckets, used);
}

static int compare_worst(const void *a, const void *b)
{
    const struct dump_worst *x = a;
    const struct dump_worst *y = b;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static void add_worst(struct image *image, unsigned thread)
{
    struct builder *builder = image->builder;
    struct dump_worst records[2 * DUMP_WORST_POLLS] = {0};
    size_t used[2] = {0};
    if (builder->worst_count)
        qsort(builder->worst, builder->worst_count, sizeof *builder->worst, compare_worst);
    for (size_t i = 0; i < builder->worst_count; i++) {
        const struct dump_worst *worst = &builder->worst[i];
        if (builder->loops[worst->loop - 1].thread != thread + 1)
            continue;
        if (used[0] < DUMP_WORST_POLLS)
            records[used[0]++] = *worst;
        bool steady = slot_of(builder, thread, worst->window) != DUMP_SLOT_WARMUP;
        if (steady && used[1] < DUMP_WORST_POLLS) {
            records[DUMP_WORST_POLLS + used[1]] = *worst;
            records[DUMP_WORST_POLLS + used[1]++].flags = DUMP_WORST_STEADY;
        }
    }
    size_t count = 2 * DUMP_WORST_POLLS;
    if (builder->compact) {
        memmove(records + used[0], records + DUMP_WORST_POLLS, used[1] * sizeof *records);
        count = used[0] + used[1];
    }
    add_fixed(image, DUMP_WORST, thread + 1, records, sizeof *records, count);
}

static void add_unknown(struct image *image)
{
    if (!image->builder->unknown_chunks)
        return;
    memset(add_chunk(image, 77, 24, 0, 3, 72), 0x5a, 72);
    uint32_t *record = (uint32_t *)add_chunk(image, 78, 0, 0, 2, 24);
    record[0] = 8;
    record[2] = 16;
}

uint8_t *builder_image(struct builder *builder, size_t *size)
{
    struct image image = {.builder = builder};
    extend(&image, DUMP_HEADER_SIZE);
    add_variable(&image, DUMP_INFO, &builder->infos);
    add_unknown(&image);
    add_variable(&image, DUMP_MODULE, &builder->modules);
    add_fixed(&image, DUMP_FRAME, 0, builder->frames.data, sizeof(struct dump_frame),
              builder->frames.count);
    add_variable(&image, DUMP_STACK, &builder->stacks);
    for (size_t i = 0; i < builder->thread_count; i++)
        add_thread(&image, i);
    add_unknown(&image);
    add_fixed(&image, DUMP_COUNTER, 0, builder->counters, sizeof *builder->counters,
              builder->counter_count);
    add_fixed(&image, DUMP_LOOP, 0, builder->loops, sizeof *builder->loops, builder->loop_count);
    for (unsigned i = 0; i < builder->loop_count; i++)
        add_loop_histograms(&image, i);
    for (unsigned i = 0; i < builder->thread_count; i++) {
        if (!(builder->threads[i].record.flags & DUMP_THREAD_POLLS))
            continue;
        add_thread_histograms(&image, i);
        add_timeline(&image, i);
        add_worst(&image, i);
    }
    if (builder->event_count > 0)
        add_fixed(&image, DUMP_EVENT, 1, builder->events, sizeof *builder->events,
                  builder->event_count);
    if (builder->patch_count > 0)
        add_fixed(&image, DUMP_PATCH, 1, builder->patches, sizeof *builder->patches,
                  builder->patch_count);
    if (builder->header.used == 0)
        builder->header.used = image.size;
    if (builder->header.reserved == 0)
        builder->header.reserved = image.size;
    memcpy(image.data, &builder->header, sizeof builder->header);
    *size = image.size;
    return image.data;
}

bool builder_save(struct builder *builder, const char *path)
{
    size_t size;
    uint8_t *data = builder_image(builder, &size);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(data, 1, size, file) == size;
    if (file && fclose(file) != 0)
        written = false;
    free(data);
    return written;
}
