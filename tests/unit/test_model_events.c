/* SPDX-License-Identifier: MIT */
#include "cli/eventnames.h"
#include "tests/unit/model_helper.h"

#define KEY(thread_, kind_, type_, sdl_)                                                           \
    .thread = (thread_), .kind = (kind_), .type = (type_), .sdl = (sdl_)

static const struct model_event *find(const struct model *model, const char *name)
{
    for (size_t i = 0; i < model->event_count; i++)
        if (strcmp(model->events[i].name, name) == 0)
            return &model->events[i];
    fail_msg("no event '%s'", name);
    return NULL;
}

static void poll(struct helper_game *game, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        builder_poll_begin(&game->builder, game->loop);
        builder_alloc(&game->builder, game->main, game->inside, 100);
        builder_poll_end(&game->builder, game->loop, DUMP_POLL_EVENT, false, false);
    }
}

static void add(struct helper_game *game, struct dump_event event)
{
    game->builder.header.used = game->builder.header.reserved = 0; /* the image finds them anew */
    game->builder.events[game->builder.event_count++] = event;
}

static void test_added_up(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    poll(&game, 9);
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_NONE, 0, 0), .drains = 4});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_SEVERAL, 0, 0), .drains = 1, .bytes = 100,
                                   .allocations = 1, .most_bytes = 100});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_UNKNOWN, 0, 0)});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_OTHER, 0, 0)});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x300, 2), .events = 1, .drains = 1,
                                   .allocations = 1, .bytes = 100, .most_bytes = 100});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x400, 2), .events = 7, .drains = 3,
                                   .allocations = 3, .bytes = 300, .most_bytes = 100,
                                   .alone_drains = 2, .alone_allocations = 2, .alone_bytes = 200});
    add(&game, (struct dump_event){KEY(2, DUMP_EVENT_TYPE, 0x400, 2), .events = 1, .drains = 1,
                                   .allocations = 2, .bytes = 150, .most_bytes = 150,
                                   .alone_drains = 1, .alone_allocations = 2, .alone_bytes = 150});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x8003, 2), .events = 1, .drains = 1});
    struct model *model = helper_checked(&game.builder);
    assert_true(model->knows_events);
    assert_int_equal(model->event_count, 5);
    assert_string_equal(model->events[0].name, "mouse motion");
    assert_string_equal(model->events[1].name, "key down");
    assert_string_equal(model->events[2].name, "user event 0x8003");
    assert_string_equal(model->events[3].name, "several types");
    assert_string_equal(model->events[4].name, "no event");
    const struct model_event *motion = &model->events[0];
    assert_int_equal(motion->events, 8);
    assert_int_equal(motion->drains, 4);
    assert_int_equal(motion->allocations, 5);
    assert_int_equal(motion->bytes, 450);
    assert_int_equal(motion->most_bytes, 150);
    assert_int_equal(motion->alone_drains, 3);
    assert_int_equal(motion->alone_bytes, 350);
    model_close(model);
    builder_end(&game.builder);
}

/* The two SDLs' numbers are told apart where both are. */
static void test_two_sdls(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    poll(&game, 4);
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x200, 2), .events = 1, .drains = 1});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x400, 2), .events = 1, .drains = 1});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x400, 3), .events = 2, .drains = 1});
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x1234, 3), .events = 2, .drains = 1});
    struct model *model = helper_checked(&game.builder);
    assert_int_equal(model->event_count, 4);
    assert_int_equal(find(model, "window event (SDL 2)")->events, 1);
    assert_int_equal(find(model, "mouse motion (SDL 2)")->events, 1);
    assert_int_equal(find(model, "mouse motion (SDL 3)")->events, 2);
    assert_int_equal(find(model, "event 0x1234 (SDL 3)")->type, 0x1234);
    model_close(model);
    builder_end(&game.builder);
}

/* What cannot be is found; kinds that are not known are left out. */
static void test_checked(void **state)
{
    struct helper_game game;
    (void)state;
    helper_game(&game);
    poll(&game, 2);
    struct model *model = helper_checked(&game.builder);
    assert_false(model->knows_events);
    model_close(model);
    add(&game, (struct dump_event){KEY(1, 99, 0x400, 2), .events = 1, .drains = 99});
    model = helper_checked(&game.builder);
    assert_true(model->knows_events);
    assert_int_equal(model->event_count, 0);
    model_close(model);
    add(&game, (struct dump_event){KEY(1, DUMP_EVENT_NONE, 0, 0), .drains = 3});
    model = helper_model(&game.builder);
    assert_int_equal(model_check(model, NULL), 1);
    model_close(model);
    game.builder.events[1] = (struct dump_event){KEY(1, DUMP_EVENT_TYPE, 0x400, 2),
                                                 .events = 1,
                                                 .drains = 1,
                                                 .bytes = 5,
                                                 .alone_drains = 1,
                                                 .alone_bytes = 201};
    model = helper_model(&game.builder);
    assert_int_equal(model_check(model, NULL), 2);
    model_close(model);
    builder_end(&game.builder);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(eventnames_find(2, 0x100), "quit");
    assert_string_equal(eventnames_find(2, 0x305), "extended text editing");
    assert_string_equal(eventnames_find(2, 0x65b), "controller Steam handle");
    assert_null(eventnames_find(2, 0x65a));
    assert_string_equal(eventnames_find(3, 0x20c), "window mouse enter");
    assert_string_equal(eventnames_find(3, 0x1305), "pen button up");
    assert_null(eventnames_find(3, 0x200));
    assert_null(eventnames_find(2, 0x8000));
    assert_null(eventnames_find(1, 0x100));
    assert_null(eventnames_find(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_up),
        cmocka_unit_test(test_two_sdls),
        cmocka_unit_test(test_checked),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
