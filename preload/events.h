/* SPDX-License-Identifier: MIT */
/*
 * events.h: which types of events a thread's drains brought, and what those drains allocated in
 * their polls (struct dump_event): the poll that pumps allocates, and the events that it has pumped
 * come out of later ones, so that only a drain as a whole can be booked. One thread writes them;
 * they stand in the dump. Called by polls.c.
 *
 * A drain is booked when the next poll begins, not when it ends: SDL_PeepEvents may still fetch
 * what it has pumped. A wait that returned an event and the SDL_PollEvents behind it count as one
 * drain here, since the wait has pumped for them.
 */
#ifndef AR_EVENTS_H
#define AR_EVENTS_H

#include "preload/dump_format.h"

#include <stdbool.h>

struct ar_events {
    struct dump_event *records; /* DUMP_EVENTS; NULL: no room, nothing is kept */
    struct dump_chunk *chunk;
    uint32_t used;
    uint32_t last;     /* place of the record that counted last */
    uint64_t brought;  /* a bit for each record: of the drain that is not booked */
    bool ended;        /* that drain is over, but for peeps */
    bool waited;       /* it was ended by a wait that returned an event */
    uint64_t start[2]; /* allocations and bytes in polls, when it began */
    uint64_t end[2];   /* when it ended */
};

/* Under the lock. `in_poll`: what the thread has allocated in polls so far. */
void ar_events_make(struct ar_events *events, uint32_t thread, const struct dump_amount *in_poll);

/* An event was returned, of type `type` as SDL `sdl` (its major version) numbers it; 0: not known.
 */
void ar_events_add(struct ar_events *events, uint32_t type, uint32_t sdl);

/* The slow part of ar_events_drained: of a drain that brought something or allocated. */
void ar_events_keep(struct ar_events *events, const struct dump_amount *in_poll, bool waited);

/* The drain is over. `waited`: by a wait that returned an event. */
static inline void ar_events_drained(struct ar_events *events, const struct dump_amount *in_poll,
                                     bool waited)
{
    if (__builtin_expect(events->records == NULL, 0))
        return;
    if (__builtin_expect(events->brought == 0 && in_poll->allocations == events->start[0], 1))
        events->records[DUMP_EVENT_NONE].drains++; /* by far the most */
    else
        ar_events_keep(events, in_poll, waited);
}

/* The slow part of ar_events_poll, and the program's end: books the drain that is over. */
void ar_events_book(struct ar_events *events);

/* A poll begins. */
static inline void ar_events_poll(struct ar_events *events, enum dump_poll_kind kind)
{
    if (__builtin_expect(!events->ended, 1))
        return;
    if (events->waited && kind == DUMP_POLL_EVENT)
        events->ended = false;
    else
        ar_events_book(events);
}

#endif
