/* SPDX-License-Identifier: MIT */
#include "preload/outfile.h"

#include "preload/livedir.h"
#include "preload/log.h"
#include "preload/sys.h"

#include <linux/stat.h>
#include <string.h>
#include <sys/random.h>

#define NAMES_MOST       1000u /* ".1" to ".999" */
#define RLIMIT_FSIZE_NUM 1     /* RLIMIT_FSIZE, the same on all machines of Linux */

static const char *const default_template = "%e.%p.alloc";
static char start_directory[AR_PATH_MOST]; /* empty: it could not be told */

void ar_outfile_start(void)
{
    long length = ar_syscall(SYS_getcwd, (long)start_directory, sizeof start_directory, 0, 0, 0, 0);

    if (length <= 1 || start_directory[0] != '/') /* "(unreachable)" */
        start_directory[0] = '\0';
}

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

/* The path is made absolute, since the program may change its directory, as a daemon does. */
static void start_path(struct ar_text *path, const char *template)
{
    if (template[0] == '/' || start_directory[0] == '\0')
        return;
    ar_text_add(path, start_directory);
    if (start_directory[1] != '\0')
        ar_text_add(path, "/");
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

/* Opens the first free name of the path, with ".1", ".2" ... appended where it is taken. */
static long first_free(struct ar_text *path, long (*make)(struct ar_outfile *),
                       struct ar_outfile *file)
{
    size_t stem = path->length;
    long result = -EEXIST;

    for (unsigned n = 0; n < NAMES_MOST && result == -EEXIST; n++) {
        path->length = stem;
        path->at[stem] = '\0';
        if (n > 0) {
            ar_text_add(path, ".");
            ar_text_add_number(path, n);
        }
        result = path->full ? -ENAMETOOLONG : make(file);
    }
    return result;
}

static int create_at(const char *path)
{
    return ar_sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
}

static long make_file(struct ar_outfile *file)
{
    return create_at(file->path);
}

static long make_link(struct ar_outfile *file)
{
    return ar_syscall(SYS_symlinkat, (long)file->live, AT_FDCWD, (long)file->path, 0, 0, 0);
}

/* The directory part of the path, as a path. */
static void directory_of(const char *path, char *directory, size_t size)
{
    struct ar_text text = ar_text_in(directory, size);
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        ar_text_add(&text, ".");
    else
        ar_text_add_bytes(&text, path, slash == path ? 1 : (size_t)(slash - path));
}

/* Makes the live file on a tmpfs. -errno where there is none, or it cannot be had. */
static int create_live(struct ar_outfile *file)
{
    char directory[AR_PATH_MOST];
    struct ar_text live = ar_text_in(file->live, sizeof file->live);
    const char *where;
    uint64_t random = 0;

    directory_of(file->path, directory, sizeof directory);
    where = ar_livedir_find(directory);
    if (where == NULL)
        return -ENOENT;
    ar_syscall(SYS_getrandom, (long)&random, sizeof random, GRND_NONBLOCK, 0, 0, 0);
    ar_text_add(&live, where);
    ar_text_add(&live, "/allocreport-");
    ar_text_add_number(&live, ar_sys_getpid());
    ar_text_add(&live, "-");
    ar_text_add_number(&live, random);
    ar_text_add(&live, ".alloc");
    return live.full ? -ENAMETOOLONG : create_at(file->live);
}

static bool create_elsewhere(struct ar_outfile *file, struct ar_text *path)
{
    size_t stem = path->length;
    int fd = create_live(file);

    if (fd < 0)
        return false;
    if (remember_identity(file, fd) && first_free(path, make_link, file) == 0) {
        ar_sys_close(fd);
        return true;
    }
    ar_sys_close(fd);
    ar_syscall(SYS_unlinkat, AT_FDCWD, (long)file->live, 0, 0, 0, 0);
    path->length = stem;
    path->at[stem] = '\0';
    return false;
}

bool ar_outfile_create(struct ar_outfile *file, const char *template, const char *program,
                       bool direct)
{
    struct ar_text path = ar_text_in(file->path, sizeof file->path);
    int fd;

    if (template == NULL)
        template = default_template;
    start_path(&path, template);
    expand(&path, template, program);
    if (!direct && create_elsewhere(file, &path))
        return true;
    fd = (int)first_free(&path, make_file, file);
    if (fd < 0) {
        ar_log_failure("no dump: cannot make", file->path, fd);
        file->path[0] = '\0';
        return false;
    }
    memcpy(file->live, file->path, sizeof file->live);
    if (!remember_identity(file, fd)) {
        ar_log_failure("no dump: cannot use", file->path, -EINVAL);
        ar_sys_close(fd);
        return false;
    }
    ar_sys_close(fd);
    return true;
}

bool ar_outfile_is_elsewhere(const struct ar_outfile *file)
{
    return strcmp(file->live, file->path) != 0;
}

static int reopen(const struct ar_outfile *file)
{
    struct ar_outfile now = {.path = ""};
    int fd = ar_sys_open(file->live, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);

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
    long result = ar_sys_fallocate(fd, from, to - from);

    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result;
    for (uint64_t at = from; at < to; at += sizeof zeros) {
        result = ar_sys_pwrite(fd, zeros, sizeof zeros, at);
        if (result != (long)sizeof zeros)
            return result < 0 ? result : -ENOSPC;
    }
    return 0;
}

long ar_outfile_map(const struct ar_outfile *file, char *region, uint64_t mapped, uint64_t size,
                    bool quietly)
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
    if (result < 0 && !quietly)
        ar_log_failure(mapped == 0 ? "no dump: cannot make" : "the dump cannot grow:", file->path,
                       result);
    return result < 0 ? result : 0;
}

bool ar_outfile_shrink(const struct ar_outfile *file, uint64_t size)
{
    int fd = reopen(file);
    bool done = fd >= 0 && ar_syscall(SYS_ftruncate, fd, (long)size, 0, 0, 0, 0) == 0;

    if (fd >= 0)
        ar_sys_close(fd);
    return done;
}

static void part_path(const struct ar_outfile *file, char *part, size_t size)
{
    struct ar_text text = ar_text_in(part, size);

    ar_text_add(&text, file->path);
    ar_text_add(&text, ".part");
}

int ar_outfile_begin_settle(const struct ar_outfile *file, uint64_t size)
{
    char part[AR_PATH_MOST + 8];
    long result;
    int fd;

    part_path(file, part, sizeof part);
    fd = within_size_limit(size) ? create_at(part) : -EFBIG;
    if (fd < 0)
        return fd;
    result = reserve(fd, 0, size);
    if (result >= 0)
        return fd;
    ar_sys_close(fd);
    ar_syscall(SYS_unlinkat, AT_FDCWD, (long)part, 0, 0, 0, 0);
    return (int)result;
}

/* Is the link still the one that was made? */
static bool link_is_ours(const struct ar_outfile *file)
{
    char target[AR_PATH_MOST];
    long length = ar_sys_readlink(file->path, target, sizeof target - 1);

    if (length <= 0)
        return false;
    target[length] = '\0';
    return strcmp(target, file->live) == 0;
}

bool ar_outfile_end_settle(struct ar_outfile *file, int fd)
{
    char part[AR_PATH_MOST + 8];

    part_path(file, part, sizeof part);
    if (!link_is_ours(file) || !remember_identity(file, fd) ||
        ar_syscall(SYS_renameat2, AT_FDCWD, (long)part, AT_FDCWD, (long)file->path, 0, 0) < 0) {
        ar_syscall(SYS_unlinkat, AT_FDCWD, (long)part, 0, 0, 0, 0);
        return false;
    }
    ar_syscall(SYS_unlinkat, AT_FDCWD, (long)file->live, 0, 0, 0, 0);
    memcpy(file->live, file->path, sizeof file->live);
    return true;
}

void ar_outfile_remove(const struct ar_outfile *file)
{
    if (file->path[0] != '\0')
        ar_syscall(SYS_unlinkat, AT_FDCWD, (long)file->path, 0, 0, 0, 0);
    if (ar_outfile_is_elsewhere(file))
        ar_syscall(SYS_unlinkat, AT_FDCWD, (long)file->live, 0, 0, 0, 0);
}
