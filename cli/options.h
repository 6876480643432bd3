/* SPDX-License-Identifier: MIT */
/*
 * options.h: typed tables of options. One table drives the parsing, the help text, the completion
 * script, and the test that the man page names the same options.
 *
 * It must not know any command. Called by main, the commands (for their tables) and help.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_NUMBER, /* uint64_t, decimal digits only, least..most */
    OPTION_CHOICE, /* int: the place of the word in choices[] */
    OPTION_TEXT,   /* const char *, NULL unless given */
    OPTION_FILE    /* the same; completed as a file name */
};

struct option_spec {
    const char *name; /* long name without dashes; NULL ends the table */
    char letter;      /* short name, or 0 */
    enum option_type type;
    const char *value; /* what the help calls the value: "N"; NULL for a flag */
    const char *help;  /* one line */
    size_t offset;     /* of the variable in the command's values */
    const char *const *choices;
    uint64_t least, most, initial; /* initial: of a number or a choice */
};

/* What the words of a command line came to. */
struct parsed {
    bool help;       /* --help or -h was among them */
    int count;       /* of operands */
    char **operands; /* in the caller's argv, put in front */
};

/* Sets each variable in `values` (zeroed by the caller) to its initial value. */
void options_initialise(const struct option_spec *options, void *values);

/*
 * Parses argv[0..argc), which holds no command name. Stops at the first operand if
 * `stops_at_operand`, else options and operands may be mixed; `--` ends the options. Moves the
 * operands to the front of argv. Returns -1, having printed why, when a word is wrong.
 */
int options_parse(const struct option_spec *options, void *values, bool stops_at_operand, int argc,
                  char **argv, struct parsed *parsed);

/* Reads a whole number of decimal digits, nothing else. Returns false when it is none or too big.
 */
bool options_number(const char *text, uint64_t *number);

/*
 * The word of the NULL-terminated list that `word` was probably meant to be (one or two letters
 * wrong, missing, added or swapped; or the only one that it begins), or NULL.
 */
const char *options_nearest(const char *word, const char *const *words);

#endif
