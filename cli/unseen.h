/* SPDX-License-Identifier: MIT */
/*
 * unseen.h: why a run left no dump: what its program's file says before it starts, what its
 * processes tell, and which of them go without the recorder. Called by cmd_run.
 */
#ifndef CLI_UNSEEN_H
#define CLI_UNSEEN_H

#include "cli/watch.h"

#include <stdio.h>

struct unseen {
    const char *program; /* as it was given */
    char *census;        /* path of the file, or NULL */
    unsigned preflight;  /* number of blind.h */
    struct watch watch;
};

/* Before the start: warns if the program's file cannot be recorded, and makes the file that
 * ALLOCREPORT_CENSUS is to name (`census`; NULL: it could not be made). */
struct unseen unseen_start(const char *program, const char *recorder);

/* Must it be started without the recorder? Another libc's loader would not start it with it. */
bool unseen_starts_bare(const struct unseen *unseen);

/* Now and then while it runs. */
void unseen_tick(struct unseen *unseen);

/* No dump was made: says why, in one line; as JSON to `json` too, unless it is NULL. */
void unseen_explain(const struct unseen *unseen, pid_t pid, FILE *json);

void unseen_end(struct unseen *unseen);

#endif
