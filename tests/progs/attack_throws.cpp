/* SPDX-License-Identifier: MIT */
/*
 * attack_throws: exceptions through deep frames of many kinds, that allocate on their way: when
 * they are thrown, in the destructors of each frame while the stack is being left, in handlers that
 * throw on, and behind the one that ends it.
 */
#include "tests/progs/attack.h"

#include <alloca.h>

struct failure {
    unsigned number;
};

static unsigned long made[3];
static unsigned long cleanups[3];
static attack_random choices;

ATTACK_FRAME static void cleanup_makes(unsigned long *count)
{
    free(attack_keep(malloc(20)));
    ++*count;
}

/* Allocates when its frame is left. */
struct guard {
    unsigned long *count;

    ~guard()
    {
        cleanup_makes(count);
    }
};

ATTACK_FRAME static void thrower_makes(unsigned number)
{
    delete[] static_cast<char *>(attack_keep(new char[10 + number]));
    made[number]++;
    if (made[number] > 0)
        throw failure{number};
}

static void go_on(unsigned left, unsigned number);

ATTACK_FRAME static void plain_frame(unsigned left, unsigned number)
{
    guard on_leaving{&cleanups[number]};

    go_on(left, number);
    attack_escape(&on_leaving);
}

ATTACK_FRAME static void room_frame(unsigned left, unsigned number)
{
    guard on_leaving{&cleanups[number]};
    char *room = static_cast<char *>(alloca(16 + attack_next(&choices) % 16 * 16));

    attack_escape(room);
    go_on(left, number);
    attack_escape(room);
}

ATTACK_FRAME static void throwing_on(unsigned left, unsigned number)
{
    guard on_leaving{&cleanups[number]};

    try {
        go_on(left, number);
    } catch (const failure &) {
        cleanup_makes(&cleanups[number]);
        throw;
    }
}

ATTACK_FRAME static void go_on(unsigned left, unsigned number)
{
    static void (*const volatile frames[3])(unsigned, unsigned) = {plain_frame, room_frame,
                                                                   throwing_on};

    if (left == 0)
        thrower_makes(number);
    else
        frames[attack_next(&choices) % 3](left - 1, number);
    attack_escape(&left);
}

#define CATCHER(n)                                                                                 \
    ATTACK_FRAME static void catcher_##n(unsigned depth)                                           \
    {                                                                                              \
        try {                                                                                      \
            go_on(depth, n);                                                                       \
        } catch (const failure &caught) {                                                          \
            must(caught.number == n);                                                              \
        }                                                                                          \
    }

CATCHER(0)
CATCHER(1)
CATCHER(2)

static void (*const volatile catchers[3])(unsigned) = {catcher_0, catcher_1, catcher_2};

int main()
{
    unsigned long thrown = 0;
    unsigned long cleaned = 0;

    choices = attack_seed(11);
    /* Paths come back: each begins with one of few states of the choices. */
    for (unsigned i = 0; i < 6000; i++) {
        unsigned path = attack_next(&choices) % 40;
        attack_random kept = choices;

        choices = attack_seed(path);
        catchers[i % 3](attack_next(&choices) % 16);
        choices = kept;
    }
    for (unsigned n = 0; n < 3; n++) {
        char name[] = "catcher_0";
        unsigned long all = 2 * made[n] + cleanups[n];

        name[8] = static_cast<char>('0' + n);
        expect(name, "allocations=%lu frees=%lu live_blocks=0", all, all);
        thrown += made[n];
        cleaned += cleanups[n];
    }
    /* The exception is one of the allocations; it is released by who catches it. */
    expect("thrower_makes", "allocations=%lu frees=%lu live_blocks=0", 2 * thrown, 2 * thrown);
    expect("cleanup_makes", "allocations=%lu frees=%lu live_blocks=0", cleaned, cleaned);
    return 0;
}
