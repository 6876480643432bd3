/* SPDX-License-Identifier: MIT */
/*
 * runreport.h: what 'allocreport run' says when the program has ended: the report of its dump, the
 * gate's answer, or why there is no dump. Called by cmd_run, whose options it reads.
 */
#ifndef CLI_RUNREPORT_H
#define CLI_RUNREPORT_H

#include "cli/gate.h"
#include "cli/request.h"
#include "cli/rundumps.h"
#include "cli/unseen.h"

enum run_keep { RUN_KEEP_ALL, RUN_KEEP_REPORTED, RUN_KEEP_NONE };

/* The options of 'run', as its option table fills them. */
struct run_values {
    struct request_options common;
    struct gate_options gate;
    const char *output, *report, *recorder;
    uint64_t limit, stack_depth, max_size;
    int fork, keep; /* keep: enum run_keep */
    bool live, quiet, always, no_arguments, patch, compare_patch, verbose, check;
    char **found; /* with --compare-patch, of each run: the path of its dump */
};

/* Reports the run's dumps, or judges them; `failure` as gate_judge has it. Settles them where they
 * belong, and removes those that are not to be kept. EXIT_FINE if that went well. */
int runreport_dumps(const struct run_values *values, const struct gate *gate, const char *failure,
                    const struct rundumps *dumps, pid_t pid, const struct unseen *unseen);

/* The figures of two dumps, without and with the patched poll. */
int runreport_patches(const struct run_values *values, char *const *paths);

#endif
