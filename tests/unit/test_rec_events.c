/* SPDX-License-Identifier: MIT */
#include "preload/events.h"

#include "preload/mapfile.h"
#include "tests/unit/rec_helper.h"

#include <string.h>

static struct ar_events events;
static struct dump_amount in_poll;

static int make(void **state)
{
    (void)state;
    if (!ar_mapfile_start())
        return -1;
    memset(&events, 0, sizeof events);
    in_poll = (struct dump_amount){.allocations = 70, .bytes = 7000};
    ar_events_make(&events, 1, &in_poll);
    return events.records != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    ar_mapfile_abandon();
    return 0;
}

static void allocate(uint64_t bytes)
{
    in_poll.allocations++;
    in_poll.bytes += bytes;
}

static void drain(void)
{
    ar_events_drained(&events, &in_poll, false);
}

/* Booked by the next poll. */
static void poll(void)
{
    ar_events_poll(&events, DUMP_POLL_EVENT);
}

static const struct dump_event *of(uint32_t type, uint32_t sdl)
{
    for (uint32_t i = 0; i < events.used; i++)
        if (events.records[i].type == type && events.records[i].sdl == sdl &&
            events.records[i].kind == DUMP_EVENT_TYPE)
            return &events.records[i];
    fail();
    return NULL;
}

static void check(const struct dump_event *event, uint64_t count, uint64_t drains,
                  uint64_t allocations, uint64_t bytes)
{
    assert_int_equal(event->events, count);
    assert_int_equal(event->drains, drains);
    assert_int_equal(event->allocations, allocations);
    assert_int_equal(event->bytes, bytes);
}

static void check_alone(const struct dump_event *event, uint64_t drains, uint64_t allocations,
                        uint64_t bytes)
{
    assert_int_equal(event->alone_drains, drains);
    assert_int_equal(event->alone_allocations, allocations);
    assert_int_equal(event->alone_bytes, bytes);
}

static void test_alone_and_together(void **state)
{
    (void)state;
    poll();
    drain();
    poll();
    allocate(100);
    ar_events_add(&events, 0x400, 2);
    ar_events_add(&events, 0x400, 2);
    drain();
    poll();
    allocate(10);
    ar_events_add(&events, 0x400, 2);
    ar_events_add(&events, 0x300, 2);
    drain();
    poll();
    allocate(1);
    drain();
    check(of(0x400, 2), 3, 2, 2, 110);
    check_alone(of(0x400, 2), 1, 1, 100);
    assert_int_equal(of(0x400, 2)->most_bytes, 100);
    check(of(0x300, 2), 1, 1, 1, 10);
    check_alone(of(0x300, 2), 0, 0, 0);
    check(&events.records[DUMP_EVENT_NONE], 0, 2, 1, 1);
    check_alone(&events.records[DUMP_EVENT_NONE], 0, 0, 0);
    check(&events.records[DUMP_EVENT_SEVERAL], 0, 1, 1, 10);
}

static void test_the_same_number_of_two_sdls(void **state)
{
    (void)state;
    poll();
    ar_events_add(&events, 0x400, 2);
    ar_events_add(&events, 0x400, 3);
    ar_events_add(&events, 0, 0);
    drain();
    poll();
    check(of(0x400, 2), 1, 1, 0, 0);
    check(of(0x400, 3), 1, 1, 0, 0);
    check(&events.records[DUMP_EVENT_UNKNOWN], 1, 1, 0, 0);
    check(&events.records[DUMP_EVENT_SEVERAL], 0, 1, 0, 0);
}

/* A peep fetches what the drain that is over has pumped. */
static void test_peeped_behind(void **state)
{
    (void)state;
    poll();
    allocate(9);
    ar_events_add(&events, 0x300, 2);
    drain();
    ar_events_add(&events, 0x400, 2);
    assert_int_equal(of(0x400, 2)->drains, 0);
    allocate(5); /* of the next one */
    ar_events_book(&events);
    ar_events_book(&events);
    check(of(0x300, 2), 1, 1, 1, 9);
    check(of(0x400, 2), 1, 1, 1, 9);
    check_alone(of(0x300, 2), 0, 0, 0);
    drain();
    check(&events.records[DUMP_EVENT_NONE], 0, 1, 1, 5);
}

/* The polls behind a wait fetch what it has pumped; behind another wait nothing does. */
static void test_wait_and_polls(void **state)
{
    (void)state;
    ar_events_poll(&events, DUMP_WAIT_EVENT);
    allocate(30);
    ar_events_add(&events, 0x300, 2);
    ar_events_drained(&events, &in_poll, true);
    poll();
    ar_events_add(&events, 0x400, 2);
    poll();
    allocate(3);
    drain();
    ar_events_poll(&events, DUMP_WAIT_EVENT);
    check(of(0x300, 2), 1, 1, 2, 33);
    check(of(0x400, 2), 1, 1, 2, 33);
    check(&events.records[DUMP_EVENT_SEVERAL], 0, 1, 2, 33);
    ar_events_add(&events, 0x300, 2);
    ar_events_drained(&events, &in_poll, true);
    ar_events_poll(&events, DUMP_WAIT_EVENT);
    check_alone(of(0x300, 2), 1, 0, 0);
}

/* Types beyond the table are counted together. */
static void test_more_types_than_records(void **state)
{
    uint64_t counted = 0;

    (void)state;
    for (uint32_t type = 0; type < 200; type++) {
        poll();
        allocate(2);
        ar_events_add(&events, 0x8000 + type, 2);
        drain();
    }
    ar_events_book(&events);
    assert_int_equal(events.used, DUMP_EVENTS);
    assert_int_equal(events.chunk->count, DUMP_EVENTS);
    for (uint32_t i = 0; i < events.used; i++)
        counted += events.records[i].events;
    assert_int_equal(counted, 200);
    check(&events.records[DUMP_EVENT_OTHER], 140, 140, 140, 280);
    check_alone(&events.records[DUMP_EVENT_OTHER], 140, 140, 280);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_alone_and_together, make, leave),
        cmocka_unit_test_setup_teardown(test_the_same_number_of_two_sdls, make, leave),
        cmocka_unit_test_setup_teardown(test_peeped_behind, make, leave),
        cmocka_unit_test_setup_teardown(test_wait_and_polls, make, leave),
        cmocka_unit_test_setup_teardown(test_more_types_than_records, make, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
