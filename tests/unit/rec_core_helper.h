/* SPDX-License-Identifier: MIT */
/*
 * rec_core_helper.h: the whole core but its hooks, started as process.c does, driven by plain
 * calls, and what stands in its dump added up.
 */
#ifndef TESTS_REC_CORE_HELPER_H
#define TESTS_REC_CORE_HELPER_H

#include "preload/clock.h"
#include "preload/config.h"
#include "preload/heapwatch.h"
#include "preload/live.h"
#include "preload/lock.h"
#include "preload/mapfile.h"
#include "preload/modules.h"
#include "preload/record.h"
#include "preload/rules.h"
#include "preload/sites.h"
#include "preload/state.h"
#include "preload/thread.h"
#include "preload/unwind.h"
#include "tests/unit/rec_helper.h"

#include <string.h>

#define HOOK __attribute__((noinline, unused))

static char directory[64];
static bool make_file;
static void (*while_made)(void); /* called when the file is made and not entered yet */

static inline void first_poll(void)
{
    char path[80];
    struct ar_held held;
    bool made;

    if (!make_file)
        return;
    strcat(strcpy(path, directory), "/dump");
    held = ar_lock();
    made = ar_mapfile_make(path, "program");
    ar_unlock(held);
    if (made && while_made != NULL)
        while_made();
    if (made) {
        ar_threads_enter_file();
        ar_mapfile_made();
    }
}

static inline bool no_fork(void)
{
    return false;
}

static inline int start(void **state)
{
    (void)state;
    ar_clock_start();
    ar_thread_on_fork = no_fork;
    ar_record_on_first_poll = first_poll;
    ar_config.direct = 1;
    strcpy(directory, "/tmp/test_rec_record.XXXXXX");
    if (!ar_mapfile_start() || !ar_live_start() || !ar_sites_start() || mkdtemp(directory) == NULL)
        return -1;
    ar_modules_start();
    ar_heapwatch_start();
    return ar_rules_start() && ar_state_start() && ar_unwind_start() ? 0 : -1;
}

static inline int end(void **state)
{
    (void)state;
    if (ar_mapfile_exists())
        unlink(ar_mapfile_path());
    return rmdir(directory);
}

/* Each test begins with an empty dump, as a forked child does. */
static inline int renew(void **state)
{
    (void)state;
    if (ar_mapfile_exists())
        unlink(ar_mapfile_path());
    ar_mapfile_abandon();
    ar_threads_reset();
    ar_modules_reset();
    ar_polls_reset();
    ar_live_reset();
    make_file = false;
    while_made = NULL;
    if (!ar_mapfile_start() || !ar_sites_start())
        return -1;
    ar_state_reset();
    return 0;
}

/* The hooks. The core never looks into a block: any address that is not used twice will do. */
static HOOK void alloc(uintptr_t address, size_t size)
{
    ar_record_alloc(AR_HOOK(), (void *)address, size);
}

static HOOK void release(uintptr_t address)
{
    ar_record_free(AR_HOOK(), (void *)address);
}

static HOOK void reallocate(uintptr_t from, uintptr_t to, size_t size)
{
    struct ar_realloc old;

    ar_record_realloc_begin(AR_HOOK(), (void *)from, &old);
    ar_record_realloc_done(AR_HOOK(), &old, (void *)to, size);
}

static HOOK void fail_to_reallocate(uintptr_t from)
{
    struct ar_realloc old;

    ar_record_realloc_begin(AR_HOOK(), (void *)from, &old);
    ar_record_realloc_failed(AR_HOOK(), &old);
}

static HOOK bool begin_poll(void)
{
    struct ar_poll_event event = {.kind = DUMP_POLL_EVENT};

    return ar_record_poll_begin(AR_HOOK(), &event);
}

static HOOK void end_poll(bool answer)
{
    struct ar_poll_event event = {.kind = DUMP_POLL_EVENT, .answer = answer};

    ar_record_poll_end(AR_HOOK(), &event);
}

static inline void add(struct dump_amount *to, const struct dump_amount *more)
{
    to->allocations += more->allocations;
    to->bytes += more->bytes;
    to->reallocations += more->reallocations;
    to->frees += more->frees;
    to->freed_bytes += more->freed_bytes;
}

struct totals {
    struct dump_amount threads;
    struct dump_amount in_poll;
    struct dump_amount sites;
    struct dump_amount loops_in_poll;
    struct dump_amount loops_between;
    uint64_t polls;
    unsigned thread_records;
};

static inline void add_record(struct totals *totals, uint32_t type, const void *record)
{
    const struct dump_thread *thread = record;
    const struct dump_counter *counter = record;
    const struct dump_loop *loop = record;

    if (type == DUMP_THREAD) {
        add(&totals->threads, &thread->in_poll.now);
        add(&totals->threads, &thread->outside.now);
        add(&totals->in_poll, &thread->in_poll.now);
        totals->thread_records++;
    } else if (type == DUMP_COUNTER) {
        add(&totals->sites, &counter->tally.now);
    } else if (type == DUMP_LOOP) {
        add(&totals->loops_in_poll, &loop->in_poll);
        add(&totals->loops_between, &loop->between);
        totals->polls += loop->polls[DUMP_POLL_EVENT];
    }
}

/* What stands in the dump, added up. */
static inline struct totals add_up(void)
{
    const struct dump_header *header = ar_header();
    struct totals totals = {.polls = 0};

    for (uint64_t at = DUMP_HEADER_SIZE; at < header->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);

        assert_int_equal(chunk->magic, DUMP_CHUNK_MAGIC);
        at += chunk->size;
        for (uint64_t i = 0; chunk->record_size != 0 && i < chunk->count; i++)
            add_record(&totals, chunk->type, (const char *)(chunk + 1) + i * chunk->record_size);
    }
    return totals;
}

static inline void check_amount(const struct dump_amount *amount, uint64_t allocations,
                                uint64_t bytes, uint64_t reallocations, uint64_t frees,
                                uint64_t freed_bytes)
{
    assert_int_equal(amount->allocations, allocations);
    assert_int_equal(amount->bytes, bytes);
    assert_int_equal(amount->reallocations, reallocations);
    assert_int_equal(amount->frees, frees);
    assert_int_equal(amount->freed_bytes, freed_bytes);
}

static inline void no_losses(void)
{
    for (unsigned i = 0; i < DUMP_LOSS_COUNT; i++)
        assert_int_equal(ar_header()->loss[i], 0);
}

#endif
