/* SPDX-License-Identifier: MIT */
/* budget_absent.c: stands in for the parts of budgets and baselines that are not there yet; weak,
 * so that they take its place. */
#include "cli/budget.h"
#include "cli/errors.h"

#include <stdlib.h>

#define ABSENT __attribute__((weak))

ABSENT struct budget_file *budget_read(const char *path)
{
    error("cannot read '%s': budget files are not read yet", path);
    return NULL;
}

ABSENT void budget_free(struct budget_file *file)
{
    free(file);
}

