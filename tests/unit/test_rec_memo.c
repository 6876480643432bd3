/* SPDX-License-Identifier: MIT */
#include "preload/memo.h"

#include "tests/unit/rec_helper.h"

#include <string.h>
#include <sys/mman.h>

/* Made-up stacks: words in memory of the test's own, at places that have the same offset in their
 * page as stacks of different threads have. */
#define PAGE    ((uintptr_t)4096)
#define STACKS  4u
#define IN_PAGE 1024u

static char *places; /* STACKS * 2 pages; a stack begins IN_PAGE bytes behind each second page */
static struct ar_memo *memo;

static int make(void **state)
{
    (void)state;
    places =
        mmap(NULL, 2 * STACKS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memo = ar_memo_new();
    return places != MAP_FAILED && memo != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    munmap(places, 2 * STACKS * PAGE);
    return 0;
}

static uintptr_t stack_at(unsigned which)
{
    return (uintptr_t)places + which * 2 * PAGE + IN_PAGE;
}

static uintptr_t *word_at(unsigned which, int32_t offset)
{
    return (uintptr_t *)(stack_at(which) + (uintptr_t)(intptr_t)offset);
}

static struct ar_span span_of(unsigned which)
{
    struct ar_span span = {stack_at(which) & ~(PAGE - 1), 0};

    span.high = span.low + 2 * PAGE;
    return span;
}

/* The frame pointers that were saved in a stack are below it too: in the hook's own frame. */
static int32_t relative_offset(unsigned i)
{
    return (int32_t)i * 48 - 16;
}

static int32_t plain_offset(unsigned i)
{
    return (int32_t)i * 64 + 8;
}

/* A walk of `count` frames whose return addresses begin with `first`, of which the outer half
 * keep frame pointers; and the words of it in stack `which`. */
static struct ar_walk walk_of(unsigned count, uintptr_t first)
{
    struct ar_walk walk = {.memorable = true, .plain_count = count, .relative_count = count / 2};

    for (unsigned i = 0; i < count; i++) {
        walk.plain[i].offset = plain_offset(i);
        walk.plain[i].value = first + i;
    }
    for (unsigned i = 0; i < count / 2; i++) {
        walk.relative[i].offset = relative_offset(i);
        walk.relative[i].value = 500 + 32 * i;
    }
    return walk;
}

static void write_stack(unsigned which, const struct ar_walk *walk)
{
    for (unsigned i = 0; i < walk->plain_count; i++)
        *word_at(which, walk->plain[i].offset) = walk->plain[i].value;
    for (unsigned i = 0; i < walk->relative_count; i++)
        *word_at(which, walk->relative[i].offset) = stack_at(which) + walk->relative[i].value;
}

static struct ar_memo_key key_of(unsigned which, uintptr_t caller)
{
    return (struct ar_memo_key){
        .caller = caller, .sp = stack_at(which), .kind = ar_memo_kind(1, 9)};
}

/* The number that is found for stack `which` and that caller, 0: none. */
static uint32_t find(unsigned which, uintptr_t caller)
{
    struct ar_memo_key key = key_of(which, caller);
    struct ar_span span = span_of(which);
    struct ar_memo_value *value = ar_memo_find(memo, &key, &span);

    return value != NULL ? value->number : 0;
}

static void add(unsigned which, uintptr_t caller, const struct ar_walk *walk, uint32_t number)
{
    struct ar_memo_key key = key_of(which, caller);

    ar_memo_add(memo, &key, walk, number);
}

static void test_hit(void **state)
{
    struct ar_walk walk = walk_of(12, 7000);

    (void)state;
    write_stack(0, &walk);
    assert_int_equal(find(0, 55), 0);
    add(0, 55, &walk, 31);
    assert_int_equal(find(0, 55), 31);
    assert_int_equal(find(0, 55), 31);
    assert_int_equal(find(0, 56), 0);
}

/* Each word counts. */
static void test_changed_word(void **state)
{
    struct ar_walk walk = walk_of(12, 7000);

    (void)state;
    write_stack(0, &walk);
    add(0, 55, &walk, 31);
    for (unsigned i = 0; i < walk.plain_count; i++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            *word_at(0, walk.plain[i].offset) ^= (uintptr_t)1 << bit;
            assert_int_equal(find(0, 55), 0);
            *word_at(0, walk.plain[i].offset) ^= (uintptr_t)1 << bit;
        }
        assert_int_equal(find(0, 55), 31);
    }
    for (unsigned i = 0; i < walk.relative_count; i++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            *word_at(0, walk.relative[i].offset) ^= (uintptr_t)1 << bit;
            assert_int_equal(find(0, 55), 0);
            *word_at(0, walk.relative[i].offset) ^= (uintptr_t)1 << bit;
        }
        assert_int_equal(find(0, 55), 31);
    }
}

/* The same path at another height or on another thread: saved frame pointers are others. */
static void test_another_place(void **state)
{
    struct ar_walk walk = walk_of(12, 7000);

    (void)state;
    write_stack(0, &walk);
    add(0, 55, &walk, 31);
    for (unsigned which = 1; which < STACKS; which++) {
        assert_int_equal(find(which, 55), 0);
        write_stack(which, &walk);
        assert_int_equal(find(which, 55), 31);
        /* The other stack's frame pointer is not this one's. */
        *word_at(which, walk.relative[3].offset) = stack_at(0) + walk.relative[3].value;
        assert_int_equal(find(which, 55), 0);
    }
}

static void test_key(void **state)
{
    struct ar_walk walk = walk_of(3, 7000);
    struct ar_memo_key key = key_of(0, 55);
    struct ar_span span = span_of(0);

    (void)state;
    write_stack(0, &walk);
    add(0, 55, &walk, 31);
    assert_non_null(ar_memo_find(memo, &key, &span));
    key.kind = ar_memo_kind(0, 9);
    assert_null(ar_memo_find(memo, &key, &span));
    key.kind = ar_memo_kind(1, 10);
    assert_null(ar_memo_find(memo, &key, &span));
}

/* Nothing behind the end of what can be read is compared. */
static void test_end_of_stack(void **state)
{
    struct ar_walk walk = walk_of(10, 7000);
    struct ar_memo_key key = key_of(0, 55);
    struct ar_span span = span_of(0);

    (void)state;
    write_stack(0, &walk);
    add(0, 55, &walk, 31);
    span.high = stack_at(0) + (uintptr_t)plain_offset(9) + 8;
    assert_non_null(ar_memo_find(memo, &key, &span));
    span.high = stack_at(0) + (uintptr_t)plain_offset(9);
    assert_null(ar_memo_find(memo, &key, &span));
    span.high = stack_at(0) + 8;
    assert_null(ar_memo_find(memo, &key, &span));
}

/* Several stacks of one caller and stack pointer: each is found, the four last ones. */
static void test_ways(void **state)
{
    struct ar_walk walks[6];

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        walks[i] = walk_of(8, 1000 * (i + 1));
        write_stack(0, &walks[i]);
        add(0, 55, &walks[i], 100 + i);
    }
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < 6; i++) {
            write_stack(0, &walks[i]);
            assert_int_equal(find(0, 55), i < 2 ? 0 : 100 + i);
        }
    /* The one that was found last is the last to go. */
    write_stack(0, &walks[2]);
    assert_int_equal(find(0, 55), 102);
    for (unsigned i = 0; i < 3; i++) {
        struct ar_walk more = walk_of(8, 50000 + 1000 * i);

        add(0, 55, &more, 200 + i);
    }
    assert_int_equal(find(0, 55), 102);
}

static void test_value_stays(void **state)
{
    struct ar_walk walk = walk_of(5, 7000);
    struct ar_memo_key key = key_of(0, 55);
    struct ar_span span = span_of(0);
    struct dump_counter counter;
    struct ar_memo_value *value;

    (void)state;
    write_stack(0, &walk);
    add(0, 55, &walk, 31);
    value = ar_memo_find(memo, &key, &span);
    assert_non_null(value);
    assert_null(value->counter);
    value->counter = &counter;
    for (unsigned i = 0; i < 3; i++) {
        struct ar_walk other = walk_of(5, 100 * i);

        write_stack(1, &other);
        assert_int_equal(find(1, 55), 0);
    }
    value = ar_memo_find(memo, &key, &span);
    assert_ptr_equal(value->counter, &counter);
}

static void test_forget(void **state)
{
    struct ar_walk walk = walk_of(5, 7000);

    (void)state;
    write_stack(0, &walk);
    for (uintptr_t caller = 1; caller < 300; caller++)
        add(0, caller, &walk, (uint32_t)caller);
    assert_int_equal(find(0, 299), 299);
    ar_memo_forget(memo);
    for (uintptr_t caller = 1; caller < 300; caller++)
        assert_int_equal(find(0, caller), 0);
    add(0, 4, &walk, 8);
    assert_int_equal(find(0, 4), 8);
}

/* More than there is room for: what is found is always right, and what was added last is found. */
static void test_full(void **state)
{
    static unsigned char lengths[20000];
    unsigned found = 0;

    (void)state;
    for (uintptr_t caller = 1; caller < 20000; caller++) {
        struct ar_walk walk = walk_of(1 + caller * 7 % 20, caller * 64);

        lengths[caller] = (unsigned char)walk.plain_count;
        write_stack(0, &walk);
        add(0, caller, &walk, (uint32_t)caller);
        assert_int_equal(find(0, caller), caller);
    }
    for (uintptr_t caller = 1; caller < 20000; caller++) {
        struct ar_walk walk = walk_of(lengths[caller], caller * 64);
        uint32_t number;

        write_stack(0, &walk);
        number = find(0, caller);
        assert_true(number == 0 || number == caller);
        found += number != 0;
    }
    assert_true(found > 500);
}

/* The longest walk there is, and one without words. */
static void test_longest(void **state)
{
    struct ar_walk walk = {.memorable = true};

    (void)state;
    add(0, 55, &walk, 1);
    assert_int_equal(find(0, 55), 1);
    walk.plain_count = AR_FRAMES_MOST;
    walk.relative_count = AR_FRAMES_MOST + 2;
    for (unsigned i = 0; i < walk.relative_count; i++) {
        walk.relative[i].offset = (int32_t)i * 16 - 16;
        walk.relative[i].value = i * 16;
    }
    for (unsigned i = 0; i < walk.plain_count; i++) {
        walk.plain[i].offset = (int32_t)i * 16 - 8;
        walk.plain[i].value = i;
    }
    write_stack(1, &walk);
    add(1, 77, &walk, 2);
    assert_int_equal(find(1, 77), 2);
    *word_at(1, walk.relative[AR_FRAMES_MOST + 1].offset) += 1;
    assert_int_equal(find(1, 77), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hit, make, leave),
        cmocka_unit_test_setup_teardown(test_changed_word, make, leave),
        cmocka_unit_test_setup_teardown(test_another_place, make, leave),
        cmocka_unit_test_setup_teardown(test_key, make, leave),
        cmocka_unit_test_setup_teardown(test_end_of_stack, make, leave),
        cmocka_unit_test_setup_teardown(test_ways, make, leave),
        cmocka_unit_test_setup_teardown(test_value_stays, make, leave),
        cmocka_unit_test_setup_teardown(test_forget, make, leave),
        cmocka_unit_test_setup_teardown(test_full, make, leave),
        cmocka_unit_test_setup_teardown(test_longest, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
