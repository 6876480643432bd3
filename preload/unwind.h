/* SPDX-License-Identifier: MIT */
/*
 * unwind.h: libunwind, alone. It is asked one thing only: how one frame is left, given an address
 * in its code. It is opened at start in a scope of its own (its names do not reach the program, and
 * the program's open, write or mmap do not reach it), and reads memory only through unwind.c's own
 * accessors: it makes no pipe, takes no lock of the loader, and cannot fault on wrong tables.
 *
 * rules.c keeps the answers, so that each address is asked for once; walk.c walks by them.
 */
#ifndef AR_UNWIND_H
#define AR_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* What is tracked of a frame: where it executes (a return address), its stack and frame pointers.
 */
struct ar_frame {
    uintptr_t ip;
    uintptr_t sp;
    uintptr_t fp;
    bool exact; /* ip is an instruction that was interrupted, not one behind a call */
};

enum ar_rule_kind {
    AR_RULE_NONE = 0,  /* the frame cannot be left: its table is wrong */
    AR_RULE_GUESS,     /* its code has no table: it may keep a frame pointer */
    AR_RULE_OUTERMOST, /* there is no frame behind */
    AR_RULE_SIMPLE,    /* as the other members say */
    AR_RULE_SLOW       /* by ar_unwind_step each time: signal frames, unusual expressions */
};

enum ar_rule_base { AR_BASE_SP, AR_BASE_FP, AR_BASE_FP_WORD };

/* CFA (the stack pointer of the frame behind) = base + cfa, where base is sp, fp, or the word at
 * fp + word. The return address is at CFA + ra. The caller's fp is at CFA + fp, or with
 * AR_BASE_FP_WORD (gcc's realigned frames) at this frame's fp + fp, or unchanged. */
struct ar_rule {
    enum ar_rule_kind kind;
    enum ar_rule_base base;
    int32_t cfa;
    int32_t word;
    int32_t ra;
    int32_t fp; /* AR_FP_SAME: unchanged */
};
#define AR_FP_SAME INT32_MIN

/* At start, where dlopen may be called. False: there is no unwinder. */
bool ar_unwind_start(void);

/* Has it been started? */
bool ar_unwind_ready(void);

/* May it be asked now? Not where the program has forbidden system calls. */
bool ar_unwind_may_ask(void);

/* Is a sanitizer's runtime in the program? It ends the program at a dlopen with RTLD_DEEPBIND. */
bool ar_unwind_sanitizer(void);

/* In a new child process: a thread that is not here may have been inside libunwind. */
void ar_unwind_reset(void);

/* Around a fork, in the thread that forks: no other is inside libunwind meanwhile. A raw clone has
 * no such care taken: then ar_unwind_reset gives up what that thread left half done. */
void ar_unwind_before_fork(void);
void ar_unwind_after_fork(void);

/* What walks the stacks, or why nothing does. */
const char *ar_unwind_description(void);

/* The rule for frames that execute at `ip`. A few microseconds; blocks signals meanwhile. */
struct ar_rule ar_unwind_rule(uintptr_t ip, bool exact);

/* Leaves `frame` by libunwind, reading the stack's words by `read` (false: not readable). 1:
 * `frame` is the one behind; 0: it was the outermost; -1: it cannot be left. */
typedef bool ar_read_word(void *context, uintptr_t address, uintptr_t *word);
int ar_unwind_step(struct ar_frame *frame, ar_read_word *read, void *context);

#endif
