/* SPDX-License-Identifier: MIT */
#include "tests/unit/rec_core_helper.h"

REC_HOOK_SECTION

static HOOK void begin_mark(void)
{
    ar_record_mark_begin(AR_HOOK());
}

static HOOK void end_mark(bool answer)
{
    ar_record_mark_end(AR_HOOK(), answer);
}

static HOOK void frame(void)
{
    ar_record_frame(AR_HOOK());
}

static HOOK bool begin_present(void)
{
    return ar_record_call_begin(AR_HOOK());
}

static HOOK void end_present(void)
{
    ar_record_present_end(AR_HOOK(), DUMP_PRESENT_RENDER);
}

static HOOK void end_inner(void)
{
    ar_record_inner_end();
}

/* The first record of that type. */
static const void *first(uint32_t type)
{
    for (uint64_t at = DUMP_HEADER_SIZE; at < ar_header()->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);

        if (chunk->type == type && chunk->count > 0)
            return chunk + 1;
        at += chunk->size;
    }
    fail();
    return NULL;
}

static const struct dump_loop *loop(void)
{
    return first(DUMP_LOOP);
}

static const struct dump_thread *thread(void)
{
    return first(DUMP_THREAD);
}

/* One operation between two marks is one poll, to the byte. */
static void test_operations(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 1000);
    for (unsigned i = 0; i < 50; i++) {
        begin_mark();
        alloc(0x20000, 24);
        alloc(0x30000, 8);
        release(0x20000);
        release(0x30000);
        end_mark(i % 2 == 0);
    }
    totals = add_up();
    check_amount(&totals.loops_in_poll, 100, 1600, 0, 100, 1600);
    check_amount(&totals.loops_between, 0, 0, 0, 0, 0);
    assert_int_equal(loop()->polls[DUMP_MARKED], 50);
    assert_int_equal(loop()->empty_polls, 25);
    assert_int_equal(loop()->event_polls, 25);
    assert_int_equal(loop()->allocating_polls, 50);
    assert_int_equal(thread()->drains, 50);
    no_losses();
}

/* Polls and marks inside a mark are none; an end without a begin is none. */
static HOOK void marked_inside(void)
{
    begin_mark();
    alloc(0x60000, 2);
    end_mark(true);
}

static void test_inside(void **state)
{
    (void)state;
    end_mark(true);
    begin_mark();
    assert_false(begin_poll());
    alloc(0x50000, 1);
    end_inner();
    marked_inside();
    alloc(0x70000, 4);
    end_mark(true);
    end_mark(true);
    assert_int_equal(loop()->polls[DUMP_MARKED], 1);
    assert_int_equal(loop()->polls[DUMP_POLL_EVENT], 0);
    assert_int_equal(loop()->in_poll.bytes, 7);
    assert_true(begin_poll());
    end_poll(true);
    assert_int_equal(add_up().polls, 1);
}

/* A watch of SDL's that marks: the poll around it counts. */
static HOOK void poll_that_marks(void)
{
    struct ar_poll_event event = {.kind = DUMP_POLL_EVENT};
    struct ar_hook hook = AR_HOOK();

    assert_true(ar_record_poll_begin(hook, &event));
    marked_inside();
    ar_record_poll_end(hook, &event);
}

static void test_inside_a_poll(void **state)
{
    (void)state;
    poll_that_marks();
    assert_int_equal(loop()->polls[DUMP_POLL_EVENT], 1);
    assert_int_equal(loop()->polls[DUMP_MARKED], 0);
    assert_int_equal(loop()->in_poll.bytes, 2);
}

/* A mark that was left by a jump is over, once the next begins. */
static void test_left(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        begin_mark();
    end_mark(true);
    assert_int_equal(loop()->polls[DUMP_MARKED], 1);
    assert_true(begin_poll());
    end_poll(true);
}

static void test_frames(void **state)
{
    (void)state;
    begin_mark();
    assert_true(begin_present());
    end_present();
    assert_true(begin_present());
    assert_false(begin_present());
    end_inner();
    end_present();
    end_mark(true);
    frame();
    assert_int_equal(thread()->frames, 3);
    assert_int_equal(thread()->presents[DUMP_PRESENT_RENDER], 2);
    assert_int_equal(thread()->presents[DUMP_PRESENT_MARKED], 1);
    assert_int_equal(loop()->polls[DUMP_MARKED], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_operations, renew),
        cmocka_unit_test_setup(test_inside, renew),
        cmocka_unit_test_setup(test_inside_a_poll, renew),
        cmocka_unit_test_setup(test_left, renew),
        cmocka_unit_test_setup(test_frames, renew),
    };

    return cmocka_run_group_tests(tests, start, end);
}
