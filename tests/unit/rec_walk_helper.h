/* SPDX-License-Identifier: MIT */
/*
 * rec_walk_helper.h: real stacks for the tests of walk.h, rules.h and memo.h, and each of them
 * taken in three ways.
 */
#ifndef TESTS_REC_WALK_HELPER_H
#define TESTS_REC_WALK_HELPER_H

#include "preload/mapfile.h"
#include "preload/memo.h"
#include "preload/modules.h"
#include "preload/rules.h"
#include "preload/walk.h"
#include "tests/unit/rec_helper.h"

#include <alloca.h>
#include <execinfo.h>
#include <string.h>

#if defined(__clang__)
#define FRAME __attribute__((noinline, unused))
#else
#define FRAME __attribute__((noipa, unused))
#endif
#define MOST 60u

/* A function that pretends to be a hook: it keeps a frame pointer, and so its frame address tells
 * where its caller's stack pointer, return address and frame pointer are. */
#define WALK_START()                                                                               \
    ((struct ar_frame){(uintptr_t)__builtin_return_address(0),                                     \
                       (uintptr_t)__builtin_frame_address(0) + 2 * sizeof(uintptr_t),              \
                       *(const uintptr_t *)__builtin_frame_address(0), false})

static struct ar_spans spans;
static struct ar_walk walk;
static struct ar_walk slow;
static void *others[AR_FRAMES_MOST];
static unsigned other_count;
static struct ar_memo *memo;
static uint32_t found; /* by the memo, for the stack that was walked last */
static uintptr_t last_sp;

static inline int start_walking(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    ar_modules_start();
    memo = ar_memo_new();
    return ar_rules_start() && ar_unwind_start() && memo != NULL ? 0 : -1;
}

static inline struct ar_memo_key key_of(struct ar_frame frame)
{
    return (struct ar_memo_key){
        .caller = frame.ip, .sp = frame.sp, .kind = ar_memo_kind(0, ar_modules_generation())};
}

/* Takes the stack in three ways: by rules, by libunwind alone, and by libc; asks the memo. */
FRAME static void take_stack(void)
{
    struct ar_frame frame = WALK_START();
    struct ar_memo_key key = key_of(frame);
    const struct ar_memo_value *value = ar_memo_find(memo, &key, ar_span_of(&spans, frame.sp));

    found = value != NULL ? value->number : 0;
    last_sp = frame.sp;
    ar_walk(&walk, frame, &spans, MOST);
    ar_walk_slowly(&slow, frame, &spans, MOST);
    other_count = (unsigned)backtrace(others, AR_FRAMES_MOST);
    /* Behind this function's own frame, and a sanitizer's. */
    while (other_count > 0 && (uintptr_t)others[0] != frame.ip)
        memmove(others, others + 1, --other_count * sizeof others[0]);
}

static inline void same_stacks(void)
{
    assert_int_equal(walk.count, other_count);
    for (unsigned i = 0; i < walk.count; i++)
        assert_int_equal(walk.addresses[i], (uintptr_t)others[i]);
    assert_int_equal(slow.count, walk.count);
    assert_memory_equal(slow.addresses, walk.addresses, walk.count * sizeof walk.addresses[0]);
    assert_int_equal(slow.outermost, walk.outermost);
    assert_false(walk.broken);
    assert_int_equal(walk.exact, slow.exact);
}

FRAME static void through_plain(unsigned left)
{
    if (left > 0)
        through_plain(left - 1);
    else
        take_stack();
    __asm__ volatile("");
}

FRAME static void through_room(unsigned bytes, unsigned left)
{
    char *room = alloca(bytes);

    __asm__ volatile("" : : "r"(room) : "memory");
    if (left > 0)
        through_room(bytes * 3 % 500 + 8, left - 1);
    else
        take_stack();
    __asm__ volatile("" : : "r"(room) : "memory");
}

FRAME static void through_realigned(unsigned left)
{
    char local[64] __attribute__((aligned(64)));

    __asm__ volatile("" : : "r"(local) : "memory");
    if (left > 0)
        through_realigned(left - 1);
    else
        take_stack();
    __asm__ volatile("" : : "r"(local) : "memory");
}

#endif
