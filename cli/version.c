/* SPDX-License-Identifier: MIT */
#include "cli/version.h"

#include "preload/dump_format.h"

#include <elfutils/version.h>
#include <jansson.h>
#include <yaml.h>
#include <zlib.h>

/* elfutils is told as it was built with, since only cli/symbols_elf.c knows libdw; the others as
 * they are now. */
void version_print(FILE *out)
{
    fprintf(out,
            "allocreport " ALLOCREPORT_VERSION "\n"
            "dump format %u (reads %u to %u)\n"
            "elfutils %d.%d, jansson %s, libyaml %s, zlib %s\n",
            DUMP_VERSION, DUMP_READER_MINIMUM, DUMP_VERSION, _ELFUTILS_VERSION / 1000,
            _ELFUTILS_VERSION % 1000, jansson_version_str(), yaml_get_version_string(),
            zlibVersion());
}
