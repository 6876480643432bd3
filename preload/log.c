/* SPDX-License-Identifier: MIT */
#include "preload/log.h"

#include "preload/sys.h"

#include <errno.h>
#include <linux/stat.h>

static uint64_t stderr_identity[3]; /* device, inode, 1 if known */
static unsigned lines;

static bool identify_stderr(uint64_t identity[3])
{
    struct statx status;

    if (ar_syscall(SYS_statx, 2, (long)"", AT_EMPTY_PATH, STATX_INO, (long)&status, 0) < 0)
        return false;
    identity[0] = ((uint64_t)status.stx_dev_major << 32) | status.stx_dev_minor;
    identity[1] = status.stx_ino;
    identity[2] = 1;
    return true;
}

void ar_log_start(void)
{
    if (!identify_stderr(stderr_identity))
        stderr_identity[2] = 0;
}

static __attribute__((noinline)) void write_line(struct ar_text *line)
{
    uint64_t now[3];

    if (stderr_identity[2] == 0 || !identify_stderr(now) || now[0] != stderr_identity[0] ||
        now[1] != stderr_identity[1])
        return;
    if (__atomic_fetch_add(&lines, 1, __ATOMIC_RELAXED) >= AR_LOG_LINES)
        return;
    for (size_t i = 0; i < line->length; i++)
        if ((unsigned char)line->at[i] < 0x20 || line->at[i] == 0x7f)
            line->at[i] = '?';
    if (line->full)
        line->length = line->size - 2;
    line->at[line->length++] = '\n';
    ar_sys_write(2, line->at, line->length);
}

void ar_log(const char *subject, const char *reason)
{
    char buffer[AR_LOG_LINE_MOST];
    struct ar_text line = ar_text_in(buffer, sizeof buffer);

    ar_text_add(&line, "allocreport: ");
    ar_text_add(&line, subject);
    if (reason != NULL) {
        ar_text_add(&line, ": ");
        ar_text_add(&line, reason);
    }
    write_line(&line);
}

static const char *failure_text(long result)
{
    switch (-result) {
    case EACCES:
        return "permission denied";
    case ENOENT:
        return "no such directory";
    case ENOSPC:
        return "no space left";
    case EDQUOT:
        return "the quota is used up";
    case EROFS:
        return "read-only file system";
    case EMFILE:
    case ENFILE:
        return "no file descriptor left";
    case EFBIG:
        return "over the limit of file sizes";
    case ENOMEM:
        return "no memory left";
    case EEXIST:
        return "it exists";
    case EISDIR:
        return "it is a directory";
    case ENAMETOOLONG:
        return "the name is too long";
    case ENOTDIR:
        return "a part of the path is no directory";
    default:
        return NULL;
    }
}

void ar_log_failure(const char *subject, const char *path, long result)
{
    char buffer[AR_LOG_LINE_MOST];
    char number[32];
    struct ar_text line = ar_text_in(buffer, sizeof buffer);
    struct ar_text code = ar_text_in(number, sizeof number);
    const char *reason = failure_text(result);

    ar_text_add(&line, subject);
    ar_text_add(&line, " '");
    ar_text_add(&line, path);
    ar_text_add(&line, "'");
    if (reason == NULL) {
        ar_text_add(&code, "error ");
        ar_text_add_number(&code, (uint64_t)-result);
        reason = number;
    }
    ar_log(buffer, reason);
}
