/* SPDX-License-Identifier: MIT */
/*
 * attack_callers: the same innermost frames, return addresses and stack heights, behind which
 * another caller stands. Eight callers of the same code call one chain of functions through a
 * pointer, at chain lengths from 1 to 40; two others recurse to changing depths, and two more so
 * deep that the stack's kept part is the same for both.
 */
#include "tests/progs/attack.h"

#define CALLERS     8u
#define CHAIN_MOST  40u
#define ROUNDS      150u
#define DEPTH_MOST  50u
#define BEYOND_KEPT 200u

typedef void caller(unsigned length);

static void (*volatile chain_now)(unsigned left);
static unsigned long allocations[CALLERS];
static volatile unsigned depth_now;

ATTACK_FRAME static void chain_makes(unsigned left)
{
    if (left > 0)
        chain_now(left - 1);
    else
        free(attack_keep(malloc(24)));
    attack_escape(&chain_now);
}

#define CALLER(number)                                                                             \
    ATTACK_FRAME static void caller_##number(unsigned length)                                      \
    {                                                                                              \
        chain_now(length);                                                                         \
        allocations[number]++;                                                                     \
    }

CALLER(0)
CALLER(1)
CALLER(2)
CALLER(3)
CALLER(4)
CALLER(5)
CALLER(6)
CALLER(7)

static caller *const volatile callers[CALLERS] = {caller_0, caller_1, caller_2, caller_3,
                                                  caller_4, caller_5, caller_6, caller_7};

/* Neighbours in time differ in their caller alone. */
static void call_all(struct attack_random *random)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned length = attack_next(random) % CHAIN_MOST;

        for (unsigned i = 0; i < 3 * CALLERS; i++)
            callers[attack_next(random) % CALLERS](length);
    }
}

ATTACK_FRAME static void recursion_makes(unsigned left)
{
    depth_now = left;
    if (left > 0)
        recursion_makes(left - 1);
    else
        free(attack_keep(malloc(40)));
    depth_now = left;
}

ATTACK_FRAME static void recurse_one(unsigned depth)
{
    recursion_makes(depth);
    attack_escape(&depth_now);
}

ATTACK_FRAME static void recurse_other(unsigned depth)
{
    recursion_makes(depth);
    attack_escape(&depth_now);
}

ATTACK_FRAME static void bottom_makes(unsigned left)
{
    depth_now = left;
    if (left > 0)
        bottom_makes(left - 1);
    else
        free(attack_keep(malloc(56)));
    depth_now = left;
}

ATTACK_FRAME static void fall_one(unsigned depth)
{
    bottom_makes(depth);
    attack_escape(&depth_now);
}

ATTACK_FRAME static void fall_other(unsigned depth)
{
    bottom_makes(depth);
    attack_escape(&depth_now);
}

int main(void)
{
    struct attack_random random = attack_seed(7);
    unsigned long one = 0;
    unsigned long other = 0;
    unsigned long fallen = 0;

    chain_now = chain_makes;
    call_all(&random);
    for (unsigned i = 0; i < 20 * ROUNDS; i++) {
        unsigned depth = attack_next(&random) % DEPTH_MOST;

        if (attack_next(&random) % 3 == 0) {
            recurse_one(depth);
            one++;
        } else {
            recurse_other(depth);
            other++;
        }
        (i % 2 == 0 ? fall_one : fall_other)(BEYOND_KEPT - i % 3);
        fallen++;
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        char name[] = "caller_0";

        name[7] = (char)('0' + i);
        expect(name, "allocations=%lu frees=%lu live_blocks=0", allocations[i], allocations[i]);
    }
    expect("recurse_one", "allocations=%lu frees=%lu", one, one);
    expect("recurse_other", "allocations=%lu frees=%lu", other, other);
    expect("bottom_makes", "allocations=%lu frees=%lu live_blocks=0", fallen, fallen);
    expect("recursion_makes", "allocations=%lu live_blocks=0", one + other);
    expect("chain_makes", "allocations=%u live_blocks=0", 3 * CALLERS * ROUNDS);
    expect("fall_one", "allocations=0");
    expect("fall_other", "allocations=0");
    return 0;
}
