/* SPDX-License-Identifier: MIT */
/*
 * mapfile.h: the memory in which all that goes into the dump stands: one region of addresses,
 * filled from its start with a header and chunks (dump_format.h). At first it is private memory, so
 * that a program that never polls leaves no file; ar_mapfile_make() makes the file and maps it as a
 * second region of the same layout, and ar_mapfile_enter() copies everything there. Chunks that one
 * thread owns are copied once more by that thread itself when it notices (thread.c), so that
 * nothing is lost between.
 *
 * The file grows by steps whose blocks are reserved before they are mapped: a store into a hole of
 * a full disk would be a SIGBUS in the program. The descriptor is closed after each step.
 *
 * All functions want the lock (lock.h) but those said not to.
 */
#ifndef AR_MAPFILE_H
#define AR_MAPFILE_H

#include "preload/dump_format.h"

#include <stdbool.h>

/* Makes the private region and its header. At start, or in a new child process; no lock. */
bool ar_mapfile_start(void);

/* In a new child process: lets go of the parent's regions without touching what is in them. No
 * lock. */
void ar_mapfile_abandon(void);

/* The header, in the region that is in use now. No lock. */
struct dump_header *ar_header(void);

/* Counts a loss. Any thread, no lock. */
void ar_lose(enum dump_loss what, uint64_t count);

/* A new chunk with room for `bytes` of records; NULL: no room (counted as DUMP_LOSS_NO_SPACE). */
struct dump_chunk *ar_chunk_new(enum dump_chunk_type type, uint32_t record_size, uint64_t bytes,
                                uint32_t owner) __attribute__((noinline, cold));

/* Room for one more record of `bytes`, or NULL when the chunk is full. The record counts only after
 * ar_chunk_commit. */
void *ar_chunk_place(struct dump_chunk *chunk, uint64_t bytes);
void ar_chunk_commit(struct dump_chunk *chunk, uint64_t bytes);

/* What stands at `offset` of the region that is in use now, and back. No lock. */
void *ar_region_at(uint64_t offset);
uint64_t ar_region_offset(const void *at);

/* Where `at` of the private region stands in the file's region once that has been entered; anything
 * else is returned as it is. No lock. */
void *ar_region_moved(void *at);

/* Copies the chunks of one owner from the private region to the file's. No lock: the caller sees to
 * it that the owner does not write meanwhile, or that it copies again later. */
void ar_region_copy_owned(uint32_t owner);

/* Share of the region that is used, in 1/1024. */
unsigned ar_region_fullness(void);

/* The file cannot grow any more: what it still has room for is kept for call sites and counters. */
bool ar_region_is_stuck(void);

/* Makes the file from the template (NULL: "%e.%p.alloc"), and enters it: copies there what was
 * counted so far, and makes it the region in use. The caller of ar_mapfile_enter sees to it that no
 * thread counts meanwhile, or that it copies again later. False: it could not be made (one line was
 * written) or is there already, and counting goes on where it was; it is not tried again. */
bool ar_mapfile_make(const char *template, const char *program);
bool ar_mapfile_enter(void);

/* By the thread for which ar_mapfile_make was true, when it has entered the file, or cannot. */
void ar_mapfile_made(void);

/* Waits, a second at most, while another thread is between the two: what a thread made meanwhile
 * would stay behind in private memory. No lock and no guard of the caller's thread may be held. */
void ar_mapfile_await(void);

/* Has the file been entered? No lock. */
bool ar_mapfile_exists(void);

/* Room for what may be counted once the file cannot grow any more. */
void ar_mapfile_reserve(void);

/* Its path, as it was opened; valid once it has been made. Does it stand elsewhere until the
 * program ends, behind a link at that path? No lock. */
const char *ar_mapfile_path(void);
bool ar_mapfile_is_elsewhere(void);

/*
 * The program ends: the dump takes its place at its own path, if it is not there from the start,
 * and gives back the blocks that were reserved and not used. The first step does the slow part and
 * wants no lock; the second wants it, and other threads paused (state.h): it copies from memory to
 * memory.
 */
struct ar_settling {
    int fd; /* -1: there is nothing to be moved */
    void *pages;
    uint64_t size;
};
struct ar_settling ar_mapfile_begin_settle(void);
void ar_mapfile_end_settle(struct ar_settling *settling);

#endif
