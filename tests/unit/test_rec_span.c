/* SPDX-License-Identifier: MIT */
#include "preload/span.h"

#include "tests/unit/rec_helper.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)4096)

/* `pages` pages that can be read, between guard pages. */
static uintptr_t map_pages(unsigned pages)
{
    char *place = mmap(NULL, (pages + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(place != MAP_FAILED);
    assert_int_equal(mprotect(place + PAGE, pages * PAGE, PROT_READ | PROT_WRITE), 0);
    return (uintptr_t)place + PAGE;
}

static void unmap_pages(uintptr_t place, unsigned pages)
{
    munmap((void *)(place - PAGE), (pages + 2) * PAGE);
}

static void test_page_of_stack_pointer(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t place = map_pages(4);
    struct ar_span *span = ar_span_of(&spans, place + PAGE + 24);

    (void)state;
    assert_int_equal(span->low, place + PAGE);
    assert_true(span->high >= place + 2 * PAGE && span->high <= place + 4 * PAGE);
    unmap_pages(place, 4);
}

/* Goes on to the last word that can be read, and not a word further, however much is asked for. */
static void test_guard_page(void **state)
{
    (void)state;
    for (unsigned pages = 1; pages < 70; pages += 3) {
        struct ar_spans spans = {0};
        uintptr_t place = map_pages(pages);
        uintptr_t end = place + pages * PAGE;
        struct ar_span *span = ar_span_of(&spans, place + 8);

        assert_true(ar_span_covers(span, place + 8));
        assert_true(ar_span_covers(span, end - 8));
        assert_int_equal(span->high, end);
        assert_false(ar_span_covers(span, end));
        assert_false(ar_span_covers(span, end + 8));
        assert_false(ar_span_covers(span, end + 100 * PAGE));
        assert_int_equal(span->high, end);
        unmap_pages(place, pages);
    }
}

static void test_hole(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t place = map_pages(40);
    struct ar_span *span;

    (void)state;
    munmap((void *)(place + 20 * PAGE), PAGE);
    span = ar_span_of(&spans, place);
    assert_false(ar_span_covers(span, place + 21 * PAGE));
    assert_true(ar_span_covers(span, place + 20 * PAGE - 8));
    assert_int_equal(span->high, place + 20 * PAGE);
    unmap_pages(place, 40);
}

/* Nobody looks through gigabytes for a frame. */
static void test_far_away(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t place = map_pages(2);
    struct ar_span *span = ar_span_of(&spans, place);
    uintptr_t high = span->high;

    (void)state;
    assert_false(ar_span_covers(span, high + ((uintptr_t)1 << 32)));
    assert_false(ar_span_covers(span, UINTPTR_MAX - 7));
    assert_int_equal(span->high, high);
    unmap_pages(place, 2);
}

/* The stack grows down and is the same one; a hole between makes it another. */
static void test_grows_down(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t place = map_pages(100);
    uintptr_t end = place + 100 * PAGE;
    struct ar_span *span = ar_span_of(&spans, end - 64);

    (void)state;
    assert_true(ar_span_covers(span, end - 8));
    span = ar_span_of(&spans, place + 50 * PAGE + 16);
    assert_int_equal(span->low, place + 50 * PAGE);
    assert_int_equal(span->high, end);
    munmap((void *)(place + 20 * PAGE), PAGE);
    span = ar_span_of(&spans, place + 10 * PAGE);
    assert_int_equal(span->low, place + 10 * PAGE);
    assert_true(span->high <= place + 20 * PAGE);
    span = ar_span_of(&spans, end - 64);
    assert_int_equal(span->low, place + 50 * PAGE);
    assert_int_equal(span->high, end);
    unmap_pages(place, 100);
}

static void test_several_stacks(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t places[AR_SPANS];

    (void)state;
    for (unsigned i = 0; i < AR_SPANS; i++) {
        struct ar_span *span;

        places[i] = map_pages(8);
        span = ar_span_of(&spans, places[i] + 64);
        assert_true(ar_span_covers(span, places[i] + 8 * PAGE - 8));
    }
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < AR_SPANS; i++) {
            struct ar_span *span = ar_span_of(&spans, places[i] + 64);

            assert_ptr_equal(span, &spans.spans[0]);
            assert_int_equal(span->low, places[i]);
            assert_int_equal(span->high, places[i] + 8 * PAGE);
        }
    for (unsigned i = 0; i < AR_SPANS; i++)
        unmap_pages(places[i], 8);
}

/* One more than are remembered: the one not used for longest is forgotten, and found again. */
static void test_one_more(void **state)
{
    struct ar_spans spans = {0};
    uintptr_t places[AR_SPANS + 1];

    (void)state;
    for (unsigned i = 0; i <= AR_SPANS; i++) {
        places[i] = map_pages(8);
        ar_span_covers(ar_span_of(&spans, places[i] + 64), places[i] + 7 * PAGE);
    }
    for (unsigned i = 0; i < AR_SPANS; i++)
        assert_true(spans.spans[i].low != places[0]);
    assert_int_equal(ar_span_of(&spans, places[0] + 64)->low, places[0]);
    for (unsigned i = 0; i <= AR_SPANS; i++)
        unmap_pages(places[i], 8);
}

/* Whatever a sanitizer keeps between the objects of a stack. */
__attribute__((no_sanitize_address)) static unsigned char byte_at(uintptr_t place)
{
    return *(volatile unsigned char *)place;
}

static void test_own_stack(void **state)
{
    struct ar_spans spans = {0};
    volatile char here[64];
    uintptr_t place = (uintptr_t)here & ~(uintptr_t)7;
    struct ar_span *span = ar_span_of(&spans, place);
    uintptr_t sum = 0;

    (void)state;
    memset((char *)here, 1, sizeof here);
    while (ar_span_covers(span, place))
        place = span->high;
    for (uintptr_t at = span->low; at < span->high; at += PAGE)
        sum += byte_at(at);
    assert_true(span->high > (uintptr_t)here);
    assert_true(sum + 1 > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_of_stack_pointer),
        cmocka_unit_test(test_guard_page),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_grows_down),
        cmocka_unit_test(test_several_stacks),
        cmocka_unit_test(test_one_more),
        cmocka_unit_test(test_own_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
