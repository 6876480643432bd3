/* SPDX-License-Identifier: MIT */
#include "preload/heapwatch.h"

#include "preload/sys.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/resource.h>

static void *const *current_break; /* libc's __curbrk: reading it is no system call */

void ar_heapwatch_start(void)
{
    current_break = dlsym(RTLD_DEFAULT, "__curbrk");
}

static void sample_faults(struct ar_heapwatch *watch, struct dump_thread *record, uint64_t now_ns)
{
    struct rusage usage = {0};
    bool first = watch->next_sample_ns == 0;

    watch->next_sample_ns = now_ns + AR_FAULTS_EVERY_NS;
    if (ar_syscall(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0, 0, 0, 0) < 0)
        return;
    if (first) {
        watch->minor_at_start = (uint64_t)usage.ru_minflt;
        watch->major_at_start = (uint64_t)usage.ru_majflt;
    }
    record->minor_faults = (uint64_t)usage.ru_minflt - watch->minor_at_start;
    record->major_faults = (uint64_t)usage.ru_majflt - watch->major_at_start;
    record->sampled_ns = now_ns;
}

void ar_heapwatch_forget(struct ar_heapwatch *watch)
{
    watch->program_break = current_break != NULL ? (uintptr_t)*current_break : 0;
}

void ar_heapwatch_poll(struct ar_heapwatch *watch, struct dump_thread *record, uint64_t now_ns)
{
    uintptr_t now = current_break != NULL ? (uintptr_t)*current_break : 0;
    bool grew = now > watch->program_break || record->mapped_blocks > watch->mapped_blocks;

    record->heap_growths +=
        grew && watch->next_sample_ns != 0; /* the first window begins with startup */
    watch->program_break = now;
    watch->mapped_blocks = record->mapped_blocks;
    if (now_ns >= watch->next_sample_ns)
        sample_faults(watch, record, now_ns);
}
