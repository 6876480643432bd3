/* SPDX-License-Identifier: MIT */
#include "tests/unit/model_helper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Fails unless the filter lets through exactly these sites, in this order; ends with 0. */
static void expect(struct model *model, const struct model_filter *filter, enum model_order order,
                   const uint32_t *ids)
{
    struct model_amount sum;
    struct model_amount want = {0};
    size_t count;
    struct model_row *rows = model_select(model, filter, order, &count, &sum);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].site->id != ids[i])
            fail_msg("place %zu: site %u, expected %u", i, rows[i].site->id, ids[i]);
        model_amount_add(&want, &rows[i].amount);
    }
    assert_int_equal(ids[count], 0);
    assert_true((rows == NULL) == (count == 0));
    helper_amount(&sum, &want, "sum");
    free(rows);
}

#define IDS(...) ((const uint32_t[]){__VA_ARGS__ __VA_OPT__(, ) 0})

/* Site 1 in poll, site 2 outside on two threads, site 4 outside in another module. */
struct run {
    struct helper_game game;
    uint32_t other;
    struct model *model;
};

static int start_run(void **state)
{
    static struct run run;
    struct builder *builder = &run.game.builder;
    helper_game(&run.game);
    uint32_t library = builder_module(builder, "/usr/lib/libother.so.1", NULL, 0, 0);
    run.other = builder_site(builder, library, 0x4444, 0);
    unsigned audio = builder_thread(builder, "audio", 0);
    builder->warming = true;
    builder_alloc(builder, audio, run.game.outside, 5);
    builder_alloc(builder, run.game.main, run.other, 100000);
    for (unsigned i = 0; i < 64; i++) {
        builder_poll_begin(builder, run.game.loop);
        builder_alloc(builder, run.game.main, run.game.inside, 30);
        builder_free(builder, run.game.main, run.game.inside, 30, true);
        builder_poll_end(builder, run.game.loop, DUMP_POLL_EVENT, false, false);
        builder_alloc(builder, audio, run.game.outside, 7);
        if (i < 2)
            builder_alloc(builder, run.game.main, run.game.outside, 2000);
        if (i == 63)
            builder_alloc(builder, run.game.main, run.other, 11);
    }
    run.model = helper_checked(builder);
    *state = &run;
    return 0;
}

static int end_run(void **state)
{
    struct run *run = *state;
    model_close(run->model);
    builder_end(&run->game.builder);
    return 0;
}

static void test_orders(void **state)
{
    struct run *run = *state;
    struct model_filter all = MODEL_FILTER_ALL;
    expect(run->model, &all, MODEL_BY_BYTES, IDS(4, 2, 1));
    expect(run->model, &all, MODEL_BY_ALLOCATIONS, IDS(2, 1, 4));
    expect(run->model, &all, MODEL_BY_LIVE, IDS(4, 2, 1));
    expect(run->model, &all, MODEL_BY_TEMPORARY, IDS(1, 4, 2));
    expect(run->model, &all, MODEL_BY_POLLS, IDS(2, 1, 4));
    expect(run->model, &all, MODEL_BY_GROWTH, IDS(2, 4, 1));
    expect(run->model, &all, MODEL_BY_FREES, IDS(1, 4, 2));
    expect(run->model, &all, MODEL_BY_MOST, IDS(2, 1, 4));
}

static void test_phase(void **state)
{
    struct run *run = *state;
    struct model_filter filter = MODEL_FILTER_ALL;
    filter.phase = MODEL_STARTUP;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4, 2));
    filter.phase = MODEL_WARMUP;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2, 1));
    filter.phase = MODEL_STEADY;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(1, 2));
    filter.phase = MODEL_SHUTDOWN;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4, 2));
}

static void test_place(void **state)
{
    struct run *run = *state;
    struct model_filter filter = MODEL_FILTER_ALL;
    filter.in_poll = 1;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(1));
    filter.in_poll = 0;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4, 2));
}

static void test_thread(void **state)
{
    struct run *run = *state;
    struct model_filter filter = MODEL_FILTER_ALL;
    size_t count;
    filter.thread = "audio";
    struct model_row *rows = model_select(run->model, &filter, MODEL_BY_BYTES, &count, NULL);
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].amount.bytes, 5 + 64 * 7);
    assert_int_equal(rows[0].live_bytes, 5 + 64 * 7);
    free(rows);
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2));
    filter.thread = "aud*";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2));
    filter.thread = "2";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2));
    filter.thread = "1234"; /* the main thread's tid */
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4, 2, 1));
    filter.thread = "nobody";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS());
    assert_true(model_has_thread(run->model, "audio"));
    assert_false(model_has_thread(run->model, "nobody"));
}

/* No file is at these modules' paths, so that functions are module+0xoffset. */
static void test_glob(void **state)
{
    struct run *run = *state;
    struct model_filter filter = MODEL_FILTER_ALL;
    filter.glob = "libother*!*";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4));
    filter.glob = "/usr/lib/*!*";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(4));
    filter.glob = "*+0x2000";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2));
    filter.innermost = true;
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(2));
    filter.glob = "example!*+0x1000";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS(1));
    filter.glob = "nothing";
    expect(run->model, &filter, MODEL_BY_BYTES, IDS());
}

/* Any frame of the stack against the one that names it. */
static void test_glob_any_frame(void **state)
{
    struct builder builder;
    struct model_filter filter = MODEL_FILTER_ALL;
    (void)state;
    builder_example(&builder);
    struct model *model = helper_checked(&builder);
    filter.glob = "*+0x1234";
    expect(model, &filter, MODEL_BY_BYTES, IDS(1));
    filter.innermost = true;
    expect(model, &filter, MODEL_BY_BYTES, IDS());
    filter.glob = "libSDL2*!*+0x2345";
    expect(model, &filter, MODEL_BY_BYTES, IDS(1));
    model_close(model);
    builder_end(&builder);
}

/* Two loops called from one function: each has its own sites; what stands above both has two. */
static void test_loops(void **state)
{
    struct builder builder;
    (void)state;
    builder_start(&builder);
    uint32_t module = builder_module(&builder, "/usr/games/example", NULL, 0, 1);
    uint32_t start = builder_frame(&builder, module, 0x10, 0);
    uint32_t menu = builder_frame(&builder, module, 0x20, 0);
    uint32_t play = builder_frame(&builder, module, 0x30, 0);
    uint32_t in_menu = builder_frame(&builder, module, 0x40, 0);
    uint32_t in_play = builder_frame(&builder, module, 0x50, 0);
    uint32_t sdl = builder_frame(&builder, module, 0x60, 0);
    uint32_t make = builder_frame(&builder, module, 0x70, 0);
#define STACK(flags, ...)                                                                          \
    builder_stack(&builder, flags, (const uint32_t[]){__VA_ARGS__},                                \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
    uint32_t menu_polls = STACK(DUMP_STACK_POLL, in_menu, menu, start);
    uint32_t play_polls = STACK(DUMP_STACK_POLL, in_play, play, start);
    uint32_t menu_event = STACK(DUMP_STACK_IN_POLL, sdl, in_menu, menu, start);
    uint32_t play_event = STACK(DUMP_STACK_IN_POLL, sdl, in_play, play, start);
    uint32_t menu_text = STACK(0, make, menu, start);
    uint32_t play_text = STACK(0, make, play, start);
    uint32_t both = STACK(0, make, start);
    uint32_t deep = STACK(DUMP_STACK_DEEPER, make, in_play);
    uint32_t before = STACK(0, make, play, start, start);
#undef STACK
    unsigned thread = builder_thread(&builder, "main", DUMP_THREAD_MAIN);
    unsigned other = builder_thread(&builder, "other", 0);
    unsigned loops[] = {builder_loop(&builder, thread, menu_polls),
                        builder_loop(&builder, thread, play_polls)};
    builder_alloc(&builder, thread, before, 1);
    for (unsigned i = 0; i < 12; i++) {
        bool playing = i % 4 == 3;
        builder_poll_begin(&builder, loops[playing]);
        builder_alloc(&builder, thread, playing ? play_event : menu_event, 1000);
        builder_poll_end(&builder, loops[playing], DUMP_POLL_EVENT, false, false);
        builder_alloc(&builder, thread, playing ? play_text : menu_text, 100);
        builder_alloc(&builder, thread, both, 10);
        builder_alloc(&builder, other, both, 100000); /* not in any loop */
        builder_alloc(&builder, thread, deep, 1);
    }
    struct model *model = helper_checked(&builder);
    assert_int_equal(model->loops[0].id, 1);
    assert_int_equal(model->loops[0].polls, 9);
    struct model_filter filter = MODEL_FILTER_ALL;
    filter.loop = 1;
    expect(model, &filter, MODEL_BY_BYTES, IDS(menu_event, menu_text, both));
    filter.loop = 2;
    expect(model, &filter, MODEL_BY_BYTES, IDS(play_event, play_text, both, deep));
    filter.loop = 3;
    expect(model, &filter, MODEL_BY_BYTES, IDS());
    assert_null(model_find_loop(model, 3));
    assert_int_equal(model_find_loop(model, 2)->polls, 3);
    model_close(model);
    builder_end(&builder);
}

/* Each sum that is wrong is found. */
static void test_check_finds(void **state)
{
    (void)state;
    for (unsigned what = 0; what < 11; what++) {
        struct helper_game game;
        struct builder *builder = &game.builder;
        helper_game(&game);
        for (unsigned i = 0; i < 10; i++) {
            builder_alloc(builder, game.main, game.outside, 10);
            builder_poll_begin(builder, game.loop);
            builder_alloc(builder, game.main, game.inside, 20);
            builder_poll_end(builder, game.loop, DUMP_POLL_EVENT, false, i % 2);
        }
        struct dump_thread *thread = &builder->threads[0].record;
        struct dump_amount *sums[] = {&thread->in_poll.now, &thread->outside.now,
                                      &builder->counters[0].tally.now, &builder->loops[0].in_poll,
                                      &builder->loops[0].between};
        if (what < 5)
            sums[what]->bytes += 1;
        switch (what) {
        case 5:
            builder->loops[0].polls[0]++;
            break;
        case 6:
            builder->loops[0].empty_polls++;
            break;
        case 7:
            builder->loops[0].allocating_windows--;
            break;
        case 8:
            builder->polls[3].in_poll.bytes++; /* histograms and time line */
            break;
        case 9:
            thread->outside.now.frees++;
            break;
        case 10:
            builder->loops[0].poll_ns++;
            break;
        default:
            break;
        }
        struct model *model = helper_model(builder);
        char **lines;
        size_t count = model_check(model, &lines);
        if (count == 0)
            fail_msg("case %u was not found", what);
        for (size_t i = 0; i < count; i++)
            assert_non_null(strstr(lines[i], "expected"));
        assert_int_equal(model_check(model, NULL), count);
        model_check_free(lines, count);
        model_close(model);
        builder_end(builder);
    }
}

/* Losses that are counted explain a difference; others do not. */
static void test_check_knows_losses(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    builder.counter_count--; /* the event's: two allocations without a site */
    struct model *model = helper_model(&builder);
    assert_true(model_check(model, NULL) > 0);
    model_close(model);
    builder.header.loss[DUMP_LOSS_COUNTERS] = 2;
    model = helper_model(&builder);
    assert_int_equal(model_check(model, NULL), 0);
    model_close(model);
    builder.header.loss[DUMP_LOSS_COUNTERS] = 1;
    model = helper_model(&builder);
    assert_int_equal(model_check(model, NULL), 1);
    model_close(model);
    builder_end(&builder);
}

/* Ids that are not there, that come twice, that go round in circles. */
static void test_hostile_ids(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    builder.counters[0].site = UINT32_MAX;
    builder.counters[1].thread = 0;
    builder.loops[0].thread = 77;
    builder.loops[0].stack = 0;
    builder.header.primary_thread = UINT64_MAX;
    uint32_t lost[] = {0, 1000000};
    builder_stack(&builder, 0, lost, 2);
    builder.stacks.data[4] = 2; /* the first stack's id is the second one's too */
    struct model *model = helper_model(&builder);
    struct model_filter all = MODEL_FILTER_ALL;
    size_t count;
    free(model_select(model, &all, MODEL_BY_BYTES, &count, NULL));
    assert_int_equal(model->primary, MODEL_NONE);
    all.loop = 1;
    free(model_select(model, &all, MODEL_BY_BYTES, &count, NULL));
    assert_int_equal(count, 0);
    assert_int_equal(model->stacks[model->stack_count - 1].count, 1);
    assert_true(model_check(model, NULL) > 0);
    model_close(model);
    builder_end(&builder);
}

/* Numbers at their limits: sums stay at the limit instead of wrapping. */
static void test_hostile_amounts(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    memset(&builder.counters[0].tally, 0xff, sizeof builder.counters[0].tally);
    memset(&builder.counters[1].tally.now, 0xff, sizeof builder.counters[1].tally.now);
    memset(&builder.threads[0].record.in_poll, 0xff, sizeof builder.threads[0].record.in_poll);
    memset(&builder.threads[0].record.outside, 0xff, sizeof builder.threads[0].record.outside);
    memset(&builder.loops[0].polls, 0xff, sizeof builder.loops[0].polls);
    struct model *model = helper_model(&builder);
    assert_int_equal(model->totals.all.bytes, UINT64_MAX);
    assert_int_equal(model->loops[0].polls, UINT64_MAX);
    assert_true(model_check(model, NULL) > 0);
    model_close(model);
    builder_end(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_orders, start_run, end_run),
        cmocka_unit_test_setup_teardown(test_phase, start_run, end_run),
        cmocka_unit_test_setup_teardown(test_place, start_run, end_run),
        cmocka_unit_test_setup_teardown(test_thread, start_run, end_run),
        cmocka_unit_test_setup_teardown(test_glob, start_run, end_run),
        cmocka_unit_test(test_glob_any_frame),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_check_finds),
        cmocka_unit_test(test_check_knows_losses),
        cmocka_unit_test(test_hostile_ids),
        cmocka_unit_test(test_hostile_amounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
