/* SPDX-License-Identifier: MIT */
/*
 * polls COUNT: what an empty SDL_PollEvent costs, in nanoseconds over chunks of 1,000 (result ns),
 * with nothing initialised but video; then the bytes that the process has resident (resident).
 * bench.py sets the dummy driver.
 */
#include "tests/bench/bench.h"

#include <SDL.h>

#define CHUNK 1000u

int main(int argc, char **argv)
{
    size_t chunks = bench_number(argc, argv, 1, "COUNT") / CHUNK;
    double *samples = bench_samples(chunks + 1);
    SDL_Event event;

    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        fprintf(stderr, "SDL_Init: %s\n", SDL_GetError());
        return 1;
    }
    bench_poll();
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        uint64_t begin = bench_now_ns();

        for (unsigned i = 0; i < CHUNK; i++)
            if (SDL_PollEvent(&event) != 0)
                return 1;
        samples[chunk] = (double)(bench_now_ns() - begin) / CHUNK;
    }
    bench_result("resident", (double)bench_resident());
    if (chunks > 0)
        bench_result_samples("ns", samples, chunks);
    SDL_Quit();
    return 0;
}
