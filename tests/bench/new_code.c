/* SPDX-License-Identifier: MIT */
/*
 * new_code COUNT: what a malloc costs from a stack of depth 16 that was never seen before, nine
 * frames of which are of functions that never ran before, as at a program's start; nanoseconds
 * (result ns). COUNT is at most 455.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>

#define NEW_FRAMES 9u /* the other seven: allocate, one more step, main and the start's */
#define FUNCTIONS  4096u

typedef void step(unsigned left, double *ns);

static step *const steps[FUNCTIONS];

static __attribute__((noinline)) void allocate(double *ns)
{
    uint64_t begin = bench_now_ns();
    void *block = malloc(64);

    BENCH_USE(block);
    *ns = (double)(bench_now_ns() - begin);
    free(block);
}

/* The function of each number; the text keeps it apart from all others. */
#define STEP(n)                                                                                    \
    static void step_##n(unsigned left, double *ns)                                                \
    {                                                                                              \
        if (left == 0)                                                                             \
            allocate(ns);                                                                          \
        else                                                                                       \
            steps[(0x##n + 1) % FUNCTIONS](left - 1, ns);                                          \
        __asm__ volatile("# " #n : : : "memory");                                                  \
    }
#define NAME(n) step_##n,
/* clang-format off */
#define ALL_16(what, n)                                                                            \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)        \
    what(n##8) what(n##9) what(n##a) what(n##b) what(n##c) what(n##d) what(n##e) what(n##f)
#define ALL_256(what, n)                                                                           \
    ALL_16(what, n##0) ALL_16(what, n##1) ALL_16(what, n##2) ALL_16(what, n##3)                    \
    ALL_16(what, n##4) ALL_16(what, n##5) ALL_16(what, n##6) ALL_16(what, n##7)                    \
    ALL_16(what, n##8) ALL_16(what, n##9) ALL_16(what, n##a) ALL_16(what, n##b)                    \
    ALL_16(what, n##c) ALL_16(what, n##d) ALL_16(what, n##e) ALL_16(what, n##f)
#define ALL(what)                                                                                  \
    ALL_256(what, 0) ALL_256(what, 1) ALL_256(what, 2) ALL_256(what, 3)                            \
    ALL_256(what, 4) ALL_256(what, 5) ALL_256(what, 6) ALL_256(what, 7)                            \
    ALL_256(what, 8) ALL_256(what, 9) ALL_256(what, a) ALL_256(what, b)                            \
    ALL_256(what, c) ALL_256(what, d) ALL_256(what, e) ALL_256(what, f)
/* clang-format on */

ALL(STEP)
static step *const steps[FUNCTIONS] = {ALL(NAME)};

int main(int argc, char **argv)
{
    size_t count = bench_number(argc, argv, 1, "COUNT");
    double *samples = bench_samples(count + 1);

    bench_poll();
    if (count == 0 || count > FUNCTIONS / NEW_FRAMES)
        return 1;
    allocate(&samples[0]);
    for (size_t i = 0; i < count; i++)
        steps[i * NEW_FRAMES](NEW_FRAMES - 1, &samples[i]);
    bench_result_samples("ns", samples, count);
    return 0;
}
