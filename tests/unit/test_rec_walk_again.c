/* SPDX-License-Identifier: MIT */
/* What a walk has learnt, when the same stack comes again, and when it is another one. */
#include "tests/unit/rec_walk_helper.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

REC_HOOK_SECTION

static void remember(uint32_t number)
{
    struct ar_memo_key key = {.caller = walk.addresses[0],
                              .sp = last_sp,
                              .kind = ar_memo_kind(0, ar_modules_generation())};

    assert_true(walk.memorable);
    ar_memo_add(memo, &key, &walk, number);
}

/* Each time from the same place. */
FRAME static void walk_twice(void reach(unsigned), unsigned argument, uint32_t number)
{
    for (volatile unsigned time = 0; time < 2; time = time + 1) {
        reach(argument);
        if (time == 0) {
            assert_int_equal(found, 0);
            remember(number);
        } else {
            assert_int_equal(found, number);
        }
    }
}

FRAME static void reach_room(unsigned bytes)
{
    through_room(bytes, 4);
    __asm__ volatile("");
}

FRAME static void reach_other_room(unsigned bytes)
{
    through_room(bytes, 4);
    __asm__ volatile("");
}

static void test_memo(void **state)
{
    (void)state;
    walk_twice(through_plain, 7, 11);
    walk_twice(through_plain, 8, 12);
    walk_twice(reach_room, 64, 13);
    walk_twice(reach_other_room, 64, 14);
    walk_twice(reach_room, 64 + 4096, 15);
    walk_twice(through_realigned, 3, 16);
}

/* The way to the same frames, whose words have changed since. */
static void test_memo_after_modules_changed(void **state)
{
    (void)state;
    ar_memo_forget(memo);
    walk_twice(through_plain, 7, 21);
    ar_modules_unloaded();
    walk_twice(through_plain, 7, 22);
}

static void *walk_room_in_thread(void *depth)
{
    char *room = alloca((uintptr_t)depth * 4096 + 16);

    __asm__ volatile("" : : "r"(room) : "memory");
    spans = (struct ar_spans){0};
    /* The first walk finds out what of the stack can be read. */
    for (volatile unsigned time = 0; time < 2; time = time + 1)
        through_room(100, 5);
    return NULL;
}

static void run_room_thread(void *depth, void *stack, size_t size)
{
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, walk_room_in_thread, depth), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    spans = (struct ar_spans){0};
}

/* What was learnt on one thread's stack holds on another's, at another address. */
static void test_memo_on_another_thread(void **state)
{
    size_t size = 256 * 4096;
    char *stacks = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_true(stacks != MAP_FAILED);
    ar_memo_forget(memo);
    run_room_thread((void *)1, stacks, size);
    assert_int_equal(found, 0);
    assert_true(walk.relative_count > 0);
    remember(31);
    run_room_thread((void *)1, stacks, size);
    assert_int_equal(found, 31);
    run_room_thread((void *)1, stacks + size, size);
    assert_int_equal(found, 31);
    /* The frame behind is larger by a page: the same innermost frames, other words. */
    run_room_thread((void *)2, stacks, size);
    assert_int_equal(found, 0);
    same_stacks();
    munmap(stacks, 2 * size);
}

/* Rules are asked for on many threads at once; the answers are those of one. */
#define ASKERS 3u
static struct ar_rule known[AR_FRAMES_MOST];
static unsigned differing;

static void *ask_rules(void *unused)
{
    for (unsigned i = 0; i < 20000; i++) {
        unsigned k = i % walk.count;
        struct ar_rule rule = ar_rules_for(walk.addresses[k], false);

        if (rule.kind != known[k].kind || rule.base != known[k].base || rule.cfa != known[k].cfa ||
            rule.ra != known[k].ra || rule.fp != known[k].fp)
            __atomic_fetch_add(&differing, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

static void test_rules_on_threads(void **state)
{
    pthread_t threads[ASKERS];

    (void)state;
    through_room(40, 6);
    for (unsigned i = 0; i < walk.count; i++)
        known[i] = ar_unwind_rule(walk.addresses[i], false);
    ar_modules_unloaded(); /* the answers so far are void */
    for (unsigned i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_rules, NULL), 0);
    for (unsigned i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(differing, 0);
}

/* More addresses than the table has room for: whatever comes, the rule is the right one. */
static void test_many_rules(void **state)
{
    uintptr_t code = (uintptr_t)qsort;

    (void)state;
    for (uintptr_t i = 0; i < 60000; i += 3) {
        struct ar_rule rule = ar_rules_for(code + i, false);
        struct ar_rule again = ar_rules_for(code + i, false);

        assert_int_equal(rule.kind, again.kind);
        assert_int_equal(rule.cfa, again.cfa);
        assert_int_equal(rule.fp, again.fp);
    }
    through_plain(3);
    same_stacks();
}

static void test_nowhere(void **state)
{
    (void)state;
    assert_int_equal(ar_rules_for(4096, false).kind, AR_RULE_GUESS);
    assert_int_equal(ar_rules_for((uintptr_t)&memo, false).kind, AR_RULE_GUESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memo),
        cmocka_unit_test(test_memo_after_modules_changed),
        cmocka_unit_test(test_memo_on_another_thread),
        cmocka_unit_test(test_rules_on_threads),
        cmocka_unit_test(test_many_rules),
        cmocka_unit_test(test_nowhere),
    };

    return cmocka_run_group_tests(tests, start_walking, NULL);
}
