/* SPDX-License-Identifier: MIT */
/*
 * heapwatch.h: what the kernel had to give: rises of the program break between polls, and page
 * faults of the process, asked for at most each AR_FAULTS_EVERY_NS. One thread writes its own
 * record.
 */
#ifndef AR_HEAPWATCH_H
#define AR_HEAPWATCH_H

#include "preload/dump_format.h"

#define AR_FAULTS_EVERY_NS ((uint64_t)20000000)

struct ar_heapwatch {
    uintptr_t program_break;
    uint64_t mapped_blocks;
    uint64_t minor_at_start;
    uint64_t major_at_start;
    uint64_t next_sample_ns; /* 0: nothing was sampled yet */
};

/* At start: finds libc's own word that holds the program break. */
void ar_heapwatch_start(void);

/* What the program break rose by since is not the program's doing. */
void ar_heapwatch_forget(struct ar_heapwatch *watch);

/* A poll has ended. */
void ar_heapwatch_poll(struct ar_heapwatch *watch, struct dump_thread *record, uint64_t now_ns);

#endif
