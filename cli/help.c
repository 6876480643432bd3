/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "cli/errors.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 79

void help_commands(FILE *out, const struct command *const *commands)
{
    fputs("usage: allocreport DUMP\n"
          "       allocreport COMMAND [options] [arguments]\n"
          "\n"
          "Shows what the event loop of an SDL program allocates.\n"
          "\n"
          "commands:\n",
          out);
    for (const struct command *const *command = commands; *command != NULL; command++)
        if (!(*command)->hidden)
            fprintf(out, "  %-8s  %s\n", (*command)->name, (*command)->summary);
    fputs("  help      print the help of a command\n"
          "\n"
          "options:\n"
          "  -h, --help     print this help\n"
          "  -V, --version  print versions\n"
          "\n"
          "An SDL program is recorded by 'allocreport run -- PROGRAM', or by\n"
          "'LD_PRELOAD=liballocreport.so PROGRAM'. Exit status: 0 fine, 2 wrong usage,\n"
          "3 dump unreadable, 4 nothing can be told; 'run' passes that of the program on.\n",
          out);
}

/* Prints words from `column` on, broken at spaces; the cursor stands at `at`. */
static void print_wrapped(FILE *out, const char *text, int at, int column)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > WIDTH) {
            fputc('\n', out);
            at = 0;
        }
        if (at < column) {
            fprintf(out, "%*s", column - at, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static char *option_head(const struct option_spec *option)
{
    char letter[8] = "    ";

    if (option->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    return xasprintf("  %s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
                     option->value != NULL ? option->value : "");
}

static char *option_text(const struct option_spec *option)
{
    if (option->type == OPTION_NUMBER && option->initial > 0)
        return xasprintf("%s [%" PRIu64 "]", option->help, option->initial);
    if (option->type != OPTION_CHOICE)
        return xstrdup(option->help);

    char *text = xasprintf("%s:", option->help);
    for (int i = 0; option->choices[i] != NULL; i++) {
        char *longer = xasprintf("%s %s%s", text, option->choices[i],
                                 option->choices[i + 1] != NULL ? "," : "");
        free(text);
        text = longer;
    }
    char *whole = xasprintf("%s [%s]", text, option->choices[option->initial]);
    free(text);
    return whole;
}

void help_command(FILE *out, const struct command *command)
{
    static const struct option_spec help = {
        .name = "help", .letter = 'h', .help = "print this help"};
    int column = 0;

    fprintf(out, "usage: allocreport %s%s%s%s\n", command->name,
            command->options->name != NULL ? " [options]" : "",
            *command->operands != '\0' ? " " : "", command->operands);
    fprintf(out, "\n%c%s.\n", command->summary[0] - 'a' + 'A', command->summary + 1);
    if (command->notes != NULL)
        fprintf(out, "\n%s\n", command->notes);

    fputs("\noptions:\n", out);
    for (const struct option_spec *option = command->options;; option++) {
        char *head = option_head(option->name != NULL ? option : &help);
        int length = (int)strlen(head);
        column = length + 2 > column ? length + 2 : column;
        free(head);
        if (option->name == NULL)
            break;
    }
    for (const struct option_spec *option = command->options;; option++) {
        const struct option_spec *shown = option->name != NULL ? option : &help;
        char *head = option_head(shown);
        char *text = option_text(shown);
        fputs(head, out);
        print_wrapped(out, text, (int)strlen(head), column);
        free(head);
        free(text);
        if (option->name == NULL)
            break;
    }
}

static void completion_options(FILE *out, const struct command *command)
{
    fprintf(out, "    %s)\n        options='", command->name);
    for (const struct option_spec *option = command->options; option->name != NULL; option++)
        fprintf(out, "--%s%s ", option->name, option->type == OPTION_FLAG ? "" : "=");
    fputs("--help'\n", out);
    if (command->program)
        fputs("        operands=program\n", out);
    else if (*command->operands != '\0')
        fputs("        operands=dump\n", out);
    fputs("        ;;\n", out);
}

static void completion_values(FILE *out, const struct command *command)
{
    for (const struct option_spec *option = command->options; option->name != NULL; option++) {
        if (option->type == OPTION_FLAG)
            continue;
        fprintf(out, "    %s:--%s", command->name, option->name);
        if (option->letter != '\0')
            fprintf(out, " | %s:-%c", command->name, option->letter);
        fputs(")\n", out);
        if (option->type == OPTION_FILE) {
            fputs("        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n", out);
        } else if (option->type == OPTION_CHOICE) {
            fputs("        mapfile -t COMPREPLY < <(compgen -W '", out);
            for (int i = 0; option->choices[i] != NULL; i++)
                fprintf(out, "%s%s", i > 0 ? " " : "", option->choices[i]);
            fputs("' -- \"$word\")\n", out);
        }
        fputs("        return\n        ;;\n", out);
    }
}

static const char completion_head[] =
    "# SPDX-License-Identifier: MIT\n"
    "# bash completion for allocreport; made by `allocreport completion bash`.\n"
    "# shellcheck shell=bash\n"
    "\n"
    "_allocreport()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command='' options='' operands='' i\n"
    "    COMPREPLY=()\n"
    "\n"
    "    # --name=value is three words to readline, unless = is taken from COMP_WORDBREAKS.\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $previous == = ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n";

static const char completion_tail[] =
    "    if [[ $operands == program ]]; then\n"
    "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "            if [[ ${COMP_WORDS[i]} == -- ]]; then\n"
    "                options=\n"
    "            fi\n"
    "        done\n"
    "    fi\n"
    "    if [[ $word == -* && -n $options ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
    "        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
    "    elif [[ $operands == program ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -c -- \"$word\"; compgen -f -- \"$word\")\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -f -X '!*.alloc*' -- \"$word\"; compgen -d -- "
    "\"$word\")\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -o filenames -F _allocreport allocreport\n";

void help_completion(FILE *out, const struct command *const *commands)
{
    fputs(completion_head, out);
    fputs("    if [[ -z $command ]]; then\n        mapfile -t COMPREPLY < <(compgen -W '", out);
    for (const struct command *const *command = commands; *command != NULL; command++)
        if (!(*command)->hidden)
            fprintf(out, "%s ", (*command)->name);
    fputs("help --help --version' -- \"$word\"\n"
          "            compgen -f -X '!*.alloc*' -- \"$word\")\n"
          "        return\n    fi\n\n    case $command in\n    help)\n"
          "        mapfile -t COMPREPLY < <(compgen -W '",
          out);
    for (const struct command *const *command = commands; *command != NULL; command++)
        if (!(*command)->hidden)
            fprintf(out, "%s%s", command == commands ? "" : " ", (*command)->name);
    fputs("' -- \"$word\")\n        return\n        ;;\n", out);
    for (const struct command *const *command = commands; *command != NULL; command++)
        if (!(*command)->hidden)
            completion_options(out, *command);
    fputs("    esac\n\n    case $command:$previous in\n", out);
    for (const struct command *const *command = commands; *command != NULL; command++)
        if (!(*command)->hidden)
            completion_values(out, *command);
    fputs("    esac\n\n", out);
    fputs(completion_tail, out);
}
