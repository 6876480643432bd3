/* SPDX-License-Identifier: MIT */
#include "preload/events.h"

#include "preload/mapfile.h"

#define FIXED 4u /* records that are always there, at the place that is their kind */

void ar_events_make(struct ar_events *events, uint32_t thread, const struct dump_amount *in_poll)
{
    events->chunk = ar_chunk_new(DUMP_EVENT, sizeof *events->records,
                                 DUMP_EVENTS * sizeof *events->records, thread);
    events->records = ar_chunk_place(events->chunk, sizeof *events->records);
    events->start[0] = in_poll->allocations;
    events->start[1] = in_poll->bytes;
    if (events->records == NULL)
        return;
    for (; events->used < FIXED; events->used++) {
        events->records[events->used].thread = thread;
        events->records[events->used].kind = events->used;
        ar_chunk_commit(events->chunk, sizeof *events->records);
    }
}

static bool is_of(const struct dump_event *record, uint32_t type, uint32_t sdl)
{
    return record->kind == DUMP_EVENT_TYPE && record->type == type && record->sdl == sdl;
}

static uint32_t find(struct ar_events *events, uint32_t type, uint32_t sdl)
{
    struct dump_event *record;

    if (type == 0)
        return DUMP_EVENT_UNKNOWN;
    if (is_of(&events->records[events->last], type, sdl))
        return events->last;
    for (uint32_t i = FIXED; i < events->used; i++)
        if (is_of(&events->records[i], type, sdl))
            return i;
    record = ar_chunk_place(events->chunk, sizeof *record);
    if (record == NULL || events->used == DUMP_EVENTS)
        return DUMP_EVENT_OTHER;
    record->thread = events->records->thread;
    record->kind = DUMP_EVENT_TYPE;
    record->type = type;
    record->sdl = sdl;
    ar_chunk_commit(events->chunk, sizeof *record);
    return events->used++;
}

void ar_events_add(struct ar_events *events, uint32_t type, uint32_t sdl)
{
    if (events->records == NULL)
        return;
    events->last = find(events, type, sdl);
    events->records[events->last].events++;
    events->brought |= (uint64_t)1 << events->last;
}

static void book(struct dump_event *record, uint64_t allocations, uint64_t bytes, bool alone)
{
    record->drains++;
    record->allocations += allocations;
    record->bytes += bytes;
    if (bytes > record->most_bytes)
        record->most_bytes = bytes;
    if (!alone)
        return;
    record->alone_drains++;
    record->alone_allocations += allocations;
    record->alone_bytes += bytes;
}

void ar_events_book(struct ar_events *events)
{
    uint64_t allocations = events->end[0] - events->start[0];
    uint64_t bytes = events->end[1] - events->start[1];
    uint64_t brought = events->brought;
    bool alone = (brought & (brought - 1)) == 0;

    if (!events->ended || events->records == NULL)
        return;
    events->ended = false;
    events->brought = 0;
    events->start[0] = events->end[0];
    events->start[1] = events->end[1];
    if (!alone)
        book(&events->records[DUMP_EVENT_SEVERAL], allocations, bytes, false);
    for (; brought != 0; brought &= brought - 1)
        book(&events->records[__builtin_ctzll(brought)], allocations, bytes, alone);
}

void ar_events_keep(struct ar_events *events, const struct dump_amount *in_poll, bool waited)
{
    if (events->brought != 0) {
        events->end[0] = in_poll->allocations;
        events->end[1] = in_poll->bytes;
        events->ended = true;
        events->waited = waited;
        return;
    }
    book(&events->records[DUMP_EVENT_NONE], in_poll->allocations - events->start[0],
         in_poll->bytes - events->start[1], false);
    events->start[0] = in_poll->allocations;
    events->start[1] = in_poll->bytes;
}
