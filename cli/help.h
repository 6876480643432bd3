/* SPDX-License-Identifier: MIT */
/*
 * help.h: what the tables of commands and options say to people and to shells: the list of
 * commands, one command's help, and the completion script for bash. Called by main and
 * cmd_completion.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

#include <stdio.h>

/* `commands` ends with NULL. */
void help_commands(FILE *out, const struct command *const *commands);
void help_command(FILE *out, const struct command *command);

/* A script for bash, made from the tables alone: the same bytes on every machine. */
void help_completion(FILE *out, const struct command *const *commands);

#endif
