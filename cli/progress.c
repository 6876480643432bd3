/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "cli/format.h"
#include "cli/term.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS 400000000u /* work that is shorter draws nothing */
#define EACH_NS  100000000u

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct progress progress_start(const char *what)
{
    return (struct progress){
        .what = what,
        .draws = term_can_draw(STDERR_FILENO),
        .next_ns = now_ns() + FIRST_NS,
    };
}

void progress_step(size_t done, size_t all, void *data)
{
    struct progress *progress = data;

    if (!progress->draws || now_ns() < progress->next_ns)
        return;
    fprintf(stderr, "\r%s: %s of %s\033[K", progress->what, format_count(done).text,
            format_count(all).text);
    fflush(stderr);
    progress->drawn = true;
    progress->next_ns = now_ns() + EACH_NS;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
