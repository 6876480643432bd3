/* SPDX-License-Identifier: MIT */
#include "tests/unit/dump_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *block, size_t count, size_t size)
{
    /* Doubles at powers of two. */
    if (count & (count - 1))
        return block;
    block = reallocarray(block, count ? count * 2 : 1, size);
    if (!block)
        abort();
    memset((char *)block + count * size, 0, (count ? count : 1) * size);
    return block;
}

static void append(struct builder_bytes *bytes, const void *data, size_t size)
{
    if (bytes->size + size > bytes->room) {
        bytes->room = (bytes->size + size) * 2;
        bytes->data = realloc(bytes->data, bytes->room);
        if (!bytes->data)
            abort();
    }
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

/* A record of variable size: its fixed part, its tail, and zeros up to a multiple of 8. */
static void append_variable(struct builder_bytes *bytes, void *fixed, size_t fixed_size,
                            const void *tail, size_t tail_size)
{
    static const uint8_t zeros[8];
    uint32_t size = (uint32_t)((fixed_size + tail_size + 7) / 8 * 8);
    memcpy(fixed, &size, sizeof size);
    append(bytes, fixed, fixed_size);
    append(bytes, tail, tail_size);
    append(bytes, zeros, size - fixed_size - tail_size);
    bytes->count++;
}

void builder_start(struct builder *builder)
{
    *builder = (struct builder){.poll_ns = 10000, .between_ns = 990000, .now_ns = 5000000};
    struct dump_header *header = &builder->header;
    memcpy(header->magic, DUMP_MAGIC, sizeof header->magic);
    header->version = DUMP_VERSION;
    header->reader_minimum = DUMP_READER_MINIMUM;
    header->byte_order = DUMP_BYTE_ORDER;
    header->header_size = DUMP_HEADER_SIZE;
    header->machine = 62;
    header->page_size = 4096;
    header->pid = 1234;
    header->parent_pid = 1233;
    header->state = DUMP_ENDED;
    header->start_realtime_ns = 1700000000000000000u;
    header->start_monotonic_ns = 1000000000;
    header->stack_depth = 64;
    header->sample = 1;
    header->timeline_width_ns = 20000000;
    strcpy(header->recorder_version, "0.1.0");
    static const char program[] = "/usr/games/example";
    static const char arguments[] = "example\0--demo";
    builder_info(builder, DUMP_INFO_PROGRAM, program, sizeof program - 1);
    builder_info(builder, DUMP_INFO_ARGUMENTS, arguments, sizeof arguments);
}

void builder_end(struct builder *builder)
{
    free(builder->infos.data);
    free(builder->modules.data);
    free(builder->frames.data);
    free(builder->stacks.data);
    free(builder->threads);
    free(builder->counters);
    free(builder->loops);
    free(builder->polls);
    free(builder->turns);
    free(builder->worst);
}

void builder_info(struct builder *builder, enum dump_info_key key, const void *value, size_t length)
{
    struct dump_info info = {.key = (uint16_t)key, .length = (uint32_t)length};
    append_variable(&builder->infos, &info, offsetof(struct dump_info, value), value, length);
}

uint32_t builder_module(struct builder *builder, const char *path, const void *build_id,
                        size_t length, uint32_t flags)
{
    uint32_t id = ++builder->module_count;
    struct dump_module module = {
        .id = id,
        .start = UINT64_C(0x550000000000) + id * UINT64_C(0x1000000),
        .end = UINT64_C(0x550000000000) + id * UINT64_C(0x1000000) + 0x100000,
        .bias = UINT64_C(0x550000000000) + id * UINT64_C(0x1000000),
        .loaded_ns = 1000,
        .flags = flags,
        .build_id_length = (uint32_t)length,
        .path_length = (uint32_t)strlen(path),
    };
    if (build_id)
        memcpy(module.build_id, build_id, length);
    append_variable(&builder->modules, &module, offsetof(struct dump_module, path), path,
                    strlen(path));
    return id;
}

uint32_t builder_frame(struct builder *builder, uint32_t module, uint64_t offset, uint32_t flags)
{
    struct dump_frame frame = {.offset = offset, .module = module, .flags = flags};
    append(&builder->frames, &frame, sizeof frame);
    return (uint32_t)builder->frames.count++;
}

uint32_t builder_stack(struct builder *builder, uint32_t flags, const uint32_t *frames,
                       size_t count)
{
    uint32_t id = ++builder->stack_count;
    struct dump_stack stack = {.id = id, .flags = flags, .frames = (uint32_t)count};
    append_variable(&builder->stacks, &stack, offsetof(struct dump_stack, frame), frames,
                    count * sizeof *frames);
    return id;
}

uint32_t builder_site(struct builder *builder, uint32_t module, uint64_t offset, uint32_t flags)
{
    uint32_t frame = builder_frame(builder, module, offset, 0);
    return builder_stack(builder, flags, &frame, 1);
}

unsigned builder_thread(struct builder *builder, const char *name, uint32_t flags)
{
    unsigned place = (unsigned)builder->thread_count;
    builder->threads = grow(builder->threads, place, sizeof *builder->threads);
    struct builder_thread *thread = &builder->threads[place];
    *thread = (struct builder_thread){0};
    thread->record.id = place + 1;
    thread->record.tid = builder->header.pid + place;
    thread->record.flags = flags;
    thread->record.threads = 1;
    memcpy(thread->record.name, name, strnlen(name, sizeof thread->record.name));
    builder->thread_count++;
    return place;
}

unsigned builder_loop(struct builder *builder, unsigned thread, uint32_t stack)
{
    unsigned place = (unsigned)builder->loop_count;
    builder->loops = grow(builder->loops, place, sizeof *builder->loops);
    builder->loops[place] =
        (struct dump_loop){.id = place + 1, .thread = thread + 1, .stack = stack};
    builder->loop_count++;
    return place;
}

/* The clock that the thread counts by: its own once it polls, else the first polling thread's. */
static const struct dump_clock *clock_of(const struct builder *builder, unsigned thread)
{
    static const struct dump_clock startup;
    if (builder->threads[thread].record.flags & DUMP_THREAD_POLLS)
        return &builder->threads[thread].record.clock;
    uint64_t primary = builder->header.primary_thread;
    return primary ? &builder->threads[primary - 1].record.clock : &startup;
}

/* Marks are made when the tally is next touched after boundaries have moved. */
static void make_marks(struct dump_tally *tally, const struct dump_clock *clock, uint64_t polls)
{
    struct dump_mark old[DUMP_BOUNDARIES];
    memcpy(old, tally->mark, sizeof old);
    for (unsigned b = 0; b < DUMP_BOUNDARIES; b++) {
        uint64_t window = clock->boundary[b];
        struct dump_mark mark = {.window = window};
        bool known = false;
        for (unsigned i = 0; i < DUMP_BOUNDARIES && !known; i++) {
            known = old[i].window == window;
            if (known)
                mark = old[i];
        }
        if (!known && window > tally->window)
            mark = (struct dump_mark){window, polls, tally->now};
        else if (!known && b > 0)
            mark = tally->mark[b - 1];
        tally->mark[b] = mark;
    }
    tally->schedule = clock->schedule;
}

static void touch(struct dump_tally *tally, const struct dump_clock *clock, uint64_t polls)
{
    if (tally->schedule != clock->schedule)
        make_marks(tally, clock, polls);
    if (tally->window == clock->window)
        return;
    tally->window = clock->window;
    tally->window_start = tally->now;
}

static struct dump_counter *counter_of(struct builder *builder, unsigned thread, uint32_t site)
{
    for (size_t i = 0; i < builder->counter_count; i++)
        if (builder->counters[i].site == site && builder->counters[i].thread == thread + 1)
            return &builder->counters[i];
    builder->counters = grow(builder->counters, builder->counter_count, sizeof *builder->counters);
    struct dump_counter *counter = &builder->counters[builder->counter_count++];
    *counter = (struct dump_counter){.site = site, .thread = thread + 1};
    return counter;
}

static struct dump_tally *tally_of(struct builder *builder, unsigned thread)
{
    struct builder_thread *at = &builder->threads[thread];
    return at->in_poll ? &at->record.in_poll : &at->record.outside;
}

/* The window before becomes the largest if it is. */
static void leave_window(struct dump_counter *counter, uint64_t window)
{
    const struct dump_tally *tally = &counter->tally;
    uint64_t bytes = tally->now.bytes - tally->window_start.bytes;
    if (tally->window == window || tally->window == 0 || bytes <= counter->most_bytes)
        return;
    counter->most_bytes = bytes;
    counter->most_window = tally->window;
}

static void count_poll(struct dump_counter *counter, uint64_t window)
{
    if (window == 0 || counter->last_window == window)
        return;
    if (counter->polls) {
        uint64_t gap = window - counter->last_window;
        if (counter->polls == 1 || gap < counter->gap_least)
            counter->gap_least = gap;
        if (gap > counter->gap_most)
            counter->gap_most = gap;
        counter->gaps_growing += counter->gap_last && gap * 2 >= counter->gap_last * 3;
        counter->gap_last = gap;
    } else {
        counter->first_window = window;
    }
    counter->last_window = window;
    counter->polls++;
}

static void count_alloc(struct dump_amount *amount, uint64_t bytes, bool reallocated)
{
    amount->allocations++;
    amount->bytes += bytes;
    amount->reallocations += reallocated;
}

static void allocate(struct builder *builder, unsigned thread, uint32_t site, uint64_t bytes,
                     bool reallocated)
{
    const struct dump_clock *clock = clock_of(builder, thread);
    struct dump_tally *tally = tally_of(builder, thread);
    struct dump_counter *counter = counter_of(builder, thread, site);
    touch(tally, clock, 0);
    leave_window(counter, clock->window);
    touch(&counter->tally, clock, counter->polls);
    count_poll(counter, clock->window);
    count_alloc(&tally->now, bytes, reallocated);
    count_alloc(&counter->tally.now, bytes, reallocated);
    builder->header.live_bytes += bytes;
    if (builder->header.live_bytes > builder->header.live_peak_bytes)
        builder->header.live_peak_bytes = builder->header.live_bytes;
}

void builder_alloc(struct builder *builder, unsigned thread, uint32_t site, uint64_t bytes)
{
    allocate(builder, thread, site, bytes, false);
}

void builder_free(struct builder *builder, unsigned thread, uint32_t site, uint64_t bytes,
                  bool temporary)
{
    const struct dump_clock *clock = clock_of(builder, thread);
    struct dump_tally *tally = tally_of(builder, thread);
    struct dump_counter *counter = counter_of(builder, thread, site);
    touch(tally, clock, 0);
    leave_window(counter, clock->window);
    touch(&counter->tally, clock, counter->polls);
    tally->now.frees++;
    tally->now.freed_bytes += bytes;
    counter->tally.now.frees++;
    counter->tally.now.freed_bytes += bytes;
    if (temporary) {
        counter->temporary_poll++;
        counter->temporary_poll_bytes += bytes;
        counter->temporary_frame++;
        counter->temporary_frame_bytes += bytes;
    }
    builder->header.live_bytes -= bytes;
}

void builder_realloc(struct builder *builder, unsigned thread, uint32_t site, uint64_t old_bytes,
                     uint64_t bytes)
{
    builder_free(builder, thread, site, old_bytes, false);
    allocate(builder, thread, site, bytes, true);
}
