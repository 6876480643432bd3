/* SPDX-License-Identifier: MIT */
#include "cli/census.h"

#include "cli/errors.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORDS_MOST 65536u

char *census_make(void)
{
    const char *directory = getenv("TMPDIR");
    char *path = xasprintf("%s/allocreport-census-XXXXXX",
                           directory != NULL && *directory == '/' ? directory : "/tmp");
    int file = mkostemp(path, O_CLOEXEC);

    if (file < 0) {
        free(path);
        return NULL;
    }
    /* Root's programs may give their rights up; nobody else may read it. */
    if (geteuid() == 0)
        (void)!fchmod(file, 0622);
    close(file);
    return path;
}

/* An exec keeps the process and starts the recorder anew. */
static bool same_process(const struct dump_census *one, const struct dump_census *other)
{
    return one->pid == other->pid;
}

static void take(struct dump_census *list, size_t *count, const struct dump_census *record)
{
    for (size_t i = *count; i-- > 0;)
        if (same_process(&list[i], record)) {
            list[i] = *record;
            return;
        }
    list[(*count)++] = *record;
}

struct dump_census *census_read(const char *path, size_t *count)
{
    struct dump_census *list = NULL;
    struct dump_census record;
    FILE *file = fopen(path, "re");

    *count = 0;
    for (unsigned n = 0; file != NULL && n < RECORDS_MOST; n++) {
        if (fread(&record, sizeof record, 1, file) != 1 || record.magic != DUMP_CENSUS_MAGIC ||
            record.size != sizeof record)
            break;
        record.program[sizeof record.program - 1] = '\0';
        record.bypass[sizeof record.bypass - 1] = '\0';
        list = xreallocarray(list, *count + 1, sizeof *list);
        take(list, count, &record);
    }
    if (file != NULL)
        fclose(file);
    return list;
}
