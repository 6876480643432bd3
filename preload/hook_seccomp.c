/* SPDX-License-Identifier: MIT */
/*
 * hook_seccomp.c: a program that takes system calls away from itself. What it forbids may kill it
 * at the recorder's next one, so the recorder makes none from then on: the file grows as far as may
 * be needed before, and counting goes on in what is there. By libc's names: prctl, and syscall,
 * through which libseccomp goes.
 */
#include "preload/process.h"
#include "preload/real.h"
#include "preload/sys.h"

#include <errno.h>
#include <sys/prctl.h>

#define EXPORT __attribute__((visibility("default")))

typedef int prctl_function(int, unsigned long, unsigned long, unsigned long, unsigned long);

static int prctl_beneath(int option, unsigned long a, unsigned long b, unsigned long c,
                         unsigned long d)
{
    long result;

    if (ar_real.prctl != NULL)
        return ar_real.prctl(option, a, b, c, d);
    result = ar_sys_call(SYS_prctl, option, (long)a, (long)b, (long)c, (long)d, 0);
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

EXPORT int ar_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                    unsigned long d) __asm__("prctl");
int ar_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    bool before = ar_sys_frozen;
    int result;

    if (option != PR_SET_SECCOMP)
        return prctl_beneath(option, a, b, c, d);
    ar_process_freeze();
    result = prctl_beneath(option, a, b, c, d);
    if (result < 0)
        ar_sys_frozen = before;
    return result;
}

/* Called by the code below in place of libc's syscall(SYS_seccomp, ...). */
__attribute__((used)) long ar_seccomp(long number, long operation, long flags, long arguments);
long ar_seccomp(long number, long operation, long flags, long arguments)
{
    bool before = ar_sys_frozen;
    long result;

    ar_process_freeze();
    result = ar_sys_call(number, operation, flags, arguments, 0, 0, 0);
    if (result >= 0)
        return result;
    ar_sys_frozen = before;
    errno = (int)-result;
    return -1;
}

/* What libc's syscall does, until that is known. */
__attribute__((used)) long ar_plain_syscall(long number, long a, long b, long c, long d, long e,
                                            long f);
long ar_plain_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    long result = ar_sys_call(number, a, b, c, d, e, f);

    if (result > -4096 && result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

/* A jump, not a call: of vfork, for one, there are two returns. */
#define TEXT(number)    TEXT_OF(number)
#define TEXT_OF(number) #number
#if defined(__x86_64__)
__asm__(".pushsection .text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    cmp $" TEXT(SYS_seccomp) ", %rdi\n"
                                      "    je ar_seccomp\n"
                                      "    mov ar_real_syscall(%rip), %rax\n"
                                      "    test %rax, %rax\n"
                                      "    je ar_plain_syscall\n"
                                      "    jmp *%rax\n"
                                      "    .cfi_endproc\n"
                                      ".size syscall, . - syscall\n"
                                      ".popsection\n");
#elif defined(__i386__)
__asm__(".pushsection .text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "    .cfi_startproc\n"
        "    cmpl $" TEXT(SYS_seccomp) ", 4(%esp)\n"
                                       "    je ar_seccomp\n"
                                       "    call 1f\n"
                                       "    .cfi_adjust_cfa_offset 4\n"
                                       "1:  popl %eax\n"
                                       "    .cfi_adjust_cfa_offset -4\n"
                                       "    movl ar_real_syscall-1b(%eax), %eax\n"
                                       "    testl %eax, %eax\n"
                                       "    je ar_plain_syscall\n"
                                       "    jmp *%eax\n"
                                       "    .cfi_endproc\n"
                                       ".size syscall, . - syscall\n"
                                       ".popsection\n");
#else
__asm__(".pushsection .text\n"
        ".globl syscall\n"
        ".type syscall, %function\n"
        "syscall:\n"
        "    .cfi_startproc\n"
        "    cmp x0, #" TEXT(SYS_seccomp) "\n"
                                          "    b.eq ar_seccomp\n"
                                          "    adrp x16, ar_real_syscall\n"
                                          "    ldr x16, [x16, #:lo12:ar_real_syscall]\n"
                                          "    cbz x16, ar_plain_syscall\n"
                                          "    br x16\n"
                                          "    .cfi_endproc\n"
                                          ".size syscall, . - syscall\n"
                                          ".popsection\n");
#endif
