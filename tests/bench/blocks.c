/* SPDX-License-Identifier: MIT */
/*
 * blocks COUNT SIZE: keeps COUNT blocks of SIZE bytes and tells by how many bytes the process's
 * resident memory grew for each of the last half of them (result bytes): what it takes once is
 * there by then. What a tool adds is the difference to the plain run's.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t count = bench_number(argc, argv, 1, "COUNT");
    size_t size = bench_number(argc, argv, 2, "SIZE");
    uint64_t before = 0;

    for (unsigned i = 0; i < 1000; i++)
        bench_poll();
    for (size_t i = 0; i < count; i++) {
        void *block = malloc(size);

        if (i == count / 2)
            before = bench_resident();
        if (block == NULL)
            return 1;
        memset(block, 1, size);
        BENCH_USE(block);
    }
    bench_result("bytes", (double)(bench_resident() - before) / (double)(count - count / 2));
    return 0;
}
