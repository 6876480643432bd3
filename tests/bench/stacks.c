/* SPDX-License-Identifier: MIT */
/*
 * stacks HOW COUNT: what a malloc costs from stacks that are not the usual one, each timed by
 * itself in nanoseconds, the clock's own cost included (result ns); COUNT at most 4 ^ 9.
 *
 * new     COUNT stacks of depth 16, none of them seen before, in code that has been walked before
 * back    COUNT stacks of depth 12 to 20, one after the other, thrice before and then timed: more
 *         than a recorder can keep at hand, but all known; COUNT at most 9 * 4 ^ 5
 * depth   one recursion, at a depth from 12 to 20 that changes each time; COUNT times
 */
#include "tests/bench/bench.h"
#include "tests/bench/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE    64u
#define DEPTH   16u
#define SHALLOW 12u
#define DEPTHS  9u

static void allocate(void *argument)
{
    double *ns = argument;
    uint64_t begin = bench_now_ns();
    void *block = malloc(SIZE);

    BENCH_USE(block);
    *ns = (double)(bench_now_ns() - begin);
    free(block);
}

/* An order without pattern: multiples of an odd number, the low bits dropped. */
static uint64_t scattered(uint64_t i)
{
    return (i * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
}

static void one_of_new(uint64_t i, double *ns)
{
    path_call(DEPTH, i, allocate, ns);
}

static void one_of_known(uint64_t i, double *ns)
{
    path_call(SHALLOW + (unsigned)(i % DEPTHS), i / DEPTHS, allocate, ns);
}

static void one_of_depths(uint64_t i, double *ns)
{
    path_call(SHALLOW + (unsigned)(scattered(i) % DEPTHS), 0, allocate, ns);
}

static const struct {
    const char *name;
    void (*one)(uint64_t i, double *ns);
    unsigned rounds_before;
} ways[] = {
    {"new", one_of_new, 0},
    {"back", one_of_known, 3},
    {"depth", one_of_depths, 1},
};

int main(int argc, char **argv)
{
    size_t count = bench_number(argc, argv, 2, "COUNT");
    double *samples = bench_samples(count + 1);

    bench_poll();
    /* each step of path_call, at another depth */
    for (uint64_t path = 0; path < 4; path++)
        path_call(DEPTH + 1, path * 0x5555, allocate, &samples[0]);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        if (count == 0 || strcmp(argv[1], ways[way].name) != 0)
            continue;
        for (unsigned round = 0; round <= ways[way].rounds_before; round++)
            for (size_t i = 0; i < count; i++)
                ways[way].one(i, &samples[i]);
        bench_poll();
        bench_result_samples("ns", samples, count);
        return 0;
    }
    fprintf(stderr, "usage: stacks new|back|depth COUNT\n");
    return 1;
}
