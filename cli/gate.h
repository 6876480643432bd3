/* SPDX-License-Identifier: MIT */
/*
 * gate.h: one dump against budgets and a baseline, from the options of a command line to the answer
 * in every format that was asked for. Called by cmd_check and cmd_run, which share its options.
 */
#ifndef CLI_GATE_H
#define CLI_GATE_H

#include "cli/baseline.h"
#include "cli/budget.h"
#include "cli/options.h"
#include "cli/out_verdict.h"

struct gate_options {
    const char *budget;           /* NULL: the default budget */
    const char *baseline;         /* NULL: none */
    const char *junit, *markdown; /* files that are written beside; NULL: none */
    int format;                   /* enum out_verdict_kind */
    bool strict;
    bool update, tighten, ci; /* cmd_check's alone: rewrite the baseline */
};

/* For the table of a command whose values have a `struct gate_options gate`. */
#define GATE_OPTIONS(values)                                                                       \
    {.name = "budget",                                                                             \
     .letter = 'b',                                                                                \
     .type = OPTION_FILE,                                                                          \
     .value = "FILE",                                                                              \
     .help = "the budget file, instead of the default budget",                                     \
     .offset = offsetof(struct values, gate.budget)},                                              \
        {.name = "baseline",                                                                       \
         .letter = 'B',                                                                            \
         .type = OPTION_FILE,                                                                      \
         .value = "FILE",                                                                          \
         .help = "the baseline that relative limits compare with",                                 \
         .offset = offsetof(struct values, gate.baseline)},                                        \
        {.name = "strict",                                                                         \
         .letter = 's',                                                                            \
         .type = OPTION_FLAG,                                                                      \
         .help = "warnings fail; what is better than asked for ends with 5",                       \
         .offset = offsetof(struct values, gate.strict)},                                          \
        {.name = "format",                                                                         \
         .letter = 'f',                                                                            \
         .type = OPTION_CHOICE,                                                                    \
         .value = "FORMAT",                                                                        \
         .help = "how the answer is printed",                                                      \
         .choices = out_verdict_names,                                                             \
         .offset = offsetof(struct values, gate.format)},                                          \
        {.name = "junit",                                                                          \
         .type = OPTION_FILE,                                                                      \
         .value = "FILE",                                                                          \
         .help = "also write the answer to FILE as JUnit XML",                                     \
         .offset = offsetof(struct values, gate.junit)},                                           \
    {                                                                                              \
        .name = "markdown", .type = OPTION_FILE, .value = "FILE",                                  \
        .help = "also write the answer to FILE as Markdown",                                       \
        .offset = offsetof(struct values, gate.markdown)                                           \
    }

struct gate {
    const struct gate_options *options;
    struct budget_file *file;
    struct baseline *baseline; /* NULL: none, or it is to be made */
};

/* Reads budget and baseline. Returns an exit code: EXIT_FINE, or what to end with, having printed
 * why; then nothing is to be closed. */
int gate_open(struct gate *gate, const struct gate_options *options);
void gate_close(struct gate *gate);

/*
 * Judges the dump that the request has open, and prints the answer to request->term.out in the
 * format that was asked for, and wherever else: files, GitHub's annotations and step summary.
 * `failure`: how the program that was run failed; NULL: it did not, or it is not known. Returns the
 * exit code.
 */
int gate_judge(const struct gate *gate, const struct out_request *request, const char *failure);

/* Rewrites the baseline from the dump (--update, --tighten), and prints what changed. */
int gate_update(const struct gate *gate, const struct out_request *request);

/* Runs a child that allocates one byte in each poll, and judges it: whether the gate can see
 * anything on this machine. EXIT_FINE or EXIT_UNREADABLE, and says so. */
int gate_self_test(const struct term *term);

/* The child of that. */
int gate_self_test_child(void);

#endif
