/* SPDX-License-Identifier: MIT */
/*
 * Stacks to numbers, through the memo and without. The test's own frames are the recorder's own
 * here, and left out: what tells stacks apart is by which of libc's functions they came.
 */
#include "preload/sites.h"

#include "preload/config.h"
#include "preload/mapfile.h"
#include "preload/modules.h"
#include "preload/rules.h"
#include "preload/unwind.h"
#include "tests/unit/rec_helper.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

REC_HOOK_SECTION

#define OFTEN 500u /* a thread gets its memo after some 60 */

static struct ar_stack_state *stacks;
static uint32_t flags_now;
static uint32_t number_now;
static unsigned remembered;

static int start(void **state)
{
    (void)state;
    if (!ar_mapfile_start() || !ar_rules_start() || !ar_sites_start() || !ar_unwind_start())
        return -1;
    ar_modules_start();
    stacks = ar_sites_new_state();
    return stacks != NULL ? 0 : -1;
}

/* As record.c does it. */
static __attribute__((noinline)) void take_number(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    struct ar_site site = ar_sites_remembered(stacks, frame, caller, flags_now);

    if (site.number != 0)
        remembered++;
    else
        site = ar_sites_walked(stacks, frame, caller, flags_now);
    number_now = site.number;
}

static __attribute__((noinline)) int compare(const void *one, const void *other)
{
    take_number();
    return *(const int *)one - *(const int *)other;
}

static uint32_t by_qsort(void)
{
    int numbers[2] = {2, 1};

    qsort(numbers, 2, sizeof numbers[0], compare);
    return number_now;
}

/* As deep as lfind. */
static uint32_t by_tfind(void)
{
    static void *tree;
    static const int number = 1;

    if (tree == NULL)
        tsearch(&number, &tree, compare);
    tfind(&number, &tree, compare);
    return number_now;
}

static uint32_t by_lfind(void)
{
    int number = 1;
    size_t count = 1;

    lfind(&number, &number, &count, sizeof number, compare);
    return number_now;
}

static void test_numbers(void **state)
{
    uint32_t one = by_qsort();
    uint32_t two = by_tfind();
    uint32_t three = by_lfind();

    (void)state;
    assert_true(one != 0 && two != 0 && three != 0);
    assert_true(one != two && two != three && one != three);
    assert_int_equal(by_qsort(), one);
    assert_int_equal(by_tfind(), two);
    flags_now = DUMP_STACK_IN_POLL;
    assert_int_not_equal(by_qsort(), one);
    flags_now = 0;
    assert_int_equal(by_qsort(), one);
}

/* The memo finds them after a while, and finds the same. */
static void test_remembered(void **state)
{
    uint32_t numbers[3] = {by_qsort(), by_tfind(), by_lfind()};

    (void)state;
    for (unsigned i = 0; i < OFTEN; i++) {
        uint32_t number = i % 3 == 0 ? by_qsort() : i % 3 == 1 ? by_tfind() : by_lfind();

        if (i == OFTEN / 2)
            remembered = 0;
        assert_int_equal(number, numbers[i % 3]);
    }
    assert_true(remembered >= OFTEN / 2 - 1);
}

static void test_flags_are_told_apart(void **state)
{
    uint32_t outside = by_qsort();
    uint32_t inside;

    (void)state;
    flags_now = DUMP_STACK_IN_POLL;
    inside = by_qsort();
    for (unsigned i = 0; i < OFTEN; i++) {
        flags_now = i % 2 == 0 ? 0 : DUMP_STACK_IN_POLL;
        assert_int_equal(by_qsort(), i % 2 == 0 ? outside : inside);
    }
    flags_now = 0;
}

/* What was learnt before an object was unloaded is not used. */
static void test_generation(void **state)
{
    uint32_t number = 0;

    (void)state;
    for (unsigned i = 0; i < OFTEN; i++)
        number = by_qsort();
    ar_modules_unloaded();
    remembered = 0;
    /* Its number stays, since its frames are where they were. */
    assert_int_equal(by_qsort(), number);
    assert_int_equal(remembered, 0);
}

static void test_verify(void **state)
{
    (void)state;
    ar_config.verify = 1;
    remembered = 0;
    for (unsigned i = 0; i < OFTEN; i++) {
        by_qsort();
        by_lfind();
    }
    ar_config.verify = 0;
    assert_int_equal(remembered, 0);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_VERIFY], 0);
}

static void test_unsampled(void **state)
{
    uint32_t outside = ar_sites_unsampled(0).number;
    uint32_t inside = ar_sites_unsampled(DUMP_STACK_IN_POLL).number;

    (void)state;
    assert_true(outside != 0 && inside != 0 && outside != inside);
    assert_int_equal(ar_sites_unsampled(0).number, outside);
    assert_int_equal(ar_sites_unsampled(DUMP_STACK_IN_POLL).number, inside);
    assert_int_not_equal(by_qsort(), outside);
}

/* Without memory for its state, a thread's stacks are call sites. */
static void test_no_state(void **state)
{
    struct ar_stack_state *kept = stacks;
    uint32_t one;

    (void)state;
    stacks = NULL;
    one = by_qsort();
    assert_int_equal(by_tfind(), one); /* both came by compare */
    stacks = kept;
    assert_int_not_equal(by_qsort(), one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_remembered),
        cmocka_unit_test(test_flags_are_told_apart),
        cmocka_unit_test(test_generation),
        cmocka_unit_test(test_verify),
        cmocka_unit_test(test_unsampled),
        cmocka_unit_test(test_no_state),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
