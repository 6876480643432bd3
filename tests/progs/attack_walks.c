/* SPDX-License-Identifier: MIT */
/*
 * attack_walks: calls itself along pseudo-random paths through frames of many kinds (plain, with
 * alloca, with arrays of changing length, realigned, large, left by a jump), allocates at the end
 * of each, and keeps its own list of the frames that it is in. The paths come back again and again,
 * in changing order; rooms of two frames on the way make up for each other, and are not written to,
 * so that they hold what was left by other paths' frames. Prints each distinct path once,
 * outermost first, with the number of its allocations and their bytes:
 *
 *     path: PID ALLOCATIONS BYTES step_3 step_7 ...
 *
 * usage: attack_walks PATHS ROUNDS [SEED]
 */
#include "tests/progs/attack.h"

#include <alloca.h>

#define STEPS      14u
#define DEPTH_MOST 24u
#define PATHS_MOST 4096u
#define ROOM       512u /* bytes, of both frames that make up for each other */

struct path {
    unsigned depth;
    unsigned long count;
    unsigned long bytes;
    unsigned char steps[DEPTH_MOST];
};

typedef void step(unsigned left);

static struct path paths[PATHS_MOST];
static unsigned char trail[DEPTH_MOST];
static unsigned depth;
static unsigned room; /* that the path has left */
static unsigned size_now;
static struct attack_random choices;
static step *const volatile *steps_now;

ATTACK_FRAME static void leaf_makes(unsigned bytes)
{
    struct path *path = &paths[attack_hash(trail, depth) % PATHS_MOST];

    while (path->count > 0 && (path->depth != depth || memcmp(path->steps, trail, depth) != 0))
        path = path + 1 == paths + PATHS_MOST ? paths : path + 1;
    path->depth = depth;
    memcpy(path->steps, trail, depth);
    path->count++;
    path->bytes += bytes;
    free(attack_keep(malloc(bytes)));
}

static unsigned some_room(void)
{
    unsigned most = room / 16;
    unsigned taken = most > 0 ? 16 * (attack_next(&choices) % (most + 1)) : 0;

    room -= taken;
    return taken;
}

/* The next step, or the allocation. Inlined: the step itself makes the call. */
static inline __attribute__((always_inline)) void onwards(unsigned left)
{
    if (left == 0)
        leaf_makes(size_now);
    else
        steps_now[attack_next(&choices) % STEPS](left - 1);
}

/* One step: `declared` is what its frame holds, `local` a part of that. What room there is is not
 * written to. */
#define STEP(number, declared, local)                                                              \
    ATTACK_FRAME static void step_##number(unsigned left)                                          \
    {                                                                                              \
        declared;                                                                                  \
        attack_escape(local);                                                                      \
        trail[depth++] = number;                                                                   \
        onwards(left);                                                                             \
        depth--;                                                                                   \
        attack_escape(local);                                                                      \
    }

#define PLAIN(number)       STEP(number, , left)
#define WITH_ALLOCA(number) STEP(number, char *bytes = alloca(some_room() + 16), bytes)
#define WITH_ARRAY(number)  STEP(number, char bytes[some_room() + 16], bytes)
#define LARGE(number, size) STEP(number, char bytes[size], bytes)
#define REALIGNED(number, boundary)                                                                \
    STEP(number, char bytes[boundary] __attribute__((aligned(boundary))), bytes)
/* Neither the frame's begin nor its end are at a known place. */
#define REALIGNED_ALLOCA(number, boundary)                                                         \
    STEP(number, char bytes[boundary] __attribute__((aligned(boundary))); attack_escape(bytes);    \
         char *more = alloca(some_room() + 16), more)

PLAIN(0)
PLAIN(1)
PLAIN(2)
PLAIN(3)
WITH_ALLOCA(4)
WITH_ALLOCA(5)
WITH_ARRAY(6)
WITH_ARRAY(7)
REALIGNED(8, 64)
REALIGNED(9, 128)
REALIGNED_ALLOCA(10, 32)
LARGE(11, 1000)

/* Leaves its frame before the next step: it stands in no stack. */
ATTACK_TAIL_CALLS ATTACK_FRAME static void step_12(unsigned left)
{
    ATTACK_TAIL_CALL steps_now[attack_next(&choices) % STEPS](left > 0 ? left - 1 : 0);
}

ATTACK_REALIGN
PLAIN(13)

static step *const volatile steps[STEPS] = {step_0,  step_1,  step_2,  step_3, step_4,
                                            step_5,  step_6,  step_7,  step_8, step_9,
                                            step_10, step_11, step_12, step_13};

static void walk(unsigned long seed)
{
    choices = attack_seed(seed);
    depth = 0;
    room = ROOM;
    size_now = 1 + attack_next(&choices) % 64;
    steps_now = steps;
    steps_now[attack_next(&choices) % STEPS](1 + attack_next(&choices) % (DEPTH_MOST - 2));
}

static void print_paths(void)
{
    for (unsigned i = 0; i < PATHS_MOST; i++) {
        if (paths[i].count == 0)
            continue;
        printf("path: %d %lu %lu", (int)getpid(), paths[i].count, paths[i].bytes);
        for (unsigned k = 0; k < paths[i].depth; k++)
            printf(" step_%u", paths[i].steps[k]);
        putchar('\n');
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
    struct attack_random order = attack_seed(argc > 3 ? strtoul(argv[3], NULL, 10) : 1);

    must(count > 0 && count < PATHS_MOST / 2);
    for (unsigned long i = 0; i < count * rounds; i++)
        walk(attack_next(&order) % count + 1000);
    print_paths();
    return 0;
}
