/* SPDX-License-Identifier: MIT */
#include "preload/stacks.h"

#include "preload/config.h"
#include "preload/live.h"
#include "preload/mapfile.h"
#include "tests/unit/rec_helper.h"

#include <pthread.h>
#include <string.h>

static int make(void **state)
{
    (void)state;
    return ar_mapfile_start() && ar_stacks_start() ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    ar_mapfile_abandon();
    ar_config.max_size = 64;
    return 0;
}

/* Frames of module 1: where they are is all that tells them apart. */
static uint32_t number_of(const uint64_t *offsets, unsigned count, uint32_t flags)
{
    struct ar_place places[AR_DEPTH_MOST];

    for (unsigned i = 0; i < count; i++)
        places[i] = (struct ar_place){.module = 1, .offset = offsets[i]};
    return ar_stacks_number(places, count, flags);
}

/* The records of one type, one behind the other over all its chunks. */
static const void *record_at(enum dump_chunk_type type, uint32_t number)
{
    const struct dump_header *header = ar_header();
    uint64_t seen = 0;

    for (uint64_t at = DUMP_HEADER_SIZE; at < header->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);
        const char *record = (const char *)(chunk + 1);

        at += chunk->size;
        if (chunk->type != (uint32_t)type)
            continue;
        for (uint64_t i = 0; i < chunk->count; i++) {
            if (seen++ == number)
                return record;
            record += chunk->record_size != 0 ? chunk->record_size : *(const uint32_t *)record;
        }
    }
    return NULL;
}

static const struct dump_stack *stack_record(uint32_t id)
{
    const struct dump_stack *stack = record_at(DUMP_STACK, id - 1);

    assert_non_null(stack);
    assert_int_equal(stack->id, id);
    return stack;
}

static uint32_t frame_of(const struct dump_stack *stack, unsigned i)
{
    const uint32_t *frames = stack->frame;

    assert_true(i < stack->frames);
    __asm__("" : "+r"(frames)); /* the record is longer than its type says */
    return frames[i];
}

static void test_same_and_different(void **state)
{
    static const uint64_t one[] = {10, 20, 30};
    static const uint64_t other[] = {10, 20, 31};
    static const uint64_t turned[] = {30, 20, 10};

    (void)state;
    assert_int_equal(number_of(one, 3, 0), 1);
    assert_int_equal(number_of(other, 3, 0), 2);
    assert_int_equal(number_of(turned, 3, 0), 3);
    assert_int_equal(number_of(one, 2, 0), 4);
    assert_int_equal(number_of(one, 3, DUMP_STACK_IN_POLL), 5);
    assert_int_equal(number_of(one, 3, DUMP_STACK_POLL), 6);
    assert_int_equal(number_of(one, 0, 0), 7);
    assert_int_equal(number_of(one, 3, 0), 1);
    assert_int_equal(number_of(other, 3, 0), 2);
    assert_int_equal(number_of(turned, 3, 0), 3);
    assert_int_equal(number_of(one, 2, 0), 4);
    assert_int_equal(number_of(one, 3, DUMP_STACK_IN_POLL), 5);
    assert_int_equal(number_of(one, 0, 0), 7);
}

static void test_records(void **state)
{
    static const uint64_t offsets[] = {10, 20, 10};
    const struct dump_stack *stack;
    const struct dump_frame *frame;

    (void)state;
    stack = stack_record(number_of(offsets, 3, DUMP_STACK_DEEPER));
    assert_int_equal(stack->flags, DUMP_STACK_DEEPER);
    assert_int_equal(stack->frames, 3);
    assert_int_equal(stack->size % 8, 0);
    assert_true(stack->size >= offsetof(struct dump_stack, frame) + 3 * 4);
    assert_int_equal(frame_of(stack, 0), frame_of(stack, 2));
    frame = record_at(DUMP_FRAME, frame_of(stack, 0));
    assert_int_equal(frame->offset, 10);
    assert_int_equal(frame->module, 1);
    assert_int_equal(frame->flags, 0);
    frame = record_at(DUMP_FRAME, frame_of(stack, 1));
    assert_int_equal(frame->offset, 20);
    assert_null(record_at(DUMP_FRAME, 2));
}

/* A frame is told by its module, its offset and whether it was interrupted there. */
static void test_frames(void **state)
{
    struct ar_place places[3] = {{1, 10, false}, {2, 10, false}, {1, 10, true}};
    const struct dump_stack *stack;
    const struct dump_frame *frame;

    (void)state;
    stack = stack_record(ar_stacks_number(places, 3, 0));
    for (unsigned i = 0; i < 3; i++) {
        frame = record_at(DUMP_FRAME, frame_of(stack, i));
        assert_int_equal(frame->offset, 10);
        assert_int_equal(frame->module, places[i].module);
        assert_int_equal(frame->flags, places[i].exact ? DUMP_FRAME_EXACT : 0);
    }
    assert_int_not_equal(frame_of(stack, 0), frame_of(stack, 1));
    assert_int_not_equal(frame_of(stack, 0), frame_of(stack, 2));
}

/* Many, through several growths of the tables: numbers count up, and stay what they were. */
static void test_many(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 20000; i++) {
            uint64_t offsets[5] = {i % 7, i, i / 3, 5, i % 1000};

            assert_int_equal(number_of(offsets, 5, 0), i + 1);
        }
    assert_int_equal(stack_record(20000)->frames, 5);
}

static void test_deepest(void **state)
{
    uint64_t offsets[AR_DEPTH_MOST];

    (void)state;
    for (unsigned i = 0; i < AR_DEPTH_MOST; i++)
        offsets[i] = 1000 - i;
    assert_int_equal(number_of(offsets, AR_DEPTH_MOST, 0), 1);
    offsets[AR_DEPTH_MOST - 1]++;
    assert_int_equal(number_of(offsets, AR_DEPTH_MOST, 0), 2);
    assert_int_equal(stack_record(1)->frames, AR_DEPTH_MOST);
}

/* Full: known stacks are still known, call sites still find room, and then those do not. */
static void test_full(void **state)
{
    uint32_t stacks = 0;
    uint32_t call_sites = 0;
    uint32_t number;

    (void)state;
    ar_mapfile_abandon();
    ar_config.max_size = 2;
    assert_true(ar_mapfile_start() && ar_stacks_start());
    for (;; stacks++) {
        uint64_t offsets[20];

        for (unsigned i = 0; i < 20; i++)
            offsets[i] = stacks * 3 + i;
        number = number_of(offsets, 20, 0);
        if (number == 0)
            break;
        assert_int_equal(number, stacks + 1);
        assert_true(stacks < 100000);
    }
    assert_true(stacks > 1000);
    for (;; call_sites++) {
        uint64_t offsets[2] = {1000000 + call_sites, 5};

        number = number_of(offsets, 2, DUMP_STACK_CALL_SITE);
        if (number == 0)
            break;
        assert_int_equal(number, stacks + call_sites + 1);
        assert_true(call_sites < 100000);
    }
    assert_true(call_sites > 1000);
    for (uint32_t i = 0; i < stacks; i++) {
        uint64_t offsets[20];

        for (unsigned k = 0; k < 20; k++)
            offsets[k] = i * 3 + k;
        assert_int_equal(number_of(offsets, 20, 0), i + 1);
    }
}

/* The region becomes a file's: what was interned before is found there. */
static void test_file(void **state)
{
    static const uint64_t one[] = {1, 2};
    static const uint64_t other[] = {3, 4};
    char path[] = "/tmp/test_rec_stacks.XXXXXX";
    char file[64];

    (void)state;
    assert_non_null(mkdtemp(path));
    assert_int_equal(number_of(one, 2, 0), 1);
    strcat(strcpy(file, path), "/dump");
    ar_config.direct = 1;
    assert_true(make_and_enter(file, "program"));
    assert_int_equal(number_of(one, 2, 0), 1);
    assert_int_equal(number_of(other, 2, 0), 2);
    assert_int_equal(stack_record(1)->frames, 2);
    assert_int_equal(stack_record(2)->frames, 2);
    unlink(file);
    assert_int_equal(rmdir(path), 0);
}

#define THREADS 3u
#define STACKS  3000u
static uint32_t numbers[THREADS][STACKS];

static void *number_all(void *which)
{
    uint32_t *mine = numbers[(uintptr_t)which];

    for (uint32_t i = 0; i < STACKS; i++) {
        static const uint32_t strides[THREADS] = {7, 11, 13};
        uint32_t k = i * strides[(uintptr_t)which] % STACKS;
        uint64_t offsets[3] = {k, k % 50, k / 50};

        mine[k] = number_of(offsets, 3, 0);
    }
    return NULL;
}

static void test_threads(void **state)
{
    static bool used[STACKS + 1];
    pthread_t threads[THREADS];

    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, number_all, (void *)i), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (uint32_t k = 0; k < STACKS; k++) {
        uint32_t number = numbers[0][k];

        assert_true(number >= 1 && number <= STACKS && !used[number]);
        used[number] = true;
        for (unsigned i = 1; i < THREADS; i++)
            assert_int_equal(numbers[i][k], number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_and_different, make, leave),
        cmocka_unit_test_setup_teardown(test_records, make, leave),
        cmocka_unit_test_setup_teardown(test_frames, make, leave),
        cmocka_unit_test_setup_teardown(test_many, make, leave),
        cmocka_unit_test_setup_teardown(test_deepest, make, leave),
        cmocka_unit_test_setup_teardown(test_full, make, leave),
        cmocka_unit_test_setup_teardown(test_file, make, leave),
        cmocka_unit_test_setup_teardown(test_threads, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
