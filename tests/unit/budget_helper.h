/* SPDX-License-Identifier: MIT */
/*
 * budget_helper.h: budget files from text, for tests of their reader. Included by tests
 * only.
 */
#ifndef TESTS_BUDGET_HELPER_H
#define TESTS_BUDGET_HELPER_H

#include "cli/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Fails the test if the text is no budget file. */
static inline struct budget_file *helper_parse(const char *text)
{
    char *why = NULL;
    struct budget_file *file = budget_parse("b.yml", text, strlen(text), &why);

    if (file == NULL)
        fail_msg("%s", why);
    assert_null(why);
    return file;
}

/* The text must be refused, at LINE:COLUMN `place`, with `words` in the one line that is said. */
static inline void helper_refused(const char *text, size_t length, const char *place,
                                  const char *words)
{
    char *why = NULL;
    struct budget_file *file = budget_parse("b.yml", text, length, &why);
    char begin[64];

    snprintf(begin, sizeof begin, "b.yml:%s: ", place);
    if (file != NULL)
        fail_msg("taken, not refused with '%s': %.200s", words, text);
    assert_non_null(why);
    assert_true(strlen(why) < 4000); /* errors.h cuts what is longer */
    if (strncmp(why, begin, strlen(begin)) != 0 || strstr(why, words) == NULL)
        fail_msg("not at %s with '%s':\n%.200s\n%.200s", place, words, text, why);
    for (const char *at = why; *at != '\0'; at++)
        assert_true((unsigned char)*at >= ' ');
    free(why);
}

#endif
