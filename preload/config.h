/* SPDX-License-Identifier: MIT */
/*
 * config.h: the options, read from the environment once, at start. config.c holds the one table of
 * them; liballocreport(7) documents each.
 */
#ifndef AR_CONFIG_H
#define AR_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AR_DEPTH_MOST 64u

enum ar_loop_kind {
    AR_LOOP_SDL = 0,
    AR_LOOP_GLFW = 1, /* GLFW's, too */
    AR_LOOP_EPOLL = 2 /* libc's poll, epoll_wait, select and their kin, too */
};

#define AR_PATCH_POLL 1u /* ALLOCREPORT_PATCH=poll: polls are served without the heap (patch.h) */
#define AR_PATCH_WAIT 2u /* ALLOCREPORT_PATCH=wait: waits that sleep in steps block */

struct ar_config {
    const char *out;      /* ALLOCREPORT_OUT: template of the dump's path, or NULL */
    uint64_t direct;      /* ALLOCREPORT_DIRECT: the dump is at its own path from the start */
    uint64_t quiet;       /* ALLOCREPORT_QUIET: no line at exit */
    uint64_t always;      /* ALLOCREPORT_ALWAYS: a dump also of a program that never polls */
    uint64_t stack_depth; /* ALLOCREPORT_STACK_DEPTH: frames kept, 1..64 */
    uint64_t verbose;     /* ALLOCREPORT_VERBOSE: say what is done */
    uint64_t follow_fork; /* ALLOCREPORT_FORK=follow|stop: what a forked child does */
    uint64_t
        loop; /* ALLOCREPORT_LOOP=sdl|glfw|epoll: whose polls count, beside SDL's and marked ones */
    uint64_t sample;    /* ALLOCREPORT_SAMPLE: the stack of one allocation in so many is taken */
    uint64_t verify;    /* ALLOCREPORT_VERIFY: check each stack against libunwind */
    uint64_t dlsym;     /* ALLOCREPORT_DLSYM: count calls of functions that dlsym found, too */
    uint64_t arguments; /* ALLOCREPORT_ARGUMENTS: 0 keeps them out of the dump */
    uint64_t max_size;  /* ALLOCREPORT_MAX_SIZE: most MiB of a dump */
    uint64_t patch;     /* ALLOCREPORT_PATCH: AR_PATCH_POLL and AR_PATCH_WAIT, added up */
    uint64_t reserve;   /* ALLOCREPORT_RESERVE: most MiB that a patched thread keeps ready */
    uint64_t queue;     /* ALLOCREPORT_QUEUE: events that SDL's queue has room for beforehand */
    const char *census; /* ALLOCREPORT_CENSUS: file of `allocreport run` (census.h), or NULL */
};

extern struct ar_config ar_config;

/* `environment` is the NULL-terminated array that the kernel gave the program; it stays valid.
 * Wrong values are reported in one line each and ignored. */
void ar_config_start(char *const *environment);

/* The value of `name` in that environment, or NULL. */
const char *ar_config_environment(const char *name);

#endif
