/* SPDX-License-Identifier: MIT */
/*
 * command.h: what a command is: one const struct, defined in its cmd_*.c, listed in main.c.
 *
 * A command prints its result on standard output and its messages by errors.h; it never exits, and
 * never calls another command.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"

struct command {
    const char *name;
    const char *operands; /* for the usage line: "DUMP"; "" if there are none */
    const char *summary;  /* one line, for the list of commands */
    const char *notes;    /* more lines for --help, or NULL */
    const struct option_spec *options;
    size_t values_size; /* of the struct that the options set */
    int least, most;    /* operands; most < 0: any number */
    bool program;       /* the operands are a program with options of its own: stop at the first */
    bool hidden;        /* not in the list of commands */

    /* Returns an exit code (enum exit_code, or that of the program that was run). */
    int (*run)(const void *values, int count, char **operands);
};

/* The array in main.c; NULL ends it. */
extern const struct command *const command_list[];

extern const struct command command_report, command_sites, command_polls, command_info,
    command_dump, command_run, command_compare, command_check, command_budget,
    command_self_test_child, command_completion, command_live, command_export, command_fallback,
    command_html;

#endif
