/* SPDX-License-Identifier: MIT */
/*
 * survive_seccomp: takes system calls away from itself, then allocates, from known and from new
 * stacks, and polls. usage: survive_seccomp MODE
 *   strict  only read, write and exit are left; a poll comes before
 *   kill    openat, mmap, futex, rt_sigprocmask, process_vm_readv and more kill, by seccomp()
 *   errno   the same fail with EPERM, by prctl(); a forbidden filter is tried before, in vain
 */
#include "tests/progs/target_sdl.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BEFORE 500
#define KNOWN  300
#define NEW    200

static const int forbidden[] = {SYS_openat,           SYS_mmap,     SYS_futex,  SYS_rt_sigprocmask,
                                SYS_process_vm_readv, SYS_mincore,  SYS_gettid, SYS_tgkill,
                                SYS_ftruncate,        SYS_fallocate};
#define FORBIDDEN (sizeof forbidden / sizeof forbidden[0])

static void forbid(uint32_t action, bool by_prctl)
{
    struct sock_filter code[2 * FORBIDDEN + 2];
    struct sock_fprog program = {.filter = code};
    unsigned short length = 0;

    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < FORBIDDEN; i++) {
        code[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)forbidden[i], 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program.len = length;
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (by_prctl)
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
    else
        must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

TARGET static void makes_known(int count)
{
    for (int i = 0; i < count; i++)
        free(target_keep(malloc(40)));
}

TARGET static void makes_new(int count)
{
    for (int i = 0; i < count; i++)
        free(target_keep(malloc(24)));
}

int main(int argc, char **argv)
{
    const char *mode = argc == 2 ? argv[1] : "";
    bool strict = strcmp(mode, "strict") == 0;

    target_start();
    for (int i = 0; i < 3; i++) {
        makes_known(BEFORE / 2);
        target_poll(1);
    }
    expect("makes_known", "allocations=%d bytes=%d frees=%d", 3 * (BEFORE / 2) + KNOWN,
           40 * (3 * (BEFORE / 2) + KNOWN), 3 * (BEFORE / 2) + KNOWN);
    expect("makes_new", "allocations=%d bytes=%d frees=%d", NEW, 24 * NEW, NEW);
    fflush(stdout);
    if (strict) {
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0);
    } else if (strcmp(mode, "kill") == 0) {
        forbid(SECCOMP_RET_KILL_PROCESS, false);
    } else if (strcmp(mode, "errno") == 0) {
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) == -1);
        forbid(SECCOMP_RET_ERRNO | EPERM, true);
    } else {
        return 2;
    }
    makes_known(KNOWN);
    makes_new(NEW);
    if (strict)
        syscall(SYS_exit, 0);
    target_poll(1);
    return 0;
}
