/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/dumpfile.h"
#include "cli/dumpjson.h"
#include "cli/dumptext.h"
#include "cli/errors.h"
#include "cli/settle.h"

#include <stdio.h>

struct dump_values {
    bool json;
};

static const struct option_spec options[] = {
    {.name = "json",
     .letter = 'j',
     .type = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(struct dump_values, json)},
    {.name = NULL},
};

static int dump_run(const void *data, int count, char **operands)
{
    const struct dump_values *values = data;
    struct dumpfile file;

    (void)count;
    settle(operands[0]);
    if (dumpfile_open(&file, operands[0]) != 0)
        return EXIT_UNREADABLE;
    if (values->json)
        dumpjson_print(stdout, &file);
    else
        dumptext_print(stdout, &file);
    dumpfile_close(&file);
    return EXIT_FINE;
}

const struct command command_dump = {
    .name = "dump",
    .operands = "DUMP",
    .summary = "print every record of a dump, as it stands there",
    .notes = "For those who debug or write readers of dumps; the layout is in FORMAT.md.",
    .options = options,
    .values_size = sizeof(struct dump_values),
    .least = 1,
    .most = 1,
    .run = dump_run,
};
