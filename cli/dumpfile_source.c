/* SPDX-License-Identifier: MIT */
#include "cli/dumpfile_source.h"
#include "cli/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A pipe cannot be read at offsets: takes all of it into memory. Returns 0 or errno. */
static int read_stream(struct dumpfile_source *source, size_t most)
{
    size_t room = 1u << 16;
    size_t done = 0;
    uint8_t *data = xmalloc(room);
    while (done < most) {
        if (done == room) {
            room *= 2;
            data = xreallocarray(data, room, 1);
        }
        ssize_t got = read(source->fd, data + done, room - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int reason = errno;
            free(data);
            return reason;
        }
        if (got == 0)
            break;
        done += (size_t)got;
    }
    source->owned = data;
    source->data = data;
    source->size = source->blocks = done;
    return 0;
}

int dumpfile_source_descriptor(struct dumpfile_source *source, int descriptor)
{
    struct stat status;
    *source = (struct dumpfile_source){.fd = descriptor};
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return -1;
    source->size = (uint64_t)status.st_size;
    source->blocks = (uint64_t)status.st_blocks * 512;
    source->device = status.st_dev;
    source->inode = status.st_ino;
    return 0;
}

int dumpfile_source_open(struct dumpfile_source *source, const char *path, size_t most)
{
    *source = (struct dumpfile_source){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)};
    if (source->fd < 0)
        return error("cannot open '%s': %s", path, strerror(errno));
    if (dumpfile_source_descriptor(source, source->fd) == 0)
        return 0;
    int reason = read_stream(source, most);
    close(source->fd);
    source->fd = -1;
    return reason ? error("cannot read '%s': %s", path, strerror(reason)) : 0;
}

void dumpfile_source_memory(struct dumpfile_source *source, const void *data, size_t size)
{
    *source = (struct dumpfile_source){.fd = -1, .data = data, .size = size, .blocks = size};
}

void dumpfile_source_close(struct dumpfile_source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    free(source->owned);
    dumpfile_source_memory(source, NULL, 0);
}

size_t dumpfile_source_read(struct dumpfile_source *source, uint64_t offset, void *to, size_t size)
{
    if (source->fd < 0) {
        if (offset >= source->size)
            return 0;
        if (size > source->size - offset)
            size = source->size - offset;
        memcpy(to, source->data + offset, size);
        return size;
    }
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(source->fd, (uint8_t *)to + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            source->error = errno;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

bool dumpfile_source_is_mapped(const struct dumpfile_source *source, uint32_t pid)
{
    if (source->fd < 0 || pid == 0 || pid > INT32_MAX)
        return false;
    if (kill((pid_t)pid, 0) != 0 && errno != EPERM)
        return false;
    char path[40];
    char want[80];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", pid);
    snprintf(want, sizeof want, " %02x:%02x %ju ", major(source->device), minor(source->device),
             (uintmax_t)source->inode);
    FILE *maps = fopen(path, "re");
    if (!maps)
        return errno == EACCES || errno == EPERM;
    char line[4352];
    bool found = false;
    while (!found && fgets(line, sizeof line, maps))
        found = strstr(line, want) != NULL;
    if (ferror(maps))
        found = true;
    fclose(maps);
    return found;
}
