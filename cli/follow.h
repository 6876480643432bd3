/* SPDX-License-Identifier: MIT */
/*
 * follow.h: a running program's dump, read again and again, without the program noticing: the file
 * is read through a descriptor of its own, nothing of the process is looked at but whether it is
 * there. The file may grow, move from a tmpfs to its place, or be removed; the program may end, be
 * killed, or replace itself by another, whose dump is followed then. Called by `live` and
 * `run --live`.
 */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include "cli/model.h"
#include "cli/reading.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Readings that are kept: those of the last seconds, if one is taken each second. */
#define FOLLOW_KEPT   6u
#define FOLLOW_POINTS 256u /* changes from one reading to the next that are kept */

enum follow_state {
    FOLLOW_RUNNING = 0,
    FOLLOW_REPLACED = 1, /* by another program in the same process, which has no dump so far */
    FOLLOW_ENDED = 2     /* nothing will change any more */
};

struct follow {
    char *path;
    int descriptor; /* of the dump */
    int process;    /* a pidfd; -1: the kernel has none */
    uint32_t pid;
    enum follow_state state;
    struct model *model;                   /* as it was read last */
    struct reading *readings[FOLLOW_KEPT]; /* oldest first; at least one */
    size_t reading_count;
    struct reading_change points[FOLLOW_POINTS]; /* oldest first */
    size_t point_count;
    uint64_t spent_ns; /* what the last reading took */
};

/* Opens the dump of a running program and reads it for the first time. `pid` 0: its process is the
 * one that the dump states. Returns an exit code: EXIT_FINE; or EXIT_UNREADABLE, or
 * EXIT_INCONCLUSIVE since the program has ended: then nothing is to be ended, and *reason is a
 * message that the caller frees. */
int follow_start(struct follow *follow, const char *path, uint32_t pid, char **reason);

/* Reads it again. False: there is nothing new, since the program has ended or the file could not be
 * read this time. The model and rows drawn from it are gone after a true. */
bool follow_read(struct follow *follow);

void follow_end(struct follow *follow);

/* From the last reading but one; and from the oldest that is kept. All 0 after the first. */
struct reading_change follow_last(const struct follow *follow);
struct reading_change follow_recent(const struct follow *follow);

/* As reading_rows, of the same two spans of time: since the last reading but one, or since the
 * oldest that is kept. */
enum follow_span { FOLLOW_LAST, FOLLOW_RECENT };
struct reading_row *follow_rows(const struct follow *follow, enum follow_span span,
                                enum reading_order order, size_t *count);

/* Whether the program has ended: also before a reading has said so. */
bool follow_is_over(const struct follow *follow);

/* Nanoseconds to wait before the next reading: the interval, or so much longer that reading takes
 * at most a tenth of one processor. */
uint64_t follow_pause_ns(const struct follow *follow, uint64_t interval_ns);

#endif
