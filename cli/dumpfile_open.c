/* SPDX-License-Identifier: MIT */
/* The ways to get at a dump: by its path, from memory, from a descriptor. */
#include "cli/dumpfile.h"
#include "cli/dumpfile_private.h"
#include "cli/errors.h"

#include <string.h>

int dumpfile_from_memory(struct dumpfile *file, const char *name, const void *data, size_t size)
{
    *file = (struct dumpfile){.path = xstrdup(name)};
    struct dumpfile_source source;
    dumpfile_source_memory(&source, data, size);
    return dumpfile_load(file, &source);
}

int dumpfile_open(struct dumpfile *file, const char *path)
{
    struct dumpfile_source source;
    if (dumpfile_source_open(&source, path, DUMPFILE_MOST) < 0)
        return -1;
    *file = (struct dumpfile){.path = xstrdup(path)};
    int result = dumpfile_load(file, &source);
    const struct dump_header *header = &file->header;
    file->running =
        header->state == DUMP_RUNNING && dumpfile_source_is_mapped(&source, header->pid);
    dumpfile_source_close(&source);
    if (result < 0) {
        error("%s", file->message);
        dumpfile_close(file);
        return -1;
    }
    if (file->damaged)
        warning("%s", file->message);
    return 0;
}

bool dumpfile_is_left(const char *path)
{
    struct dumpfile_source source;
    struct dump_header header;
    if (dumpfile_source_open(&source, path, sizeof header) < 0)
        return false;
    bool left = dumpfile_source_read(&source, 0, &header, sizeof header) == sizeof header &&
                memcmp(header.magic, DUMP_MAGIC, sizeof header.magic) == 0 &&
                !dumpfile_source_is_mapped(&source, header.pid);
    dumpfile_source_close(&source);
    return left;
}

int dumpfile_open_left(struct dumpfile *file, const char *path)
{
    struct dumpfile_source source;
    if (!dumpfile_is_left(path) || dumpfile_source_open(&source, path, DUMPFILE_MOST) < 0)
        return -1;
    *file = (struct dumpfile){.path = xstrdup(path)};
    int result = dumpfile_load(file, &source);
    dumpfile_source_close(&source);
    if (result < 0)
        dumpfile_close(file);
    return result;
}

int dumpfile_read(struct dumpfile *file, const char *name, int descriptor)
{
    struct dumpfile_source source;
    *file = (struct dumpfile){.path = xstrdup(name)};
    if (dumpfile_source_descriptor(&source, descriptor) < 0)
        return -1;
    int result = dumpfile_load(file, &source);
    file->running = result == 0 && file->header.state == DUMP_RUNNING;
    return result;
}

bool dumpfile_is_mapped(int descriptor, uint32_t pid)
{
    struct dumpfile_source source;
    return dumpfile_source_descriptor(&source, descriptor) == 0 &&
           dumpfile_source_is_mapped(&source, pid);
}
