/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench.h"

#include <SDL.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s %s\n", what, name);
    exit(1);
}

uint64_t bench_number(int argc, char **argv, int at, const char *name)
{
    char *end;
    uint64_t value;

    if (at >= argc)
        fail("missing argument", name);
    value = strtoull(argv[at], &end, 10);
    if (end == argv[at] || *end != '\0')
        fail("not a number: argument", name);
    return value;
}

void bench_poll(void)
{
    SDL_Event event;

    while (SDL_PollEvent(&event))
        ;
}

double *bench_samples(size_t count)
{
    double *samples = mmap(NULL, count * sizeof *samples, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    if (samples == MAP_FAILED)
        fail("no memory for", "samples");
    return samples;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

void bench_result(const char *name, double value)
{
    printf("result %s %.4f\n", name, value);
}

static void result_part(const char *name, const char *part, double value)
{
    printf("result %s_%s %.4f\n", name, part, value);
}

void bench_result_samples(const char *name, double *samples, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    qsort(samples, count, sizeof *samples, by_value);
    bench_result(name, samples[count / 2]);
    result_part(name, "mean", sum / (double)count);
    result_part(name, "p99", samples[count - 1 - count / 100]);
    result_part(name, "most", samples[count - 1]);
}

uint64_t bench_resident(void)
{
    char text[4096];
    int file = open("/proc/self/status", O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    const char *line;

    if (length <= 0)
        fail("cannot read", "/proc/self/status");
    close(file);
    text[length] = '\0';
    line = strstr(text, "VmRSS:");
    if (line == NULL)
        fail("no VmRSS in", "/proc/self/status");
    return strtoull(line + strlen("VmRSS:"), NULL, 10) * 1024;
}
