/* SPDX-License-Identifier: MIT */
/*
 * record.h: the core's face to the hooks: what happened, in plain values (record.c: allocations,
 * record_pending.c: those of handlers that interrupt it, record_polls.c: polls, presents and
 * marks). Each call is made after the real function has succeeded, but for a release, which is
 * recorded before the block is given back: from that moment another thread may own its address.
 *
 * No call here blocks the program, allocates from its heap or changes errno; each does nothing when
 * the recorder has not started, has stopped, or is itself at work on this thread. `hook` describes
 * the hook's own call.
 */
#ifndef AR_RECORD_H
#define AR_RECORD_H

#include "preload/polls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ar_hook {
    uintptr_t frame;  /* frame address of the hook */
    uintptr_t caller; /* return address of the hook */
};
#define AR_HOOK()                                                                                  \
    ((struct ar_hook){(uintptr_t)__builtin_frame_address(0),                                       \
                      (uintptr_t)__builtin_return_address(0)})

/* Allocation hooks stand in a section of their own, so that frames between two of them (an operator
 * new that calls malloc) can be told from those of a program's callback inside SDL's hooks. */
#define AR_ALLOC_HOOK __attribute__((visibility("default"), section("ar_alloc_hooks")))

/* `block` was allocated with `size` requested bytes. */
void ar_record_alloc(struct ar_hook hook, const void *block, size_t size);

/* Before an allocator is called that may itself come through another hook (operator new, a
 * preloaded allocator beneath): ar_record_alloc_once counts the block unless that hook has. */
void ar_record_alloc_expected(void);
void ar_record_alloc_once(struct ar_hook hook, const void *block, size_t size);

/* Has an inner hook counted this block since ar_record_alloc_expected? */
bool ar_record_counted(const void *block);

/* The same for operator new, which nearly always calls malloc: a handler that allocates between the
 * two does not make it count twice. */
void ar_record_alloc_outer(struct ar_hook hook, const void *block, size_t size);

/* `block`, not NULL, is about to be released. */
void ar_record_free(struct ar_hook hook, const void *block);

/* After ar_record_free, before an operator delete beneath that may release the block by free. Gives
 * what was expected before; to be called with that afterwards, since a handler may have interrupted
 * another operator delete. */
const void *ar_record_release_expected(const void *block);

/* A reallocation in its three steps: the block is taken out first, and put back as it was when the
 * real function fails. */
struct ar_realloc {
    const void *block;
    uint64_t size;
    uint64_t tick;
    uint32_t site;
    bool known;
};
void ar_record_realloc_begin(struct ar_hook hook, const void *block, struct ar_realloc *old);
void ar_record_realloc_failed(struct ar_hook hook, const struct ar_realloc *old);
void ar_record_realloc_done(struct ar_hook hook, const struct ar_realloc *old, const void *block,
                            size_t size);

/* A poll begins, or another call of SDL (a present, a peep): true if it is this thread's outermost
 * one. Then a poll's and a present's end must be told; all others end by ar_record_inner_end. */
bool ar_record_poll_begin(struct ar_hook hook, const struct ar_poll_event *event);
void ar_record_poll_end(struct ar_hook hook, const struct ar_poll_event *event);
/* Before the end of a poll that waited: what that cost. */
void ar_record_waited(struct ar_hook hook, const struct ar_wait_cost *cost);
bool ar_record_call_begin(struct ar_hook hook);
void ar_record_present_end(struct ar_hook hook, unsigned way);

/*
 * The program's own marks: a poll that the program says begins and ends; `answer`: it brought
 * events. Polls inside of it are not counted, presents are. Marks inside of marks or polls do
 * nothing. A mark that has no end, as an exception or a jump has left it, is over when the next
 * begins in the same function or one that called it.
 */
void ar_record_mark_begin(struct ar_hook hook);
void ar_record_mark_end(struct ar_hook hook, bool answer);

/* The program says that a frame is over. */
void ar_record_frame(struct ar_hook hook);

/* SDL_PeepEvents(SDL_GETEVENT) outside of a poll. */
void ar_record_peep(struct ar_hook hook, const struct ar_peep *peep);

/* Inside a poll, SDL `sdl` (2 or 3) hands an event of that type to the program. */
void ar_record_event(struct ar_hook hook, uint32_t type, uint32_t sdl);

/* An object may have been unloaded. */
void ar_record_unloaded(struct ar_hook hook);

/* A call ended that is counted nowhere: it was not the outermost, or of no kind that is. */
void ar_record_inner_end(void);

/* The program ends inside a handler that has interrupted the recorder, which will not go on: what
 * waits to be counted is told as lost. */
void ar_record_lose_pending(void);

/* What happens at the first poll, before it is recorded: the dump is made. Set by process.c. */
extern void (*ar_record_on_first_poll)(void);

#endif
