/* SPDX-License-Identifier: MIT */
#include "preload/patch.h"
#include "preload/real.h"

#include "tests/unit/rec_core_helper.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>

REC_HOOK_SECTION

static unsigned calls; /* of the allocator */

static void *counted_malloc(size_t size)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    errno = EDOM;
    return malloc(size);
}

static void *counted_calloc(size_t count, size_t size)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return calloc(count, size);
}

static void *counted_realloc(void *block, size_t size)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return realloc(block, size);
}

static void counted_free(void *block)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    free(block);
}

static int start_patched(void **state)
{
    ar_config.patch = AR_PATCH_POLL;
    ar_config.reserve = 8;
    ar_real.malloc = counted_malloc;
    ar_real.calloc = counted_calloc;
    ar_real.realloc = counted_realloc;
    ar_real.free = counted_free;
    ar_real.malloc_usable_size = malloc_usable_size;
    if (start(state) != 0)
        return -1;
    ar_patch_start();
    return 0;
}

/* The blocks that stand ready are the main thread's, which does not end. */
static int give_back(void **state)
{
    (void)state;
    if (ar_self.thread->patch != NULL)
        ar_magazine_empty(ar_self.thread->patch->magazine);
    return 0;
}

static const struct dump_patch *record(void)
{
    return ar_self.thread->patch->record;
}

/* As the hooks do it. */
static HOOK void *get(size_t size)
{
    void *block;

    ar_record_alloc_expected();
    block = ar_patch_active() ? ar_patch_malloc(size) : ar_real.malloc(size);
    ar_record_alloc_once(AR_HOOK(), block, size);
    return block;
}

static HOOK void *get_cleared(size_t size)
{
    void *block;

    ar_record_alloc_expected();
    block = ar_patch_calloc(size);
    ar_record_alloc_once(AR_HOOK(), block, size);
    return block;
}

static HOOK void *get_again(void *block, size_t size)
{
    struct ar_realloc old;

    ar_record_realloc_begin(AR_HOOK(), block, &old);
    block = ar_patch_realloc(block, size);
    ar_record_realloc_done(AR_HOOK(), &old, block, size);
    return block;
}

static HOOK void let_go(void *block)
{
    ar_record_free(AR_HOOK(), block);
    if (ar_patch_active())
        ar_patch_free(block);
    else
        ar_real.free(block);
}

/* What was asked for is what was counted in polls. */
static void check(uint64_t served, uint64_t spilled)
{
    const struct dump_patch *patch = record();
    uint64_t sum = 0;

    for (unsigned i = 0; i < DUMP_SPILLS; i++)
        sum += patch->spilled[i];
    assert_int_equal(patch->served, served);
    assert_int_equal(sum, spilled);
    assert_int_equal(patch->requests, served + spilled);
    assert_int_equal(patch->heap.now.allocations, spilled);
    assert_int_equal(ar_self.thread->record->in_poll.now.allocations, patch->requests);
    assert_false(ar_patch_active());
}

static void test_served(void **state)
{
    (void)state;
    begin_poll();
    assert_true(ar_patch_active());
    calls = 0;
    errno = ENOENT;
    for (unsigned i = 0; i < 100; i++) {
        char *block = get(100);

        memset(block, 1, 100);
        let_go(block);
    }
    assert_int_equal(calls, 0);
    assert_int_equal(errno, ENOENT);
    end_poll(true);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(calls, 0);
    check(100, 0);
    assert_int_equal(record()->releases, 100);
    assert_true(record()->held_blocks > 1000);
    assert_int_equal(record()->modes, DUMP_PATCH_POLL);
    assert_int_equal(record()->limit_bytes, 8 << 20);
    no_losses();
}

static void test_cleared(void **state)
{
    static const size_t sizes[] = {1, 24, 100, 1023, 1024, 5000, 30000};

    (void)state;
    begin_poll();
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *block = get(sizes[i]);

        memset(block, 0xee, sizes[i]);
        let_go(block);
        block = get_cleared(sizes[i]);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(block[j], 0);
        let_go(block);
    }
    end_poll(true);
    check(14, 0);
}

static void test_spilled(void **state)
{
    void *large;

    (void)state;
    begin_poll();
    calls = 0;
    large = get(100000);
    assert_int_equal(calls, 1);
    let_go(large); /* waits for the poll's end */
    assert_int_equal(calls, 1);
    ar_self.patch->magazine->busy = true; /* a signal handler's */
    let_go(get(10));
    ar_self.patch->magazine->busy = false;
    assert_int_equal(calls, 3);
    end_poll(true);
    check(0, 2);
    assert_int_equal(record()->spilled[DUMP_SPILL_SIZE], 1);
    assert_int_equal(record()->spilled[DUMP_SPILL_OTHER], 1);
    assert_int_equal(record()->heap.now.bytes, 100010);
    assert_int_equal(record()->heap.now.frees, 1);
    assert_int_equal(record()->given_back, 1);
}

static void test_reallocated(void **state)
{
    char *block;

    (void)state;
    block = get(300); /* outside */
    memset(block, 5, 300);
    begin_poll();
    calls = 0;
    block = get_again(block, 1000);
    assert_int_equal(block[299], 5);
    block = get_again(block, 990); /* stays */
    block = get_again(block, 10);
    assert_int_equal(block[9], 5);
    assert_int_equal(calls, 0);
    block = get_again(block, 200000);
    assert_int_equal(calls, 1);
    assert_int_equal(block[9], 5);
    end_poll(true);
    check(3, 1);
    assert_int_equal(record()->heap.now.reallocations, 1);
    assert_int_equal(record()->releases, 3);
    let_go(block);
    no_losses();
}

/* Released twice inside a poll: it stands ready once. */
static void test_twice(void **state)
{
    void *block, *one, *other;

    (void)state;
    begin_poll();
    block = get(50);
    let_go(block);
    let_go(block);
    one = get(50);
    other = get(50);
    assert_ptr_not_equal(one, other);
    let_go(one);
    let_go(other);
    end_poll(false);
    check(3, 0);
    assert_int_equal(ar_header()->loss[DUMP_LOSS_UNKNOWN], 1);
}

/* A forked child that has recorded nothing yet must not count for its parent. */
static void test_in_child(void **state)
{
    uint64_t requests;
    int status = -1;
    pid_t child;

    (void)state;
    begin_poll();
    let_go(get(50));
    requests = record()->requests;
    child = fork();
    if (child == 0) {
        const struct dump_patch *parents = ar_self.patch->record;
        void *block = ar_patch_malloc(50);

        ar_patch_free(block);
        _exit(block != NULL && !ar_patch_active() && parents->requests == requests ? 0 : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    end_poll(true);
    check(1, 0);
}

#define THREADS 4

/* Each has a magazine of its own, and gives it back at its end. */
static void *polls_and_ends(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < 200; i++) {
        void *blocks[20];

        begin_poll();
        for (unsigned j = 0; j < 20; j++)
            blocks[j] = get(16 * j + 1);
        for (unsigned j = 0; j < 20; j++)
            let_go(blocks[j]);
        end_poll(true);
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[THREADS];
    struct totals totals;

    (void)state;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, polls_and_ends, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    totals = add_up();
    assert_int_equal(totals.in_poll.allocations, THREADS * 200 * 20);
    assert_int_equal(totals.polls, THREADS * 200);
    for (uint64_t at = DUMP_HEADER_SIZE; at < ar_header()->used;) {
        const struct dump_chunk *chunk = ar_region_at(at);
        const struct dump_patch *patch = (const void *)(chunk + 1);

        at += chunk->size;
        if (chunk->type != DUMP_PATCH)
            continue;
        assert_int_equal(patch->served, patch->requests);
        assert_int_equal(patch->served % (200 * 20), 0);
        assert_int_equal(patch->held_blocks, 0);
        assert_int_equal(patch->given_back, patch->refilled);
    }
    no_losses();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_served, renew, give_back),
        cmocka_unit_test_setup_teardown(test_cleared, renew, give_back),
        cmocka_unit_test_setup_teardown(test_spilled, renew, give_back),
        cmocka_unit_test_setup_teardown(test_reallocated, renew, give_back),
        cmocka_unit_test_setup_teardown(test_twice, renew, give_back),
        cmocka_unit_test_setup_teardown(test_in_child, renew, give_back),
        cmocka_unit_test_setup_teardown(test_threads, renew, give_back),
    };

    return cmocka_run_group_tests(tests, start_patched, end);
}
