/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {{.name = NULL}};

static int completion_run(const void *values, int count, char **operands)
{
    (void)values;
    (void)count;
    if (strcmp(operands[0], "bash") != 0) {
        error("completion: no script for '%s'; there is one for: bash", operands[0]);
        return EXIT_USAGE;
    }
    help_completion(stdout, command_list);
    return EXIT_FINE;
}

const struct command command_completion = {
    .name = "completion",
    .operands = "SHELL",
    .summary = "print the completion script of a shell: bash",
    .options = options,
    .values_size = 1,
    .least = 1,
    .most = 1,
    .hidden = true,
    .run = completion_run,
};
