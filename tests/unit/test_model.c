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

/* A last argument without its NUL is one all the same. */
static void test_arguments(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    builder_info(&game.builder, DUMP_INFO_ARGUMENTS, "game\0\0-x", 8);
    struct model *model = helper_model(&game.builder);
    assert_int_equal(model->argument_count, 3);
    assert_string_equal(model->arguments[0], "game");
    assert_string_equal(model->arguments[1], "");
    assert_string_equal(model->arguments[2], "-x");
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
    assert_int_equal(model->steady.ns, 9000000);
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
        cmocka_unit_test(test_head),           cmocka_unit_test(test_example),
        cmocka_unit_test(test_arguments),      cmocka_unit_test(test_threads),
        cmocka_unit_test(test_polls_by_kind),  cmocka_unit_test(test_identity),
        cmocka_unit_test(test_other_versions), cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
