/* SPDX-License-Identifier: MIT */
/*
 * polls.h: the windows that a thread's polls cut, its drains and frames, and what is kept of them:
 * the loops (poll sites), histograms, the time line, the worst polls, the boundaries of phases. All
 * of it belongs to the polling thread and stands in the dump. Called by record.c, with the guard
 * set.
 */
#ifndef AR_POLLS_H
#define AR_POLLS_H

#include "preload/thread.h"

struct ar_wait_cost;

struct ar_poll_event {
    enum dump_poll_kind kind;
    bool null;   /* SDL_PollEvent(NULL) */
    bool answer; /* at the end: an event was returned (a pump: no meaning) */
    /* Of the event that was returned, at the end: its first word, as SDL `sdl` numbers types. */
    uint32_t type; /* 0: none, or not known */
    uint32_t sdl;  /* major version of that SDL: 2 or 3; 0: no type is known */
};

/* SDL_PeepEvents(SDL_GETEVENT). */
struct ar_peep {
    int wanted;
    int got;            /* negative: it failed */
    const void *events; /* `got` events, each opens with its type; NULL: they may not be read */
    uint32_t stride;    /* bytes of one event: 56 in SDL 2, 128 in SDL 3 */
    uint32_t sdl;       /* major version of the SDL that wrote them */
};

/* A poll of `thread` begins; `stack` is the stack that polls, `caller` where it returns to. The
 * thread's first one makes its state. */
void ar_polls_begin(struct ar_thread *thread, uint32_t stack, uintptr_t caller,
                    const struct ar_poll_event *event);
void ar_polls_end(struct ar_thread *thread, const struct ar_poll_event *event);

/* The poll that is open was a wait, and what it cost (waits.h). Before ar_polls_end. */
void ar_polls_waited(struct ar_thread *thread, const struct ar_wait_cost *cost);

void ar_polls_peeped(struct ar_thread *thread, const struct ar_peep *peep);

/* An event was handed to the program, not returned by a poll. */
void ar_polls_event(struct ar_thread *thread, uint32_t type, uint32_t sdl);

/* A present ended on this thread, which may never have polled. `way` is the index in
 * dump_thread.presents. */
void ar_polls_presented(struct ar_thread *thread, unsigned way);

/* `counter` allocates for the first time in the window that is open. */
void ar_polls_touched(struct ar_thread *thread, struct dump_counter *counter);

/* The recorder itself has just got memory from the program's allocator: that is no growth of the
 * program's heap. */
void ar_polls_heap_is_own(struct ar_thread *thread);

/* The program ends: books what waits for the thread's next poll. */
void ar_polls_ended(struct ar_thread *thread);

/* Polls of all threads, and the bytes of their windows. */
void ar_polls_summary(uint64_t *polls, uint64_t *bytes);

/* In a new child process. */
void ar_polls_reset(void);

#endif
