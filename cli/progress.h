/* SPDX-License-Identifier: MIT */
/*
 * progress.h: a line on standard error that says how far a long piece of work is: only on a
 * terminal, only when it takes longer than a moment, gone when the work is done. Called by the
 * commands.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what; /* "symbols" */
    bool draws;       /* standard error is a terminal in foreground */
    bool drawn;
    uint64_t next_ns; /* no drawing before */
};

struct progress progress_start(const char *what);

/* Fits model_symbolise: `data` is the struct progress. */
void progress_step(size_t done, size_t all, void *data);

void progress_end(struct progress *progress);

#endif
