/* SPDX-License-Identifier: MIT */
/* main.c: the array of commands, and the one runner that calls them and checks their output. */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/help.h"
#include "cli/version.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command *const command_list[] = {
    &command_run,   &command_live,       &command_report,          &command_sites,
    &command_polls, &command_compare,    &command_export,          &command_html,
    &command_check, &command_budget,     &command_fallback,        &command_info,
    &command_dump,  &command_completion, &command_self_test_child, NULL};

static const struct command *find_command(const char *name)
{
    for (const struct command *const *command = command_list; *command != NULL; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

/* A descriptor 0..2 that is closed would be taken by the next file that is opened. Held open the
 * other way round instead, it fails as a closed one does; programs that are run do not inherit it.
 */
static void hold_standard_descriptors(void)
{
    for (int i = 0; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", (i == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/* What was printed counts only when it has arrived. */
static int finish(int status)
{
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        error("cannot write standard output: %s", errno != 0 ? strerror(errno) : "write error");
        return status == EXIT_FINE ? EXIT_INCONCLUSIVE : status;
    }
    return status;
}

static int unknown_command(const char *word)
{
    const char *names[32];
    size_t count = 0;

    for (const struct command *const *command = command_list; *command != NULL; command++)
        if (!(*command)->hidden)
            names[count++] = (*command)->name;
    names[count++] = "help";
    names[count] = NULL;

    const char *nearest = options_nearest(word, names);
    if (nearest != NULL)
        error("no command and no file '%s'; did you mean '%s'?", word, nearest);
    else
        error("no command and no file '%s'; 'allocreport help' lists the commands", word);
    return EXIT_USAGE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    void *values = xcalloc(1, command->values_size);
    struct parsed parsed;
    int status = EXIT_USAGE;

    options_initialise(command->options, values);
    if (options_parse(command->options, values, command->program, argc, argv, &parsed) != 0) {
        /* said already */
    } else if (parsed.help) {
        help_command(stdout, command);
        status = EXIT_FINE;
    } else if (parsed.count < command->least) {
        error("%s: an argument is missing; usage: allocreport %s%s %s", command->name,
              command->name, command->options->name != NULL ? " [options]" : "", command->operands);
    } else if (command->most >= 0 && parsed.count > command->most) {
        error("%s: one argument too many: '%s'", command->name, parsed.operands[command->most]);
    } else {
        status = command->run(values, parsed.count, parsed.operands);
    }
    free(values);
    return status;
}

static int help(int argc, char **argv)
{
    const struct command *command = argc > 0 ? find_command(argv[0]) : NULL;

    if (argc > 0 && command == NULL)
        return unknown_command(argv[0]);
    if (command != NULL)
        help_command(stdout, command);
    else
        help_commands(stdout, command_list);
    return EXIT_FINE;
}

static int dispatch(int argc, char **argv)
{
    const char *word = argc > 0 ? argv[0] : "";
    const struct command *command = find_command(word);

    if (argc == 0) {
        help_commands(stderr, command_list);
        return EXIT_USAGE;
    }
    if (command != NULL)
        return run_command(command, argc - 1, argv + 1);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        version_print(stdout);
        return EXIT_FINE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 1, argv + 1);

    /* A dump, or an option of the report. What looks like a file is one, even if it is not there.
     */
    if (*word != '-' && strpbrk(word, "/.") == NULL && access(word, F_OK) != 0)
        return unknown_command(word);
    return run_command(&command_report, argc, argv);
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    setlocale(LC_CTYPE, "");
    return finish(dispatch(argc - 1, argv + 1));
}
