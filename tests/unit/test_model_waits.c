/* SPDX-License-Identifier: MIT */
#include "tests/unit/model_helper.h"

static void wait_in_vain(struct helper_game *game, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        builder_poll_begin(&game->builder, game->loop);
        builder_poll_end(&game->builder, game->loop, DUMP_WAIT_TIMEOUT, false, false);
    }
}

static void test_read(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    wait_in_vain(&game, 4);
    struct dump_loop *loop = &game.builder.loops[game.loop];
    loop->waits = 3;
    loop->replaced_waits = 2;
    loop->wait_ns = loop->poll_ns - 1;
    loop->wait_switches = 50;
    loop->wait_cpu_ns = 7;
    struct model *model = helper_checked(&game.builder);
    const struct model_waits *waits = &model->loops[0].waits;
    assert_int_equal(waits->count, 3);
    assert_int_equal(waits->replaced, 2);
    assert_int_equal(waits->ns, loop->wait_ns);
    assert_int_equal(waits->switches, 50);
    assert_int_equal(waits->cpu_ns, 7);
    assert_memory_equal(&model->waits, waits, sizeof *waits);
    assert_int_equal(model_waits_step_ns(waits), loop->wait_ns / 50);
    model_close(model);
    builder_end(&game.builder);
}

static void test_checked(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    wait_in_vain(&game, 4);
    struct dump_loop *loop = &game.builder.loops[game.loop];
    loop->waits = 5;
    loop->replaced_waits = 6;
    loop->wait_ns = loop->poll_ns + 1;
    struct model *model = helper_model(&game.builder);
    assert_int_equal(model_check(model, NULL), 3);
    model_close(model);
    builder_end(&game.builder);
}

static bool in_steps(uint64_t count, uint64_t switches, uint64_t milliseconds)
{
    struct model_waits waits = {.count = count, .switches = switches, .ns = milliseconds * 1000000};

    return model_waits_in_steps(&waits);
}

static void test_steps(void **state)
{
    (void)state;
    assert_true(in_steps(1, 1857, 2000));    /* SDL_Delay(1) */
    assert_true(in_steps(1, 199, 2000));     /* SDL_Delay(10) */
    assert_true(in_steps(1, 81, 2000));      /* 40 a second */
    assert_false(in_steps(1, 80, 2000));     /* less */
    assert_false(in_steps(1, 20, 2000));     /* a slice of 100 ms */
    assert_false(in_steps(1, 1, 2000));      /* blocks */
    assert_false(in_steps(1000, 2000, 500)); /* a flood of events, two sleeps for each */
    assert_true(in_steps(1000, 2001, 500));
    assert_false(in_steps(0, 0, 0));
    assert_false(in_steps(5, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_checked),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
