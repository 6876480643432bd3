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

static void test_frames(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    for (unsigned i = 0; i < 10; i++) {
        builder_poll(&game.builder, game.loop, true);
        builder_poll(&game.builder, game.loop, false);
        builder_alloc(&game.builder, game.main, game.outside, 48);
        builder_present(&game.builder, game.main);
    }
    struct model *model = helper_checked(&game.builder);
    assert_string_equal(model->frame_info.kind, "present");
    assert_string_equal(model->frame_info.function, "SDL_RenderPresent");
    assert_int_equal(model->frame_info.count, 10);
    assert_int_equal(model->frame_info.presents[0], 10);
    assert_int_equal(model->all_polls[DUMP_SERIES_FRAME_BYTES]->count, 9);
    assert_int_equal(model->all_polls[DUMP_SERIES_FRAME_BYTES]->least, 48);
    const struct model_site *site = helper_site(model, game.outside);
    assert_true(site->cadence.per_frame == 1);
    model_close(model);
    builder_end(&game.builder);
}

static void test_sites(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    game.builder.warming = true;
    for (unsigned i = 0; i < 16; i++) {
        builder_alloc(&game.builder, game.main, game.outside, 50);
        builder_free(&game.builder, game.main, game.outside, 50, true);
        if (i == 12) {
            builder_alloc(&game.builder, game.main, game.outside, 1000);
            builder_realloc(&game.builder, game.main, game.outside, 1000, 3000);
        }
        builder_poll(&game.builder, game.loop, false);
    }
    struct model *model = helper_checked(&game.builder);
    const struct model_site *site = helper_site(model, game.outside);
    helper_amount(&site->all, &(struct model_amount){18, 4800, 1, 17, 1800}, "site");
    assert_int_equal(site->temporary, 16);
    assert_int_equal(site->temporary_bytes, 800);
    assert_int_equal(site->temporary_frame, 16);
    assert_int_equal(site->live_bytes, 3000);
    assert_int_equal(site->live_blocks, 1);
    assert_int_equal(site->growth_bytes, 3000);
    assert_int_equal(site->growth_blocks, 1);
    assert_int_equal(site->most_bytes, 4050);
    assert_int_equal(site->most_window, 13);
    /* What stands before the first poll begins is startup. */
    assert_int_equal(site->polls, 15);
    assert_int_equal(site->first_window, 2);
    assert_int_equal(site->last_window, 16);
    assert_int_equal(site->polls_steady, 8);
    assert_int_equal(model->polls.steady, 8);
    assert_string_equal(site->cadence.words, "every poll");
    model_close(model);
    builder_end(&game.builder);
}

/* A lump in the last window that a site was in: the recorder has not compared it with the largest.
 */
static void test_last_window_is_largest(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    for (unsigned i = 0; i < 6; i++) {
        builder_poll(&game.builder, game.loop, false);
        if (i == 2)
            builder_alloc(&game.builder, game.main, game.outside, 5000);
        if (i == 5)
            builder_alloc(&game.builder, game.main, game.inside, 6000);
    }
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(helper_site(model, game.outside)->most_bytes, 5000);
    assert_int_equal(helper_site(model, game.outside)->most_window, 4);
    assert_string_equal(helper_site(model, game.outside)->cadence.words, "once");
    assert_int_equal(helper_site(model, game.inside)->most_bytes, 0); /* its window is open */
    assert_string_equal(helper_site(model, game.inside)->cadence.words, "shutdown");
    model_close(model);
    builder_end(&game.builder);
}

static void test_worst(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    game.builder.warming = true;
    for (unsigned i = 0; i < 40; i++) {
        builder_poll_begin(&game.builder, game.loop);
        builder_alloc(&game.builder, game.main, game.inside, 10 + (i == 3 ? 900 : i));
        builder_alloc(&game.builder, game.main, game.outside, 1);
        builder_poll_end(&game.builder, game.loop, DUMP_POLL_EVENT, false, false);
    }
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->worst_count, DUMP_WORST_POLLS);
    assert_int_equal(model->worst[0].bytes, 911);
    assert_int_equal(model->worst[0].window, 4);
    assert_int_equal(model->worst[0].poll, 4);
    assert_false(model->worst[0].steady);
    assert_ptr_equal(model->worst[0].loop, &model->loops[0]);
    assert_int_equal(model->worst[0].site_count, 2);
    assert_int_equal(model->worst[0].sites[0].site->id, game.inside);
    assert_int_equal(model->worst[0].sites[0].bytes, 910);
    assert_int_equal(model->worst[1].bytes, 50);
    assert_int_equal(model->worst_steady_count, DUMP_WORST_POLLS);
    assert_int_equal(model->worst_steady[0].bytes, 50);
    assert_true(model->worst_steady[0].steady);
    for (size_t i = 1; i < model->worst_count; i++)
        assert_true(model->worst[i - 1].bytes >= model->worst[i].bytes);
    model_close(model);
    builder_end(&game.builder);
}

static void test_timeline(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    game.builder.header.timeline_width_ns = 10000000;
    for (unsigned i = 0; i < 95; i++) {
        builder_poll(&game.builder, game.loop, false);
        builder_alloc(&game.builder, game.main, game.outside, 3);
    }
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->bucket_count, 10);
    assert_int_equal(model->bucket_ns, 10000000);
    assert_int_equal(model->buckets[0].begin_ns, model->first_poll_ns);
    assert_int_equal(model->buckets[9].end_ns, model->first_poll_ns + 100000000);
    assert_int_equal(model->buckets[0].polls, 10);
    assert_int_equal(model->buckets[1].between_bytes, 30);
    model_close(model);
    builder_end(&game.builder);
}

static void test_histograms(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    game.builder.warming = true;
    for (unsigned i = 0; i < 128; i++) {
        builder_poll(&game.builder, game.loop, false);
        if (i % 4 == 0)
            builder_alloc(&game.builder, game.main, game.outside, 100);
    }
    struct model *model = helper_checked(&game.builder);
    const struct stats_histogram *bytes = model->steady_polls[DUMP_SERIES_WINDOW_BYTES];
    const struct stats_histogram *all = model->all_polls[DUMP_SERIES_WINDOW_BYTES];
    assert_int_equal(all->count, 128);
    assert_int_equal(bytes->count, 64);
    assert_int_equal(bytes->sum, 1600);
    assert_int_equal(stats_zeros(model->steady_polls[DUMP_SERIES_WINDOW_ALLOCATIONS]), 48);
    assert_int_equal(stats_quantile(bytes, 0.5).most, 0);
    assert_int_equal(stats_quantile(bytes, 0.9).least, 100);
    assert_int_equal(model->loops[0].steady[DUMP_SERIES_WINDOW_BYTES]->count, 64);
    assert_int_equal(model->polls.allocating, 32);
    assert_int_equal(model->steady.ns, 64 * 1000000);
    model_close(model);
    builder_end(&game.builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_last_window_is_largest),
        cmocka_unit_test(test_worst),
        cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_histograms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
