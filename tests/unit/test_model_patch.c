/* SPDX-License-Identifier: MIT */
#include "tests/unit/model_helper.h"

static void poll(struct helper_game *game, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        builder_poll_begin(&game->builder, game->loop);
        builder_alloc(&game->builder, game->main, game->inside, 100);
        builder_poll_end(&game->builder, game->loop, DUMP_POLL_EVENT, false, false);
    }
}

static void add(struct helper_game *game, struct dump_patch patch)
{
    game->builder.header.used = game->builder.header.reserved = 0; /* the image finds them anew */
    game->builder.patches[game->builder.patch_count++] = patch;
}

/* Nine polls, one allocation in each; the third one's and the last one's were spilled. */
static struct dump_patch nine(void)
{
    return (struct dump_patch){
        .thread = 1,
        .modes = DUMP_PATCH_POLL,
        .requests = 9,
        .served = 7,
        .spilled = {[DUMP_SPILL_SIZE] = 1, [DUMP_SPILL_EMPTY] = 1},
        .heap = {.window = 9,
                 .now = {.allocations = 2, .bytes = 200, .frees = 1, .freed_bytes = 104},
                 .window_start = {.allocations = 1, .bytes = 100}},
        .releases = 8,
        .missing_bytes = 104,
        .missing = 1,
        .refills = 2,
        .refilled = 30,
        .given_back = 3,
        .held_blocks = 27,
        .held_bytes = 2808,
        .held_most_bytes = 3000,
        .limit_bytes = 1 << 20,
        .queue_events = 512,
    };
}

static void test_none(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    poll(&game, 9);
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->patch.modes, 0);
    assert_int_equal(model->patch.requests, 0);
    model_close(model);
    builder_end(&game.builder);
}

static void test_summed(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    assert_int_equal(builder_thread(&game.builder, "second", 0), 1);
    poll(&game, 9);
    add(&game, nine());
    add(&game, (struct dump_patch){.thread = 2,
                                   .modes = DUMP_PATCH_WAIT,
                                   .missing_bytes = 104,
                                   .missing = 4,
                                   .held_most_bytes = 1000,
                                   .limit_bytes = 1 << 20});
    struct model *model = helper_checked(&game.builder);
    const struct model_patch *patch = &model->patch;
    assert_int_equal(patch->modes, DUMP_PATCH_POLL | DUMP_PATCH_WAIT);
    assert_int_equal(patch->threads, 2);
    assert_int_equal(patch->requests, 9);
    assert_int_equal(patch->served, 7);
    assert_int_equal(patch->spilled[DUMP_SPILL_ALIGNMENT], 0);
    assert_int_equal(patch->spilled[DUMP_SPILL_SIZE], 1);
    assert_int_equal(patch->spilled[DUMP_SPILL_EMPTY], 1);
    assert_int_equal(patch->heap_allocations, 2);
    assert_int_equal(patch->heap_bytes, 200);
    assert_int_equal(patch->heap_releases, 1);
    assert_int_equal(patch->missing_bytes, 104);
    assert_int_equal(patch->missing, 5);
    assert_int_equal(patch->refilled, 30);
    assert_int_equal(patch->given_back, 3);
    assert_int_equal(patch->held_bytes, 2808);
    assert_int_equal(patch->held_most_bytes, 4000);
    assert_int_equal(patch->limit_bytes, 1 << 20);
    assert_int_equal(patch->queue_events, 512);
    model_close(model);
    builder_end(&game.builder);
}

/* The heap's calls are split by phase as everything else is. */
static void test_steady(void **state)
{
    struct helper_game game;
    struct dump_patch patch = nine();
    (void)state;
    helper_game(&game);
    poll(&game, 5);
    builder_boundaries(&game.builder, game.main, 6, 6, 6);
    poll(&game, 4);
    patch.heap.mark[DUMP_AT_STEADY] = (struct dump_mark){6, 0, {.allocations = 1, .bytes = 100}};
    add(&game, patch);
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->polls.steady, 4);
    assert_int_equal(model->patch.steady_heap_calls, 2); /* an allocation and a release */
    model_close(model);
    builder_end(&game.builder);
}

/* How many sums disagree when the patch says this. */
static size_t wrong(struct dump_patch patch, uint64_t nested)
{
    struct helper_game game;
    helper_game(&game);
    poll(&game, 9);
    add(&game, patch);
    game.builder.header.loss[DUMP_LOSS_NESTED] = nested;
    struct model *model = helper_model(&game.builder);
    size_t count = model_check(model, NULL);
    model_close(model);
    builder_end(&game.builder);
    return count;
}

static void test_checked(void **state)
{
    struct dump_patch patch = nine();
    (void)state;
    assert_int_equal(wrong(patch, 0), 0);
    patch.requests = 10; /* more than were counted in polls */
    assert_int_equal(wrong(patch, 0), 1);
    assert_int_equal(wrong(patch, 1), 0); /* one was lost */
    patch = nine();
    patch.served = 8; /* more than there were */
    assert_int_equal(wrong(patch, 0), 1);
    patch = nine();
    patch.heap.now.allocations = 3; /* for two reasons */
    assert_int_equal(wrong(patch, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_summed),
        cmocka_unit_test(test_steady),
        cmocka_unit_test(test_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
