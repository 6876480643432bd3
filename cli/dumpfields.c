/* SPDX-License-Identifier: MIT */
#include "cli/dumpfields.h"

#include <string.h>

/* clang-format off */
#define AT(record, field, kind_)    {.name = #field, .offset = offsetof(struct record, field), .kind = kind_, .count = 1}
#define U16(record, field)          AT(record, field, DUMPFIELD_U16)
#define U32(record, field)          AT(record, field, DUMPFIELD_U32)
#define U64(record, field)          AT(record, field, DUMPFIELD_U64)
#define HEX32(record, field)        AT(record, field, DUMPFIELD_HEX32)
#define HEX64(record, field)        AT(record, field, DUMPFIELD_HEX64)
#define MANY(record, field, kind_)  {.name = #field, .offset = offsetof(struct record, field), .kind = kind_, \
                                     .count = sizeof(((struct record *)0)->field) / sizeof(((struct record *)0)->field[0])}
#define INNER(record, field, table) {.name = #field, .offset = offsetof(struct record, field), \
                                     .kind = DUMPFIELD_STRUCT, .count = 1, .fields = table}
#define INNERS(record, field, table) {.name = #field, .offset = offsetof(struct record, field), .kind = DUMPFIELD_STRUCT, \
                                     .count = sizeof(((struct record *)0)->field) / sizeof(((struct record *)0)->field[0]), \
                                     .step = sizeof(((struct record *)0)->field[0]), .fields = table}
#define END                         {.name = NULL}

const struct dumpfield dumpfields_header[] = {
    MANY(dump_header, magic, DUMPFIELD_BYTES), U32(dump_header, version),
    U32(dump_header, reader_minimum), HEX32(dump_header, byte_order), U32(dump_header, header_size),
    U32(dump_header, machine), U32(dump_header, page_size), U64(dump_header, used),
    U64(dump_header, reserved), U32(dump_header, pid), U32(dump_header, parent_pid),
    U32(dump_header, state), U32(dump_header, forked_from), U64(dump_header, start_realtime_ns),
    U64(dump_header, start_monotonic_ns), U64(dump_header, first_poll_ns),
    U64(dump_header, last_ns), U32(dump_header, stack_depth), U32(dump_header, sample),
    U64(dump_header, live_peak_bytes), U64(dump_header, live_bytes),
    U64(dump_header, primary_thread), U64(dump_header, timeline_width_ns),
    U64(dump_header, frames_elsewhere), U64(dump_header, recorder_bytes),
    MANY(dump_header, loss, DUMPFIELD_U64), MANY(dump_header, recorder_version, DUMPFIELD_TEXT),
    U32(dump_header, blind), HEX32(dump_header, facts), HEX32(dump_header, runtimes),
    HEX32(dump_header, subsystems), END,
};

static const struct dumpfield info_fields[] = {
    U32(dump_info, size), U16(dump_info, key), U32(dump_info, length), END,
};

static const struct dumpfield module_fields[] = {
    U32(dump_module, size), U32(dump_module, id), HEX64(dump_module, start),
    HEX64(dump_module, end), HEX64(dump_module, bias), U64(dump_module, loaded_ns),
    U64(dump_module, unloaded_ns), HEX32(dump_module, flags), U32(dump_module, build_id_length),
    MANY(dump_module, build_id, DUMPFIELD_BYTES), U32(dump_module, path_length), END,
};

static const struct dumpfield frame_fields[] = {
    HEX64(dump_frame, offset), U32(dump_frame, module), HEX32(dump_frame, flags), END,
};

static const struct dumpfield stack_fields[] = {
    U32(dump_stack, size), U32(dump_stack, id), HEX32(dump_stack, flags), U32(dump_stack, frames),
    END,
};

static const struct dumpfield amount_fields[] = {
    U64(dump_amount, allocations), U64(dump_amount, bytes), U64(dump_amount, reallocations),
    U64(dump_amount, frees), U64(dump_amount, freed_bytes), END,
};

static const struct dumpfield mark_fields[] = {
    U64(dump_mark, window), U64(dump_mark, polls), INNER(dump_mark, amount, amount_fields), END,
};

static const struct dumpfield tally_fields[] = {
    U64(dump_tally, window), U32(dump_tally, schedule), INNER(dump_tally, now, amount_fields),
    INNER(dump_tally, window_start, amount_fields), INNERS(dump_tally, mark, mark_fields), END,
};

static const struct dumpfield clock_fields[] = {
    U64(dump_clock, window), U64(dump_clock, first_window),
    MANY(dump_clock, boundary, DUMPFIELD_U64), U32(dump_clock, schedule), U32(dump_clock, warm),
    END,
};

static const struct dumpfield thread_fields[] = {
    U32(dump_thread, id), U32(dump_thread, tid), HEX32(dump_thread, flags),
    U32(dump_thread, threads), MANY(dump_thread, name, DUMPFIELD_TEXT), U64(dump_thread, first_ns),
    U64(dump_thread, drains), U64(dump_thread, frames), U64(dump_thread, peeps),
    U64(dump_thread, events_peeped), U64(dump_thread, heap_growths),
    U64(dump_thread, mapped_blocks), U64(dump_thread, minor_faults), U64(dump_thread, major_faults),
    U64(dump_thread, sampled_ns), MANY(dump_thread, presents, DUMPFIELD_U64),
    INNER(dump_thread, clock, clock_fields), INNER(dump_thread, in_poll, tally_fields),
    INNER(dump_thread, outside, tally_fields), END,
};

static const struct dumpfield counter_fields[] = {
    U32(dump_counter, site), U32(dump_counter, thread), U64(dump_counter, temporary_poll),
    U64(dump_counter, temporary_poll_bytes), U64(dump_counter, temporary_frame),
    U64(dump_counter, temporary_frame_bytes), U64(dump_counter, polls),
    U64(dump_counter, first_window), U64(dump_counter, last_window), U64(dump_counter, gap_least),
    U64(dump_counter, gap_most), U64(dump_counter, gap_last), U64(dump_counter, gaps_growing),
    U64(dump_counter, most_bytes), U64(dump_counter, most_window),
    INNER(dump_counter, tally, tally_fields), END,
};

static const struct dumpfield loop_fields[] = {
    U32(dump_loop, id), U32(dump_loop, thread), U32(dump_loop, stack),
    MANY(dump_loop, polls, DUMPFIELD_U64), U64(dump_loop, null_polls), U64(dump_loop, empty_polls),
    U64(dump_loop, event_polls), U64(dump_loop, allocating_windows),
    U64(dump_loop, allocating_polls), U64(dump_loop, first_window), U64(dump_loop, last_window),
    U64(dump_loop, first_ns), U64(dump_loop, last_ns), U64(dump_loop, poll_ns),
    U64(dump_loop, between_ns), INNER(dump_loop, in_poll, amount_fields),
    INNER(dump_loop, between, amount_fields), U32(dump_loop, replaced_waits),
    U64(dump_loop, waits), U64(dump_loop, wait_ns), U64(dump_loop, wait_switches),
    U64(dump_loop, wait_cpu_ns), END,
};

/* Without the buckets: those that are not zero follow as pairs. */
static const struct dumpfield histogram_fields[] = {
    U32(dump_histogram, thread), U32(dump_histogram, loop), U32(dump_histogram, series),
    U32(dump_histogram, slot), U64(dump_histogram, count), U64(dump_histogram, sum),
    U64(dump_histogram, least), U64(dump_histogram, most), END,
};

static const struct dumpfield bucket_fields[] = {
    U64(dump_bucket, polls), U64(dump_bucket, drains), U64(dump_bucket, frames),
    U64(dump_bucket, in_poll_allocations), U64(dump_bucket, in_poll_bytes),
    U64(dump_bucket, between_allocations), U64(dump_bucket, between_bytes),
    U64(dump_bucket, poll_ns), U64(dump_bucket, most_bytes), U64(dump_bucket, most_window),
    U64(dump_bucket, live_bytes), END,
};

static const struct dumpfield worst_site_fields[] = {
    U32(dump_worst_site, site), U64(dump_worst_site, allocations), U64(dump_worst_site, bytes), END,
};

static const struct dumpfield worst_fields[] = {
    U64(dump_worst, window), U64(dump_worst, end_ns), U64(dump_worst, poll_ns),
    U64(dump_worst, interval_ns), U64(dump_worst, allocations), U64(dump_worst, bytes),
    U64(dump_worst, in_poll_allocations), U64(dump_worst, in_poll_bytes), U32(dump_worst, loop),
    HEX32(dump_worst, flags), U32(dump_worst, sites), U32(dump_worst, all_sites),
    INNERS(dump_worst, site, worst_site_fields), END,
};

static const struct dumpfield event_fields[] = {
    U32(dump_event, thread), U32(dump_event, kind), HEX32(dump_event, type), U32(dump_event, sdl),
    U64(dump_event, events), U64(dump_event, drains), U64(dump_event, allocations),
    U64(dump_event, bytes), U64(dump_event, most_bytes), U64(dump_event, alone_drains),
    U64(dump_event, alone_allocations), U64(dump_event, alone_bytes), END,
};

static const struct dumpfield patch_fields[] = {
    U32(dump_patch, thread), HEX32(dump_patch, modes), U64(dump_patch, requests),
    U64(dump_patch, served), MANY(dump_patch, spilled, DUMPFIELD_U64), U64(dump_patch, releases),
    U64(dump_patch, missing_bytes), U64(dump_patch, missing), U64(dump_patch, refills),
    U64(dump_patch, refilled), U64(dump_patch, given_back), U64(dump_patch, held_blocks),
    U64(dump_patch, held_bytes), U64(dump_patch, held_most_bytes), U64(dump_patch, limit_bytes),
    U64(dump_patch, queue_events), INNER(dump_patch, heap, tally_fields), END,
};
/* clang-format on */

const struct dumpfield *dumpfields_of(uint32_t type, size_t *size)
{
    static const struct {
        const struct dumpfield *fields;
        size_t size;
    } records[] = {
        [DUMP_INFO] = {info_fields, offsetof(struct dump_info, value)},
        [DUMP_MODULE] = {module_fields, offsetof(struct dump_module, path)},
        [DUMP_FRAME] = {frame_fields, sizeof(struct dump_frame)},
        [DUMP_STACK] = {stack_fields, offsetof(struct dump_stack, frame)},
        [DUMP_THREAD] = {thread_fields, sizeof(struct dump_thread)},
        [DUMP_COUNTER] = {counter_fields, sizeof(struct dump_counter)},
        [DUMP_LOOP] = {loop_fields, sizeof(struct dump_loop)},
        [DUMP_HISTOGRAM] = {histogram_fields, sizeof(struct dump_histogram)},
        [DUMP_TIMELINE] = {bucket_fields, sizeof(struct dump_bucket)},
        [DUMP_WORST] = {worst_fields, sizeof(struct dump_worst)},
        [DUMP_EVENT] = {event_fields, sizeof(struct dump_event)},
        [DUMP_PATCH] = {patch_fields, sizeof(struct dump_patch)},
    };

    if (type >= sizeof records / sizeof records[0] || records[type].fields == NULL)
        return NULL;
    *size = records[type].size;
    return records[type].fields;
}

uint64_t dumpfields_number(const uint8_t *bytes, enum dumpfield_kind kind, size_t index)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (kind) {
    case DUMPFIELD_U16:
        memcpy(&two, bytes + index * sizeof two, sizeof two);
        return two;
    case DUMPFIELD_U32:
    case DUMPFIELD_HEX32:
        memcpy(&four, bytes + index * sizeof four, sizeof four);
        return four;
    default:
        memcpy(&eight, bytes + index * sizeof eight, sizeof eight);
        return eight;
    }
}
