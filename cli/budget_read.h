/* SPDX-License-Identifier: MIT */
/*
 * budget_read.h: what the files of the reader of budget files share: the file that is being read,
 * its memory, words and numbers. Whatever returns -1 or NULL has said what is wrong, where, and
 * what was meant. Called by budget_read*.c alone.
 */
#ifndef CLI_BUDGET_READ_H
#define CLI_BUDGET_READ_H

#include "cli/budget.h"
#include "cli/budget_yaml.h"

struct budget_memory {
    struct budget_memory *next;
    void *block;
};

struct budget_reader {
    struct budget_source *source;
    struct budget_file *file;
};

/* Lets a block go away with the file; returns it. */
void *budget_keep(struct budget_reader *reader, void *block);

/* The text of a scalar that is not empty, or NULL. */
const char *budget_text(struct budget_reader *reader, const struct budget_yaml *yaml);

/* The place of the scalar among the words, which NULL ends, or -1. */
int budget_word(struct budget_reader *reader, const struct budget_yaml *yaml, const char *what,
                const char *const *words);

/* Says that it is none of the words, and which was probably meant; returns -1. */
int budget_unknown(struct budget_reader *reader, const struct budget_yaml *key, const char *what,
                   const char *const *words);

int budget_flag(struct budget_reader *reader, const struct budget_yaml *yaml, bool *flag);
int budget_whole_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                        uint64_t *number);
int budget_per(struct budget_reader *reader, const struct budget_yaml *yaml, enum budget_per *per);
const struct glob *budget_site(struct budget_reader *reader, const struct budget_yaml *yaml);

/* The keys of a budget that are no limits; NULL ends them. */
extern const char *const budget_settings[];
bool budget_is_setting(const struct budget_yaml *key);

/* Sets what the budget's settings say, and what holds without them. */
int budget_read_settings(struct budget_reader *reader, const struct budget_yaml *yaml,
                         struct budget *budget);

/* Adds a limit to the budget, whose settings are read. */
int budget_read_limit(struct budget_reader *reader, const struct budget_yaml *key,
                      const struct budget_yaml *value, struct budget *budget);

/* A number of the metric's units; or of a change, if that is allowed: *is_change, else NULL. */
int budget_read_number(struct budget_reader *reader, const struct budget_yaml *yaml,
                       enum budget_metric metric, bool *is_change, struct ratio *value);

int budget_read_allowances(struct budget_reader *reader, const struct budget_yaml *yaml);

#endif
