/* SPDX-License-Identifier: MIT */
/* sdl_slots: which slots of a table are replaced, and when. */
#include "preload/sdl_slots.h"

#include "tests/unit/rec_helper.h"

REC_HOOK_SECTION

#define MOST 1300u

static void *slots[MOST + 1];

static void a_default(void)
{
}
static void a_real(void)
{
}

static struct ar_sdl_table *make(unsigned place, uint32_t major, uint32_t count)
{
    struct ar_sdl_table *table = &ar_sdl_tables[place];

    for (unsigned i = 0; i <= MOST; i++)
        slots[i] = (void *)a_default;
    *table = (struct ar_sdl_table){.sdl = {.major = major, .slots = count, .table = slots},
                                   .slots = slots};
    return table;
}

static unsigned replaced(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i <= MOST; i++)
        count += slots[i] != (void *)a_default && slots[i] != (void *)a_real;
    return count;
}

static void test_all(void **state)
{
    (void)state;
    assert_true(ar_sdl_slots_replace(make(0, 2, 838)));
    assert_int_equal(replaced(), 11);
    assert_true(ar_sdl_slots_ours(&ar_sdl_tables[0], AR_SDL_POLL));
    assert_ptr_equal(ar_sdl_tables[0].original[AR_SDL_POLL], a_default);
    assert_false(ar_sdl_slots_ours(&ar_sdl_tables[0], AR_SDL_GPU_SUBMIT));
    assert_false(ar_sdl_slots_ours(&ar_sdl_tables[0], AR_SDL_NO_CALL));
    assert_true(ar_sdl_slots_replace(make(0, 3, 1270)));
    assert_int_equal(replaced(), 16);
    assert_true(ar_sdl_slots_ours(&ar_sdl_tables[0], AR_SDL_GPU_SUBMIT));
}

/* A second time nothing changes: what is ours is no original. */
static void test_again(void **state)
{
    struct ar_sdl_table *table = make(0, 2, 838);

    (void)state;
    assert_true(ar_sdl_slots_replace(table));
    assert_true(ar_sdl_slots_replace(table));
    assert_ptr_equal(table->original[AR_SDL_POLL], a_default);
}

static void test_bounds(void **state)
{
    static const struct {
        uint32_t major, count;
        unsigned slots;
    } cases[] = {
        {2, 0, 0},  {2, 75, 2},   {2, 76, 3},    {2, 84, 7},    {2, 530, 11}, {3, 17, 0},
        {3, 18, 1}, {3, 973, 14}, {3, 1204, 15}, {3, 1205, 16}, {0, 838, 0},  {4, 1270, 0},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(ar_sdl_slots_replace(make(0, cases[i].major, cases[i].count)));
        assert_int_equal(replaced(), cases[i].slots);
        for (unsigned slot = cases[i].count; slot <= MOST; slot++)
            assert_ptr_equal(slots[slot], a_default);
    }
}

/* SDL fills the table one slot after the other; what it has not filled is left alone. */
static void test_late(void **state)
{
    struct ar_sdl_table *table = make(1, 2, 838);

    (void)state;
    ar_sdl_slots_remember(table);
    table->late = true;
    assert_false(ar_sdl_slots_filled(table));
    assert_false(ar_sdl_slots_replace(table));
    assert_int_equal(replaced(), 0);
    for (unsigned i = 0; i < 300; i++)
        slots[i] = (void *)a_real;
    assert_true(ar_sdl_slots_filled(table));
    assert_false(ar_sdl_slots_replace(table));
    assert_int_equal(replaced(), 7);
    for (unsigned i = 300; i < 838; i++)
        slots[i] = (void *)a_real;
    assert_true(ar_sdl_slots_replace(table));
    assert_int_equal(replaced(), 11);
    for (unsigned call = 0; call <= AR_SDL_SURFACE_RECTS; call++)
        assert_ptr_equal(table->original[call], a_real);
}

/* Each table has functions of its own. */
static void test_several(void **state)
{
    void *function = ar_sdl_slots_function(make(0, 2, 838), AR_SDL_POLL);

    (void)state;
    for (unsigned i = 1; i < AR_SDL_TABLES; i++)
        for (unsigned call = 0; call < AR_SDL_CALLS; call++)
            assert_ptr_not_equal(ar_sdl_slots_function(&ar_sdl_tables[i], (enum ar_sdl_call)call),
                                 function);
}

/* An object that goes takes its table with it, filled or not. */
static void test_gone(void **state)
{
    struct ar_sdl_table *table = make(2, 2, 838);
    uintptr_t start = (uintptr_t)slots;

    (void)state;
    table->start = start;
    table->end = (uintptr_t)(slots + MOST);
    table->late = true;
    ar_sdl_slots_gone(start - 1, true);
    ar_sdl_slots_gone(table->end, true);
    assert_true(table->late);
    assert_true(ar_sdl_slots_in_sdl2(start));
    ar_sdl_slots_gone(start, false);
    assert_false(table->late);
    assert_true(ar_sdl_slots_in_sdl2(start));
    ar_sdl_slots_gone(table->end - 1, true);
    assert_false(ar_sdl_slots_in_sdl2(start));
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(ar_sdl_slots_named("SDL_PollEvent"), AR_SDL_POLL);
    assert_int_equal(ar_sdl_slots_named("SDL_UpdateWindowSurfaceRects"), AR_SDL_SURFACE_RECTS);
    assert_int_equal(ar_sdl_slots_named("SDL_PollEvents"), AR_SDL_NO_CALL);
    assert_int_equal(ar_sdl_slots_named(""), AR_SDL_NO_CALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_again),   cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_late),  cmocka_unit_test(test_several), cmocka_unit_test(test_gone),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
