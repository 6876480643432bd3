/* SPDX-License-Identifier: MIT */
/*
 * rundumps.h: the dumps that one run of a program has made, its own and its descendants', found
 * where the template of their names says, while it runs or afterwards. Looks at their headers and
 * loops only, prints nothing. Called by cmd_run.
 */
#ifndef CLI_RUNDUMPS_H
#define CLI_RUNDUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rundumps {
    char *directory;
    char *name;                  /* the template's last part */
    uint64_t begin_monotonic_ns; /* a dump that is older is of another run */
};

struct rundump {
    char *path;
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t forked_from;
    bool running; /* its program has not ended: the process is there */
    uint64_t first_poll_ns;
    uint64_t last_ns; /* end of the last poll */
    uint64_t polls;
    uint64_t bytes; /* in these polls and between them */
    uint64_t live_bytes;
};

/* Where dumps will be: the template made absolute, for ALLOCREPORT_OUT; the caller frees.
 * `template` NULL: "%e.%p.alloc" in the working directory. NULL: the working directory is not
 * known, said so. */
char *rundumps_template(const char *template);

/* To be called just before the program starts, with an absolute template. */
struct rundumps rundumps_start(const char *template);
void rundumps_end(struct rundumps *dumps);

/* The dumps of the run whose program is `pid`, most polls first; NULL with *count 0 if none. */
struct rundump *rundumps_find(const struct rundumps *dumps, pid_t pid, size_t *count);
void rundumps_free(struct rundump *list, size_t count);

/* Whether a file's name is what the template's last part makes. For tests. */
bool rundumps_matches(const char *template, const char *name);

#endif
