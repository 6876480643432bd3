/* SPDX-License-Identifier: MIT */
/*
 * blind.h: the one table of all reasons why nothing, or not all, can be told of a program, with
 * what is to be done: for messages, notes and JSON. allocreport-blind(7) lists the same. Prints
 * nothing. Called by the model, the outputs and cmd_run's helpers.
 */
#ifndef CLI_BLIND_H
#define CLI_BLIND_H

#include "preload/dump_format.h"

#include <stddef.h>

/* Those that the launcher finds; the recorder's are enum dump_blind, below 64. */
enum blind {
    BLIND_NO = DUMP_BLIND_NO,
    BLIND_STATIC = 64,  /* the loader does not come into it */
    BLIND_32_BIT,       /* of this machine, but of the other word size */
    BLIND_MACHINE,      /* of another machine */
    BLIND_LIBC,         /* not of glibc */
    BLIND_PRIVILEGED,   /* set-user-id and its like: the loader ignores LD_PRELOAD */
    BLIND_VARIABLE,     /* LD_PRELOAD was taken away */
    BLIND_NOT_LOADED,   /* no process has told of itself */
    BLIND_NO_FILE,      /* polled, but no file could be made */
    BLIND_NOT_TOLD,     /* it was killed before it could tell, or its recorder was an older one */
    BLIND_RUNTIMES = 96 /* and the number of the bit of DUMP_RUNTIME_*: notes, as are those below */
};
#define BLIND_INCOMPLETE_OWN    160 /* a malloc of the program's own, beside what was seen */
#define BLIND_INCOMPLETE_FIRST  161
#define BLIND_INCOMPLETE_DEEP   162
#define BLIND_INCOMPLETE_HIDDEN 163

struct blind_words {
    unsigned number;
    const char *code;   /* for JSON: lower case, words joined by '-' */
    const char *reason; /* what is the case, without a full stop */
    const char *advice; /* what to do about it, a sentence without a full stop */
};

/* NULL: there is no such number. */
const struct blind_words *blind_words(unsigned number);

/* All, in order; *count of them. */
const struct blind_words *blind_table(size_t *count);

/* What incompletes the view of allocations where polls were seen: writes at most `most` numbers for
 * the header's fields to `numbers`, returns how many there are. */
#define BLIND_INCOMPLETE_MOST 16u
size_t blind_incomplete(uint32_t facts, uint32_t runtimes, unsigned numbers[BLIND_INCOMPLETE_MOST]);

#endif
