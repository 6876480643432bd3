/* SPDX-License-Identifier: MIT */
#include "cli/outfile.h"

#include "cli/errors.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int outfile_check(const char *path, const char *dump)
{
    struct stat from, to;

    if (stat(dump, &from) == 0 && stat(path, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino)
        return error("cannot write '%s': it is the dump itself", path);
    return 0;
}

FILE *outfile_open(const char *path, const char *dump)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return stdout;
    if (outfile_check(path, dump) != 0)
        return NULL;
    FILE *out = fopen(path, "we");
    if (out == NULL)
        error("cannot write '%s': %s", path, strerror(errno));
    return out;
}

int outfile_close(FILE *out, const char *path)
{
    if (out == stdout)
        return 0;
    errno = 0;
    if ((ferror(out) != 0) + (fclose(out) != 0) == 0)
        return 0;
    return error("cannot write '%s': %s", path, errno != 0 ? strerror(errno) : "write error");
}
