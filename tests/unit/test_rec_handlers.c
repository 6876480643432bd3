/* SPDX-License-Identifier: MIT */
/* Signal handlers that allocate and release while the recorder is at work on their thread. */
#include "preload/record_private.h"
#include "tests/unit/rec_core_helper.h"

#include <signal.h>
#include <sys/time.h>

REC_HOOK_SECTION

static struct ar_thread *interrupted;

/* A hook begins, and is interrupted: those that follow have lower frames. */
static HOOK void interrupt(void)
{
    interrupted = ar_thread_enter(AR_HOOK().frame + 4096);
    assert_non_null(interrupted);
}

static void go_on(void)
{
    ar_record_leave(interrupted);
}

static const struct dump_stack *only_stack_with(uint32_t flag)
{
    const struct dump_stack *found = NULL;
    struct dump_header *header = ar_header();

    for (uint64_t at = DUMP_HEADER_SIZE; at < header->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);
        const char *record = (const char *)(chunk + 1);

        for (uint64_t i = 0; chunk->type == DUMP_STACK && i < chunk->count; i++) {
            const struct dump_stack *stack = (const struct dump_stack *)record;

            if ((stack->flags & flag) != 0) {
                assert_null(found);
                found = stack;
            }
            record += stack->size;
        }
        at += chunk->size;
    }
    assert_non_null(found);
    return found;
}

static void test_counted(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 10);
    interrupt();
    for (unsigned i = 0; i < 3; i++) {
        alloc(0x20000, 100);
        reallocate(0x20000, 0x30000, 1000);
        release(0x30000);
    }
    release(0x10000);
    alloc(0x40000, 7);
    fail_to_reallocate(0x40000);
    totals = add_up();
    check_amount(&totals.threads, 1, 10, 0, 0, 0);
    go_on();
    totals = add_up();
    check_amount(&totals.threads, 8, 3317, 3, 7, 3310);
    assert_memory_equal(&totals.sites, &totals.threads, sizeof totals.sites);
    release(0x40000);
    totals = add_up();
    check_amount(&totals.threads, 8, 3317, 3, 8, 3317);
    no_losses();
}

static HOOK void handler_allocates(void)
{
    alloc(0x50000, 5);
}

static void test_site(void **state)
{
    const struct dump_stack *stack;

    (void)state;
    alloc(0x10000, 10);
    interrupt();
    for (unsigned i = 0; i < 20; i++) {
        handler_allocates();
        release(0x50000);
    }
    go_on();
    stack = only_stack_with(DUMP_STACK_HANDLER);
    assert_int_equal(stack->frames, 1);
    no_losses();
}

/* In a poll when the handler came, whenever it is counted. */
static void test_in_poll(void **state)
{
    struct totals totals;

    (void)state;
    assert_true(begin_poll());
    interrupt();
    alloc(0x10000, 10);
    go_on();
    end_poll(false);
    interrupt();
    alloc(0x20000, 200);
    release(0x10000);
    go_on();
    assert_true(begin_poll());
    end_poll(false);
    totals = add_up();
    check_amount(&totals.in_poll, 1, 10, 0, 0, 0);
    check_amount(&totals.threads, 2, 210, 0, 1, 10);
    assert_memory_equal(&totals.sites, &totals.threads, sizeof totals.sites);
    no_losses();
}

/* What is more than can wait is told as lost. */
static void test_bounded(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 10);
    interrupt();
    for (uintptr_t i = 0; i < AR_PENDING_MOST + 4; i++)
        alloc(0x100000 + i * 64, 2);
    release(0x10000);
    go_on();
    totals = add_up();
    check_amount(&totals.threads, 1 + AR_PENDING_MOST, 10 + 2 * AR_PENDING_MOST, 0, 0, 0);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_NESTED], 4);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_LIVE], 1);
    interrupt();
    alloc(0x20000, 1);
    go_on();
    totals = add_up();
    check_amount(&totals.threads, 2 + AR_PENDING_MOST, 11 + 2 * AR_PENDING_MOST, 0, 0, 0);
}

/* The program ends in a handler: the hook beneath never goes on. */
static void test_end(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 10);
    interrupt();
    alloc(0x20000, 2);
    release(0x10000);
    ar_record_lose_pending();
    totals = add_up();
    check_amount(&totals.threads, 1, 10, 0, 0, 0);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_NESTED], 1);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_LIVE], 1);
    go_on();
}

static HOOK void new_outside(uintptr_t address, size_t size)
{
    ar_record_alloc_outer(AR_HOOK(), (void *)address, size);
}

/* operator new calls malloc, a handler comes between the two. */
static void test_operator_new(void **state)
{
    struct totals totals;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        ar_record_alloc_expected();
        alloc(0x10000, 10);
        new_outside(0x10000, 10);
        release(0x10000);
    }
    totals = add_up();
    check_amount(&totals.threads, 3, 30, 0, 3, 30);
    interrupt();
    ar_record_alloc_expected();
    alloc(0x20000, 20);
    new_outside(0x20000, 20);
    go_on();
    totals = add_up();
    check_amount(&totals.threads, 4, 50, 0, 3, 30);
    /* A block that only the operator gave. */
    interrupt();
    new_outside(0x30000, 30);
    go_on();
    ar_record_alloc_expected();
    new_outside(0x40000, 40);
    totals = add_up();
    check_amount(&totals.threads, 6, 120, 0, 3, 30);
    no_losses();
}

static unsigned long handled;

static HOOK void handle(int number)
{
    (void)number;
    alloc(0x10000000, 100);
    reallocate(0x10000000, 0x20000000, 300);
    release(0x20000000);
    handled++;
}

/* Wherever it is interrupted. */
static void test_storm(void **state)
{
    struct itimerval often = {{0, 100}, {0, 100}};
    struct itimerval never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct totals totals;
    unsigned long turns = 0;

    (void)state;
    make_file = true;
    handled = 0;
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    while (__atomic_load_n(&handled, __ATOMIC_RELAXED) < 1000) {
        assert_true(begin_poll());
        alloc(0x10000, 10);
        end_poll(false);
        reallocate(0x10000, 0x20000, 20);
        release(0x20000);
        turns++;
    }
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    action.sa_handler = SIG_IGN;
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    totals = add_up();
    check_amount(&totals.threads, 2 * (turns + handled), 30 * turns + 400 * handled,
                 turns + handled, 2 * (turns + handled), 30 * turns + 400 * handled);
    assert_memory_equal(&totals.sites, &totals.threads, sizeof totals.sites);
    assert_int_equal(totals.polls, turns);
    no_losses();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_counted, renew),
        cmocka_unit_test_setup(test_site, renew),
        cmocka_unit_test_setup(test_in_poll, renew),
        cmocka_unit_test_setup(test_bounded, renew),
        cmocka_unit_test_setup(test_end, renew),
        cmocka_unit_test_setup(test_operator_new, renew),
        cmocka_unit_test_setup(test_storm, renew),
    };

    return cmocka_run_group_tests(tests, start, end);
}
