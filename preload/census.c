/* SPDX-License-Identifier: MIT */
#include "preload/census.h"

#include "preload/bound.h"
#include "preload/config.h"
#include "preload/mapfile.h"
#include "preload/polls.h"
#include "preload/sdl_info.h"
#include "preload/sdl_table.h"
#include "preload/state.h"
#include "preload/sys.h"
#include "preload/text.h"
#include "preload/thread.h"

#include <linux/stat.h>
#include <string.h>

#define BYTES_MOST       (1u << 22) /* of the file: some 8,000 records */
#define RLIMIT_FSIZE_NUM 1          /* RLIMIT_FSIZE, the same on all machines of Linux */

/* Is it a plain file that one more record may be added to? Over the limit of file sizes, a write
 * would bring the program a SIGXFSZ. */
static bool may_append(int fd)
{
    uint64_t limit[2] = {UINT64_MAX, UINT64_MAX};
    struct statx status;

    if (ar_syscall(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE, (long)&status,
                   0) < 0 ||
        (status.stx_mode & S_IFMT) != S_IFREG || status.stx_size > BYTES_MOST)
        return false;
    ar_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE_NUM, 0, (long)limit, 0, 0);
    return status.stx_size + sizeof(struct dump_census) <= limit[0];
}

static void append(const struct dump_census *record)
{
    int fd = ar_sys_open(ar_config.census, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0);

    if (fd < 0)
        return;
    if (may_append(fd))
        ar_sys_write(fd, record, sizeof *record);
    ar_sys_close(fd);
}

static __attribute__((noinline)) void tell(void)
{
    const struct dump_header *header = ar_header();
    struct ar_sums sums = ar_threads_sums();
    struct dump_census record = {
        .magic = DUMP_CENSUS_MAGIC,
        .size = sizeof record,
        .pid = header->pid,
        .parent_pid = header->parent_pid,
        .forked_from = header->forked_from,
        .state = header->state,
        .start_monotonic_ns = header->start_monotonic_ns,
        .blind = header->blind,
        .facts = header->facts | (ar_sdl_table_asked() ? DUMP_FACT_ASKED : 0),
        .runtimes = header->runtimes,
        .subsystems = ar_sdl_subsystems(),
        .peeps = sums.peeps,
        .presents = sums.presents,
        .allocations = sums.allocations,
    };
    uint64_t bytes;
    struct ar_text text = ar_text_in(record.bypass, sizeof record.bypass);

    ar_polls_summary(&record.polls, &bytes);
    ar_text_add(&text, ar_bound_bypass());
    ar_sys_readlink("/proc/self/exe", record.program, sizeof record.program - 1);
    append(&record);
}

void ar_census_tell(void)
{
    if (ar_config.census != NULL && !ar_sys_frozen && ar_state != NULL &&
        ar_state->generation != 0 && ar_sys_getpid() == ar_header()->pid)
        tell();
}
