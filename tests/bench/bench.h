/* SPDX-License-Identifier: MIT */
/*
 * bench.h: what the measured programs share: the clock, arguments, a poll, and results, which are
 * lines "result NAME VALUE" on standard output for bench.py to read. Programs measure in chunks far
 * shorter than a time slice and tell the median chunk, which another busy process hardly moves.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The compiler must take `pointer` as used, and all memory as changed. */
#define BENCH_USE(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

static inline uint64_t bench_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Argument `at` as a number; ends the program with a message when it is none, or absent. */
uint64_t bench_number(int argc, char **argv, int at, const char *name);

/* One SDL_PollEvent: the recorder's dump begins at the first. */
void bench_poll(void);

/* `count` numbers in memory of their own that is touched already: measuring allocates nothing. Ends
 * the program when there is no memory. */
double *bench_samples(size_t count);

/* Results NAME (median), NAME_mean, NAME_p99 and NAME_most. Sorts the samples. */
void bench_result_samples(const char *name, double *samples, size_t count);
void bench_result(const char *name, double value);

/* Bytes that are resident now: anonymous, of files and shared memory. */
uint64_t bench_resident(void);

#endif
