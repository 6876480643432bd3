/* SPDX-License-Identifier: MIT */
/* The core on several threads at once, while one of them polls. */
#include "tests/unit/rec_core_helper.h"

#include <pthread.h>

REC_HOOK_SECTION

#define THREADS 4u
#define ROUNDS  20000u
#define PLACES  64u

/* Blocks that a thread makes and another one releases, while the main thread polls. */
static uintptr_t places[PLACES];

static void *work(void *number)
{
    uintptr_t self = (uintptr_t)number;
    uintptr_t base = 0x100000000 * (self + 1);

    for (unsigned i = 0; i < ROUNDS; i++) {
        uintptr_t address = base + 64 * (uintptr_t)i;
        unsigned place = (unsigned)(i * (2 * self + 3) % PLACES);
        uintptr_t before;

        alloc(address, i % 100);
        if (i % 3 == 0) {
            reallocate(address, address + 16, 7);
            address += 16;
        }
        before = __atomic_exchange_n(&places[place], address, __ATOMIC_ACQ_REL);
        if (before != 0)
            release(before);
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    uint64_t allocations = THREADS * (ROUNDS + (ROUNDS + 2) / 3);
    uint64_t bytes = THREADS * (ROUNDS / 100 * 4950 + 7 * ((ROUNDS + 2) / 3));
    struct totals totals;

    memset(places, 0, sizeof places);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (unsigned i = 0; i < 3000; i++) {
        assert_true(begin_poll());
        end_poll(false);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < PLACES; i++)
        if (places[i] != 0)
            release(places[i]);
    ar_threads_sync();
    totals = add_up();
    check_amount(&totals.threads, allocations, bytes, THREADS * ((ROUNDS + 2) / 3), allocations,
                 bytes);
    assert_memory_equal(&totals.sites, &totals.threads, sizeof totals.sites);
    assert_int_equal(totals.polls, 3000);
    no_losses();
}

static void test_threads(void **state)
{
    (void)state;
    run_threads();
}

/* The file comes to be while they are at work: each moves its counters there itself. */
static void test_threads_and_file(void **state)
{
    (void)state;
    make_file = true;
    run_threads();
    assert_true(ar_mapfile_exists());
}

/* Two threads count in the memory of before when the file is there already: one notices with its
 * next block, the other one makes no more. */
static pthread_barrier_t turn;

static void let_them_count(void)
{
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
}

static void *count_meanwhile(void *more)
{
    uintptr_t base = 0x100000000 + 0x1000000 * (uintptr_t)more;

    for (unsigned i = 0; i < 10; i++)
        alloc(base + 64 * i, 1);
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    for (unsigned i = 10; i < 110; i++)
        alloc(base + 64 * i, 1);
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    if ((uintptr_t)more > 1)
        alloc(base + 64 * 110, 1);
    return NULL;
}

static void test_counts_while_file_is_made(void **state)
{
    pthread_t threads[2];
    struct totals totals;

    (void)state;
    make_file = true;
    while_made = let_them_count;
    assert_int_equal(pthread_barrier_init(&turn, NULL, 3), 0);
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_meanwhile, (void *)(i + 1)), 0);
    pthread_barrier_wait(&turn);
    assert_true(begin_poll());
    end_poll(false);
    pthread_barrier_wait(&turn);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(ar_mapfile_exists());
    ar_threads_sync();
    totals = add_up();
    check_amount(&totals.threads, 221, 221, 0, 0, 0);
    check_amount(&totals.sites, 221, 221, 0, 0, 0);
    pthread_barrier_destroy(&turn);
}

/* Threads that come and go use the records of those that are gone. */
static void *work_a_little(void *number)
{
    uintptr_t address = 0x100000000 + 64 * (uintptr_t)number;

    alloc(address, 12);
    release(address);
    return NULL;
}

static void test_thread_churn(void **state)
{
    struct totals totals;

    (void)state;
    alloc(0x10000, 1);
    for (uintptr_t i = 0; i < 500; i++) {
        pthread_t thread;

        assert_int_equal(pthread_create(&thread, NULL, work_a_little, (void *)i), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    totals = add_up();
    check_amount(&totals.threads, 501, 6001, 0, 500, 6000);
    assert_true(totals.thread_records < 20);
    no_losses();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_threads, renew),
        cmocka_unit_test_setup(test_thread_churn, renew),
        cmocka_unit_test_setup(test_counts_while_file_is_made, renew),
        cmocka_unit_test_setup(test_threads_and_file, renew),
    };

    return cmocka_run_group_tests(tests, start, end);
}
