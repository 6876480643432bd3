/* SPDX-License-Identifier: MIT */
#include "preload/outfile.h"

#include "preload/log.h"
#include "preload/sys.h"

#include <linux/stat.h>
#include <string.h>

#define NAMES_MOST       1000u /* ".1" to ".999" */
#define RLIMIT_FSIZE_NUM 1     /* RLIMIT_FSIZE, the same on all machines of Linux */

static const char *const default_template = "%e.%p.alloc";

static void expand(struct ar_text *path, const char *template, const char *program)
{
    for (const char *at = template; *at != '\0'; at++) {
        if (at[0] != '%' || at[1] == '\0') {
            ar_text_add_bytes(path, at, 1);
            continue;
        }
        at++;
        if (*at == 'e')
            ar_text_add(path, program);
        else if (*at == 'p')
            ar_text_add_number(path, ar_sys_getpid());
        else if (*at == '%')
            ar_text_add(path, "%");
        else
            ar_text_add_bytes(path, at - 1, 2);
    }
}

/* The path is made absolute, since the program may change its directory before the file grows. */
static void start_path(struct ar_text *path, const char *template)
{
    char directory[4096];
    long length;

    if (template[0] == '/')
        return;
    length = ar_syscall(SYS_getcwd, (long)directory, sizeof directory, 0, 0, 0, 0);
    if (length > 1 && directory[0] == '/') {
        ar_text_add(path, directory);
        if (directory[1] != '\0')
            ar_text_add(path, "/");
    }
}

static bool remember_identity(struct ar_outfile *file, int fd)
{
    struct statx status;

    if (ar_syscall(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, (long)&status,
                   0) < 0)
        return false;
    file->device = ((uint64_t)status.stx_dev_major << 32) | status.stx_dev_minor;
    file->inode = status.stx_ino;
    return (status.stx_mode & S_IFMT) == S_IFREG;
}

bool ar_outfile_create(struct ar_outfile *file, const char *template, const char *program)
{
    struct ar_text path = ar_text_in(file->path, sizeof file->path);
    size_t stem;
    int fd = -EEXIST;

    if (template == NULL)
        template = default_template;
    start_path(&path, template);
    expand(&path, template, program);
    stem = path.length;
    for (unsigned n = 0; n < NAMES_MOST && fd == -EEXIST; n++) {
        path.length = stem;
        path.at[stem] = '\0';
        if (n > 0) {
            ar_text_add(&path, ".");
            ar_text_add_number(&path, n);
        }
        fd = path.full ? -ENAMETOOLONG
                       : ar_sys_open(file->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    }
    if (fd < 0) {
        ar_log_failure("no dump: cannot make", file->path, fd);
        file->path[0] = '\0';
        return false;
    }
    if (!remember_identity(file, fd)) {
        ar_log_failure("no dump: cannot use", file->path, -EINVAL);
        ar_sys_close(fd);
        return false;
    }
    ar_sys_close(fd);
    return true;
}

static int reopen(const struct ar_outfile *file)
{
    struct ar_outfile now = {.path = ""};
    int fd = ar_sys_open(file->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);

    if (fd < 0)
        return fd;
    if (!remember_identity(&now, fd) || now.device != file->device || now.inode != file->inode) {
        ar_sys_close(fd);
        return -ENOENT;
    }
    return fd;
}

/* A file over the limit of file sizes would bring the program a SIGXFSZ. */
static bool within_size_limit(uint64_t size)
{
    uint64_t limit[2] = {UINT64_MAX, UINT64_MAX};

    ar_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE_NUM, 0, (long)limit, 0, 0);
    return size <= limit[0];
}

/* fallocate, or where the file system has none, a write of each block. */
static long reserve(int fd, uint64_t from, uint64_t to)
{
    static const char zeros[4096];
    long result = ar_syscall(SYS_fallocate, fd, 0, (long)from, (long)(to - from), 0, 0);

    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result;
    for (uint64_t at = from; at < to; at += sizeof zeros) {
        result = ar_syscall(SYS_pwrite64, fd, (long)zeros, sizeof zeros, (long)at, 0, 0);
        if (result != (long)sizeof zeros)
            return result < 0 ? result : -ENOSPC;
    }
    return 0;
}

bool ar_outfile_map(const struct ar_outfile *file, char *region, uint64_t mapped, uint64_t size)
{
    long result = within_size_limit(size) ? 0 : -EFBIG;
    int fd = result < 0 ? (int)result : reopen(file);

    if (fd >= 0) {
        result = reserve(fd, mapped, size);
        if (result >= 0 && ar_sys_mmap(region + mapped, size - mapped, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_FIXED, fd, mapped) == NULL)
            result = -ENOMEM;
        ar_sys_close(fd);
    } else {
        result = fd;
    }
    if (result < 0)
        ar_log_failure(mapped == 0 ? "no dump: cannot make" : "the dump cannot grow:", file->path,
                       result);
    return result >= 0;
}

bool ar_outfile_shrink(const struct ar_outfile *file, uint64_t size)
{
    int fd = reopen(file);
    bool done = fd >= 0 && ar_syscall(SYS_ftruncate, fd, (long)size, 0, 0, 0, 0) == 0;

    if (fd >= 0)
        ar_sys_close(fd);
    return done;
}

void ar_outfile_remove(const struct ar_outfile *file)
{
    if (file->path[0] != '\0')
        ar_syscall(SYS_unlinkat, AT_FDCWD, (long)file->path, 0, 0, 0, 0);
}
