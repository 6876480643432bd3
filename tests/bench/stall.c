/* SPDX-License-Identifier: MIT */
/*
 * stall SECONDS: the worst that a game's thread may meet. Each turn polls, allocates and frees 16
 * blocks from a stack that is known, then sleeps for 0.2 ms; each 32nd turn also allocates from a
 * stack never seen before. Each poll, malloc and free is timed by itself, in nanoseconds: results
 * poll, block and new_stack, with their p99.99 (NAME_p9999) and most. The first turn, in which a
 * dump is made, is told apart: first_poll, first_block and first_new_stack, the
 * slowest of it.
 *
 * Runs at a real-time priority where it may (result realtime), so that other processes' turns on
 * the core are not taken for stalls. bench.py loads the disk meanwhile.
 */
#include "tests/bench/bench.h"
#include "tests/bench/path.h"

#include <SDL.h>
#include <sched.h>
#include <stdlib.h>

#define DEPTH      16u
#define BLOCKS     16u
#define NEW_EVERY  32u
#define PAUSE_NS   200000
#define TURNS_MOST 5000u /* in a second: of 0.2 ms each */

struct timings {
    const char *name;
    const char *p9999;
    double *ns;
    size_t count;
    size_t most;
};

static struct timings polls = {"poll", "poll_p9999", NULL, 0, 0};
static struct timings blocks = {"block", "block_p9999", NULL, 0, 0};
static struct timings news = {"new_stack", "new_stack_p9999", NULL, 0, 0};

static void start(struct timings *timings, size_t most)
{
    timings->most = most;
    timings->ns = bench_samples(most);
}

static void add(struct timings *timings, uint64_t begin)
{
    if (timings->count < timings->most)
        timings->ns[timings->count++] = (double)(bench_now_ns() - begin);
}

/* Takes out what the first turn took: its slowest. */
static void tell_first(struct timings *timings, const char *name)
{
    double most = 0;

    for (size_t i = 0; i < timings->count; i++)
        if (timings->ns[i] > most)
            most = timings->ns[i];
    timings->count = 0;
    bench_result(name, most);
}

static void tell(struct timings *timings)
{
    size_t above = timings->count / 10000;

    if (timings->count == 0)
        return;
    bench_result_samples(timings->name, timings->ns, timings->count);
    bench_result(timings->p9999, timings->ns[timings->count - 1 - above]);
}

static void use_blocks(void *argument)
{
    struct timings *timings = argument;
    void *block[BLOCKS];
    uint64_t begin;

    for (unsigned i = 0; i < BLOCKS; i++) {
        begin = bench_now_ns();
        block[i] = malloc(64 + 16 * (size_t)i);
        BENCH_USE(block[i]);
        add(timings, begin);
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        begin = bench_now_ns();
        free(block[i]);
        add(timings, begin);
    }
}

static void use_one(void *argument)
{
    uint64_t begin = bench_now_ns();
    void *block = malloc(64);

    BENCH_USE(block);
    add(argument, begin);
    free(block);
}

static void turn(uint64_t number)
{
    struct timespec pause = {0, PAUSE_NS};
    SDL_Event event;
    uint64_t begin = bench_now_ns();

    while (SDL_PollEvent(&event))
        ;
    add(&polls, begin);
    path_call(DEPTH, 0, use_blocks, &blocks);
    if (number % NEW_EVERY == 0)
        path_call(DEPTH, number / NEW_EVERY, use_one, &news);
    nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
    uint64_t seconds = bench_number(argc, argv, 1, "SECONDS");
    size_t turns = seconds * TURNS_MOST + 1;
    struct sched_param priority = {.sched_priority = 1};
    uint64_t end;

    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return 1;
    start(&polls, turns);
    start(&blocks, turns * BLOCKS * 2);
    start(&news, turns / NEW_EVERY + 1);
    bench_result("realtime", sched_setscheduler(0, SCHED_FIFO, &priority) == 0);
    turn(0);
    tell_first(&polls, "first_poll");
    tell_first(&blocks, "first_block");
    tell_first(&news, "first_new_stack");
    end = bench_now_ns() + seconds * 1000000000u;
    for (uint64_t number = 1; bench_now_ns() < end; number++)
        turn(number);
    tell(&polls);
    tell(&blocks);
    tell(&news);
    return 0;
}
