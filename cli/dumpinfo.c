/* SPDX-License-Identifier: MIT */
#include "cli/dumpinfo.h"

#include "cli/errors.h"

#include <stdlib.h>

char *dumpinfo_text(const struct dumpfile *file, uint16_t key)
{
    char *text = NULL;

    for (size_t i = 0; i < file->chunk_count; i++) {
        struct dumpfile_record record = {0};
        if (file->chunks[i].type != DUMP_INFO)
            continue;
        while (dumpfile_next(&file->chunks[i], &record)) {
            struct dump_info info;
            dumpfile_copy(&record, &info, sizeof info);
            if (info.key != key)
                continue;
            free(text);
            text = xasprintf("%.*s", (int)info.length,
                             (const char *)record.bytes + offsetof(struct dump_info, value));
        }
    }
    return text;
}
