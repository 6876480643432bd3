/* SPDX-License-Identifier: MIT */
#include "cli/model_phases.h"
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

/* A tally that was touched in the very window of a boundary without a mark for it, as when the
 * boundaries were changing: the earlier boundary's mark stands for it. */
static void test_unknown_mark(void **state)
{
    struct dump_clock clock = {.window = 9, .first_window = 1, .boundary = {1, 5, 7, 7}};
    struct dump_tally tally = {.window = 5, .now = {10, 100, 0, 0, 0}};
    (void)state;
    tally.mark[0] = (struct dump_mark){1, 0, {2, 20, 0, 0, 0}};
    struct model_parts parts = model_parts_of(&tally, &clock, 3);
    assert_int_equal(parts.phase[MODEL_STARTUP].bytes, 20);
    assert_int_equal(parts.phase[MODEL_WARMUP].bytes, 0);
    assert_int_equal(parts.phase[MODEL_STEADY].bytes, 80);
    tally.window = 4;
    parts = model_parts_of(&tally, &clock, 3);
    assert_int_equal(parts.phase[MODEL_WARMUP].bytes, 80);
    assert_int_equal(parts.phase[MODEL_STEADY].bytes, 0);
    assert_int_equal(parts.polls_before_steady, 3);
    assert_false(parts.contradicts);
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
 * window of the mask, before its poll. The boundaries are moved as windows begin. `cut` and
 * `last_cut` are the later ones, 0 if there are none. */
static void check_phases(uint32_t mask, uint64_t steady, uint64_t cut, uint64_t last_cut)
{
    struct helper_game game;
    uint64_t want[MODEL_PHASES] = {0};
    uint64_t want_part[MODEL_PARTS] = {0};
    uint64_t want_polls[MODEL_PARTS] = {0};
    uint64_t polls_steady = 0;
    helper_game(&game);
    for (uint64_t window = 0; window <= 21; window++) {
        /* A boundary that was not moved on stands where the one before does. */
        uint64_t second = cut > steady ? cut : steady;
        unsigned part = window < second ? 0 : window < (last_cut ? last_cut : second) ? 1 : 2;
        want_polls[part] += window >= steady && window < 21;
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
            want_part[part] += phase == MODEL_STEADY ? bytes : 0;
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
        if (window > 0 && window < 21 && now == last_cut)
            builder_boundaries(&game.builder, game.main, steady, cut, last_cut);
    }
    struct model *model = helper_checked(&game.builder);
    if (mask) {
        const struct model_site *site = helper_site(model, game.outside);
        for (unsigned i = 0; i < MODEL_PHASES; i++) {
            assert_int_equal(site->phase[i].bytes, want[i]);
            assert_int_equal(model->totals.phase[i].bytes, want[i]);
        }
        for (unsigned i = 0; i < MODEL_PARTS; i++)
            assert_int_equal(site->part[i].bytes, want_part[i]);
        assert_int_equal(site->polls_steady, polls_steady);
        assert_null(find_note(model, "impossible"));
    }
    assert_int_equal(model->polls.steady, 21 - steady);
    for (unsigned i = 0; i < MODEL_PARTS; i++)
        assert_int_equal(model->threads[0].part_polls[i], want_polls[i]);
    model_close(model);
    builder_end(&game.builder);
}

/* Touched before a boundary, between two, after both, in the window of the boundary itself, never
 * after it: all sets of five windows around the boundaries, and the first, last and open ones. */
static void test_phases(void **state)
{
    static const unsigned windows[] = {0, 1, 6, 7, 8, 12, 13, 14, 17, 20, 21};
    size_t count = sizeof windows / sizeof windows[0];
    (void)state;
    for (uint32_t set = 0; set < 1u << count; set++) {
        uint32_t mask = 0;
        for (size_t i = 0; i < count; i++)
            if (set >> i & 1)
                mask |= 1u << windows[i];
        check_phases(mask, 7, 13, 0);
        check_phases(mask, 7, 13, 17);
    }
    check_phases(0x3fffff, 1, 0, 0);
    check_phases(0x3fffff, 20, 0, 0);
    check_phases(0x2aaaaa, 7, 8, 0);
    check_phases(0x3fffff, 7, 8, 20);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_mark),
        cmocka_unit_test(test_no_polls),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_odd_schedule),
        cmocka_unit_test(test_impossible_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
