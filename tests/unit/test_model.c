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

static const struct model_note *find_note(const struct model *model, const char *part)
{
    for (size_t i = 0; i < model->note_count; i++)
        if (strstr(model->notes[i].text, part))
            return &model->notes[i];
    return NULL;
}

static void test_head(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    builder_info(&builder, DUMP_INFO_SDL_VERSION, "2.26.4", 6);
    builder_info(&builder, DUMP_INFO_SDL_VERSION, "2.26.5", 6);
    builder_info(&builder, (enum dump_info_key)999, "?", 1);
    struct model *model = helper_checked(&builder);
    assert_string_equal(model->program_path, "/usr/games/example");
    assert_string_equal(model->program_name, "example");
    assert_int_equal(model->argument_count, 2);
    assert_string_equal(model->arguments[1], "--demo");
    assert_string_equal(model->sdl_version, "2.26.5");
    assert_string_equal(model->directory, "");
    assert_string_equal(model->recorder_version, "0.1.0");
    assert_int_equal(model->pid, 1234);
    assert_string_equal(model_state_name(model), "ended");
    assert_int_equal(model->module_count, 2);
    assert_string_equal(model->modules[0].name, "example");
    assert_string_equal(model->modules[0].build_id, "deadbeef");
    assert_true(model->modules[0].executable);
    model_close(model);
    builder_end(&builder);
}

/* The example's numbers, worked out by hand. */
static void test_example(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    struct model *model = helper_checked(&builder);
    const struct model_totals *totals = &model->totals;
    helper_amount(&totals->all, &(struct model_amount){3, 4208, 0, 2, 112}, "all");
    helper_amount(&totals->phase[MODEL_STARTUP], &(struct model_amount){1, 4096, 0, 0, 0},
                  "startup");
    helper_amount(&totals->phase[MODEL_WARMUP], &(struct model_amount){1, 56, 0, 0, 0}, "warm-up");
    helper_amount(&totals->phase[MODEL_STEADY], &(struct model_amount){1, 56, 0, 1, 56}, "steady");
    helper_amount(&totals->phase[MODEL_SHUTDOWN], &(struct model_amount){0, 0, 0, 1, 56},
                  "shutdown");
    helper_amount(&totals->place[MODEL_IN_POLL], &(struct model_amount){2, 112, 0, 0, 0},
                  "in poll");
    helper_amount(&totals->place[MODEL_BETWEEN], &(struct model_amount){0, 0, 0, 2, 112},
                  "between");
    helper_amount(&totals->place[MODEL_OTHER], &(struct model_amount){0}, "other");
    assert_int_equal(model->live_bytes, 4096);
    assert_int_equal(model->live_blocks, 1);
    assert_int_equal(model->live_peak_bytes, 4152);
    assert_int_equal(model->rate.polls, 2);
    assert_int_equal(model->rate.bytes, 112);
    assert_int_equal(model->rate.ns, 1100);
    assert_int_equal(model->steady.polls, 1);
    assert_int_equal(model->steady.bytes, 56);
    assert_int_equal(model->steady.ns, 1000);
    assert_true(model_bytes_per_poll(&model->rate) == 56);
    assert_int_equal(model->polls.empty, 1);
    assert_int_equal(model->polls.events, 1);
    assert_int_equal(model->polls.by_function[DUMP_POLL_EVENT], 2);
    assert_string_equal(model->frame_info.kind, "drain");
    assert_int_equal(model->frame_info.count, 1);
    const struct model_site *event = helper_site(model, 1);
    assert_true(event->in_poll);
    assert_int_equal(event->live_bytes, 0);
    assert_int_equal(event->stack->count, 2);
    assert_string_equal(event->cadence.words, "every poll");
    assert_string_equal(helper_site(model, 2)->cadence.words, "startup");
    assert_int_equal(model->sites[0].id, 2);
    model_close(model);
    builder_end(&builder);
}

static void test_no_polls(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    game.builder.loop_count = 0;
    builder_alloc(&game.builder, game.main, game.outside, 100);
    builder_free(&game.builder, game.main, game.outside, 100, false);
    struct model *model = helper_checked(&game.builder);
    helper_amount(&model->totals.phase[MODEL_STARTUP], &(struct model_amount){1, 100, 0, 1, 100},
                  "startup");
    assert_int_equal(model->primary, MODEL_NONE);
    assert_int_equal(model->rate.polls, 0);
    assert_true(model_bytes_per_second(&model->rate) == 0);
    assert_non_null(find_note(model, "no poll"));
    assert_string_equal(model->sites[0].cadence.words, "startup");
    model_close(model);
    builder_end(&game.builder);
}

/* 20 polls whose steady phase begins at window `steady`; the site allocates 2^window bytes in each
 * window of the mask, before its poll. The boundaries are moved as windows begin. */
static void check_phases(uint32_t mask, uint64_t steady, uint64_t cut)
{
    struct helper_game game;
    uint64_t want[MODEL_PHASES] = {0};
    uint64_t polls_steady = 0;
    helper_game(&game);
    for (uint64_t window = 0; window <= 21; window++) {
        if (mask >> window & 1) {
            uint64_t bytes = UINT64_C(1) << window;
            enum model_phase phase = MODEL_STEADY;
            if (window == 0)
                phase = MODEL_STARTUP;
            else if (window == 21)
                phase = MODEL_SHUTDOWN;
            else if (window < steady)
                phase = MODEL_WARMUP;
            want[phase] += bytes;
            polls_steady += window >= steady;
            builder_alloc(&game.builder, game.main, game.outside, bytes);
        }
        if (window == 0) /* the first poll begins, and ends window 1 without this window's part */
            builder_poll_begin(&game.builder, game.loop);
        else if (window < 21) {
            if (window > 1)
                builder_poll_begin(&game.builder, game.loop);
            builder_poll_end(&game.builder, game.loop, DUMP_POLL_EVENT, false, false);
        }
        uint64_t now = window + 1;
        if (window > 0 && window < 21 && now == steady)
            builder_boundaries(&game.builder, game.main, steady, steady, steady);
        if (window > 0 && window < 21 && now == cut && cut > steady)
            builder_boundaries(&game.builder, game.main, steady, cut, cut);
    }
    struct model *model = helper_checked(&game.builder);
    if (mask) {
        const struct model_site *site = helper_site(model, game.outside);
        for (unsigned i = 0; i < MODEL_PHASES; i++) {
            assert_int_equal(site->phase[i].bytes, want[i]);
            assert_int_equal(model->totals.phase[i].bytes, want[i]);
        }
        assert_int_equal(site->polls_steady, polls_steady);
        assert_null(find_note(model, "impossible"));
    }
    assert_int_equal(model->polls.steady, 21 - steady);
    model_close(model);
    builder_end(&game.builder);
}

/* Touched before a boundary, between two, after both, in the window of the boundary itself, never
 * after it: all sets of five windows around the boundaries, and the first, last and open ones. */
static void test_phases(void **state)
{
    static const unsigned windows[] = {0, 1, 6, 7, 8, 12, 13, 14, 20, 21};
    size_t count = sizeof windows / sizeof windows[0];
    (void)state;
    for (uint32_t set = 0; set < 1u << count; set++) {
        uint32_t mask = 0;
        for (size_t i = 0; i < count; i++)
            if (set >> i & 1)
                mask |= 1u << windows[i];
        check_phases(mask, 7, 13);
    }
    check_phases(0x3fffff, 1, 0);
    check_phases(0x3fffff, 20, 0);
    check_phases(0x2aaaaa, 7, 8);
}

/* Stopped in the middle of a change: sums hold, and a note says so. */
static void test_odd_schedule(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    for (unsigned i = 0; i < 20; i++) {
        builder_alloc(&game.builder, game.main, game.outside, 10);
        builder_poll(&game.builder, game.loop, false);
    }
    game.builder.threads[0].record.clock.schedule = 5;
    game.builder.threads[0].record.clock.boundary[DUMP_AT_STEADY] = 9;
    struct model *model = helper_model(&game.builder);
    struct model_amount sum = {0};
    for (unsigned i = 0; i < MODEL_PHASES; i++)
        model_amount_add(&sum, &model->totals.phase[i]);
    helper_amount(&sum, &model->totals.all, "phases");
    assert_non_null(find_note(model, "moved"));
    model_close(model);
    builder_end(&game.builder);
}

/* Marks that go down: clamped, never negative, and said. */
static void test_impossible_history(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    builder_alloc(&game.builder, game.main, game.outside, 10);
    builder_poll(&game.builder, game.loop, false);
    struct dump_tally *tally = &game.builder.counters[0].tally;
    tally->mark[DUMP_AT_FIRST_POLL] = (struct dump_mark){1, 0, {99, 9999, 99, 99, 99}};
    struct model *model = helper_model(&game.builder);
    const struct model_site *site = helper_site(model, game.outside);
    assert_int_equal(site->all.bytes, 10);
    assert_int_equal(site->phase[MODEL_STARTUP].bytes, 10);
    assert_int_equal(site->phase[MODEL_STEADY].bytes, 0);
    assert_non_null(find_note(model, "impossible"));
    model_close(model);
    builder_end(&game.builder);
}

/* One thread polls, one never does, one starts to poll late and was startup until then. */
static void test_threads(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    unsigned audio = builder_thread(&game.builder, "audio", 0);
    unsigned late = builder_thread(&game.builder, "late", 0);
    unsigned second = builder_loop(&game.builder, late, 3);
    builder_alloc(&game.builder, audio, game.outside, 1);
    builder_alloc(&game.builder, late, game.outside, 2);
    for (unsigned i = 0; i < 8; i++) {
        builder_alloc(&game.builder, game.main, game.outside, 100);
        builder_alloc(&game.builder, audio, game.outside, 10);
        builder_free(&game.builder, audio, game.outside, 100, false);
        builder_poll(&game.builder, game.loop, false);
        if (i == 4)
            builder_alloc(&game.builder, late, game.outside, 1000);
        if (i > 4)
            builder_poll(&game.builder, second, true);
        if (i > 5)
            builder_alloc(&game.builder, late, game.outside, 10000);
    }
    struct model *model = helper_checked(&game.builder);
    const struct model_thread *threads = model->threads;
    assert_int_equal(model->primary, 0);
    assert_true(threads[0].primary && threads[0].main && threads[0].polls);
    assert_int_equal(threads[0].poll_count, 8);
    assert_int_equal(threads[2].poll_count, 3);
    assert_string_equal(threads[1].name, "audio");
    assert_int_equal(threads[0].place[MODEL_BETWEEN].bytes, 700);
    assert_int_equal(threads[0].phase[MODEL_STARTUP].bytes, 100);
    assert_int_equal(threads[1].phase[MODEL_STARTUP].bytes, 11);
    assert_int_equal(threads[1].place[MODEL_OTHER].bytes, 70);
    assert_int_equal(threads[2].phase[MODEL_STARTUP].bytes, 1002);
    assert_int_equal(threads[2].place[MODEL_BETWEEN].bytes, 20000);
    assert_int_equal(threads[2].phase[MODEL_SHUTDOWN].bytes, 10000);
    assert_int_equal(model->totals.place[MODEL_BETWEEN].bytes, 20700);
    assert_int_equal(model->totals.place[MODEL_OTHER].bytes, 70);
    assert_int_equal(model->totals.phase[MODEL_STARTUP].bytes, 1113);
    assert_int_equal(model->polls.count, 11);
    assert_int_equal(model->rate.bytes, 700 + 10000);
    const struct model_site *site = helper_site(model, game.outside);
    assert_int_equal(site->counters, 3);
    assert_int_equal(site->live_bytes, 800 + 81 + 21002 - 800);
    assert_string_equal(threads[site->thread].name, "audio");
    model_close(model);
    builder_end(&game.builder);
}

static void test_polls_by_kind(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    static const struct {
        enum dump_poll_kind kind;
        bool null, event;
    } polls[] = {{DUMP_POLL_EVENT, false, true}, {DUMP_POLL_EVENT, false, false},
                 {DUMP_POLL_EVENT, true, true},  {DUMP_POLL_EVENT, true, false},
                 {DUMP_WAIT_EVENT, false, true}, {DUMP_WAIT_TIMEOUT, false, false},
                 {DUMP_PUMP, false, false},      {DUMP_MARKED, false, true}};
    size_t count = sizeof polls / sizeof polls[0];
    for (size_t i = 0; i < count; i++) {
        builder_poll_begin(&game.builder, game.loop);
        builder_poll_end(&game.builder, game.loop, polls[i].kind, polls[i].null, polls[i].event);
    }
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->polls.count, count);
    assert_int_equal(model->polls.null, 2);
    assert_int_equal(model->polls.empty, 3);
    assert_int_equal(model->polls.events, 4);
    assert_int_equal(model->polls.by_function[DUMP_POLL_EVENT], 4);
    assert_int_equal(model->polls.by_function[DUMP_PUMP], 1);
    assert_string_equal(model_poll_function(DUMP_WAIT_TIMEOUT), "SDL_WaitEventTimeout");
    model_close(model);
    builder_end(&game.builder);
}

/* bytes per poll x polls per second = bytes per second, in whatever precision. */
static void test_identity(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    for (unsigned i = 0; i < 777; i++) {
        builder_poll(&game.builder, game.loop, i % 3 == 0);
        builder_alloc(&game.builder, game.main, game.outside, i);
    }
    struct model *model = helper_checked(&game.builder);
    const struct model_rate *rate = &model->rate;
    assert_int_equal(rate->ns, model->last_poll_ns - model->first_poll_ns);
    assert_int_equal(rate->ns, 777 * 1000000 - 990000);
    double left = model_bytes_per_poll(rate) * model_polls_per_second(rate);
    double right = model_bytes_per_second(rate);
    assert_true(left > right * (1 - 1e-12) && left < right * (1 + 1e-12));
    model_close(model);
    builder_end(&game.builder);
}

/* Longer records say the same, and the example's short histograms too; chunks of unknown types are
 * passed over. */
static void test_other_versions(void **state)
{
    static const int changes[] = {0, 8, 128};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct builder builder;
        builder_example(&builder);
        builder.unknown_chunks = changes[i] != 0;
        builder.record_change = changes[i];
        struct model *model = helper_checked(&builder);
        assert_int_equal(model->totals.all.bytes, 4208);
        assert_int_equal(model->loops[0].polls, 2);
        assert_int_equal(model->worst[0].bytes, 56);
        assert_true((find_note(model, "not known here") != NULL) == (changes[i] != 0));
        model_close(model);
        builder_end(&builder);
    }
}

static void test_losses(void **state)
{
    struct builder builder;
    (void)state;
    builder_example(&builder);
    builder.header.loss[DUMP_LOSS_STACKS] = 7;
    builder.header.loss[15] = 1;
    struct model *model = helper_model(&builder);
    assert_true(model->lossy);
    assert_int_equal(model->loss[DUMP_LOSS_STACKS], 7);
    assert_non_null(find_note(model, "7 allocations booked to their call site"));
    assert_non_null(find_note(model, "not known here"));
    assert_string_equal(model_loss_key(DUMP_LOSS_NO_SPACE), "no_space");
    assert_null(model_loss_key(15));
    assert_null(model_loss_text(99));
    model_close(model);
    builder_end(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),         cmocka_unit_test(test_example),
        cmocka_unit_test(test_no_polls),     cmocka_unit_test(test_phases),
        cmocka_unit_test(test_odd_schedule), cmocka_unit_test(test_impossible_history),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_polls_by_kind),
        cmocka_unit_test(test_identity),     cmocka_unit_test(test_other_versions),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
