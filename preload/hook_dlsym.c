/* SPDX-License-Identifier: MIT */
/*
 * hook_dlsym.c: dlsym, for the one case that nothing else reaches: a program that takes the
 * functions of an SDL without a table by dlsym. It must be asked for (ALLOCREPORT_DLSYM). Else, and
 * for all other names and objects, it is a jump to the real one: which function dlsym(RTLD_NEXT)
 * means depends on its caller, so there must be no call in between. Compiled without link-time
 * optimisation, since the assembler names what stands here.
 */
#include "preload/config.h"
#include "preload/elfsym.h"
#include "preload/process.h"
#include "preload/sdl_table.h"
#include "preload/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

#define FOR_ASSEMBLER __attribute__((visibility("hidden"), used))

typedef void *dlsym_call(void *handle, const char *name);

extern dlsym_call *volatile ar_dlsym_real;
extern volatile uint8_t ar_dlsym_hooked;
void *ar_dlsym_look(void *handle, const char *name);
void ar_dlsym_find(void);

FOR_ASSEMBLER dlsym_call *volatile ar_dlsym_real; /* NULL until the first call */
FOR_ASSEMBLER volatile uint8_t ar_dlsym_hooked;

#if defined(__x86_64__)
__asm__(".text\n.p2align 4\n.globl dlsym\n.type dlsym, @function\n"
        "dlsym:\n.cfi_startproc\n"
        "    endbr64\n"
        "    cmpb $0, ar_dlsym_hooked(%rip)\n"
        "    jne 2f\n"
        "1:  mov ar_dlsym_real(%rip), %rax\n"
        "    test %rax, %rax\n"
        "    je 3f\n"
        "    jmp *%rax\n"
        "2:  push %rdi\n.cfi_adjust_cfa_offset 8\n"
        "    push %rsi\n.cfi_adjust_cfa_offset 8\n"
        "    sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "    call ar_dlsym_look\n"
        "    add $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
        "    pop %rsi\n.cfi_adjust_cfa_offset -8\n"
        "    pop %rdi\n.cfi_adjust_cfa_offset -8\n"
        "    test %rax, %rax\n"
        "    je 1b\n"
        "    ret\n"
        "3:  push %rdi\n.cfi_adjust_cfa_offset 8\n"
        "    push %rsi\n.cfi_adjust_cfa_offset 8\n"
        "    sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "    call ar_dlsym_find\n"
        "    add $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
        "    pop %rsi\n.cfi_adjust_cfa_offset -8\n"
        "    pop %rdi\n.cfi_adjust_cfa_offset -8\n"
        "    jmp 1b\n"
        ".cfi_endproc\n.size dlsym, . - dlsym\n");
#elif defined(__i386__)
__asm__(".text\n.p2align 4\n.globl dlsym\n.type dlsym, @function\n"
        "dlsym:\n.cfi_startproc\n"
        "    call 1f\n.cfi_adjust_cfa_offset 4\n"
        "1:  popl %ecx\n.cfi_adjust_cfa_offset -4\n"
        "    cmpb $0, ar_dlsym_hooked-1b(%ecx)\n"
        "    jne 3f\n"
        "2:  movl ar_dlsym_real-1b(%ecx), %eax\n"
        "    testl %eax, %eax\n"
        "    je 4f\n"
        "    jmp *%eax\n"
        "3:  pushl %ecx\n.cfi_adjust_cfa_offset 4\n"
        "    pushl 12(%esp)\n.cfi_adjust_cfa_offset 4\n"
        "    pushl 12(%esp)\n.cfi_adjust_cfa_offset 4\n"
        "    call ar_dlsym_look\n"
        "    addl $8, %esp\n.cfi_adjust_cfa_offset -8\n"
        "    popl %ecx\n.cfi_adjust_cfa_offset -4\n"
        "    testl %eax, %eax\n"
        "    je 2b\n"
        "    ret\n"
        "4:  pushl %ecx\n.cfi_adjust_cfa_offset 4\n"
        "    subl $8, %esp\n.cfi_adjust_cfa_offset 8\n"
        "    call ar_dlsym_find\n"
        "    addl $8, %esp\n.cfi_adjust_cfa_offset -8\n"
        "    popl %ecx\n.cfi_adjust_cfa_offset -4\n"
        "    jmp 2b\n"
        ".cfi_endproc\n.size dlsym, . - dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n.p2align 4\n.globl dlsym\n.type dlsym, %function\n"
        "dlsym:\n.cfi_startproc\n"
        "    hint #34\n" /* bti c */
        "    adrp x16, ar_dlsym_hooked\n"
        "    ldrb w16, [x16, #:lo12:ar_dlsym_hooked]\n"
        "    cbnz w16, 2f\n"
        "1:  adrp x16, ar_dlsym_real\n"
        "    ldr x16, [x16, #:lo12:ar_dlsym_real]\n"
        "    cbz x16, 3f\n"
        "    br x16\n"
        "2:  stp x29, x30, [sp, #-32]!\n"
        ".cfi_adjust_cfa_offset 32\n.cfi_rel_offset x29, 0\n.cfi_rel_offset x30, 8\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl ar_dlsym_look\n"
        "    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        ".cfi_adjust_cfa_offset -32\n.cfi_restore x29\n.cfi_restore x30\n"
        "    cbz x16, 1b\n"
        "    mov x0, x16\n"
        "    ret\n"
        "3:  stp x29, x30, [sp, #-32]!\n"
        ".cfi_adjust_cfa_offset 32\n.cfi_rel_offset x29, 0\n.cfi_rel_offset x30, 8\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl ar_dlsym_find\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        ".cfi_adjust_cfa_offset -32\n.cfi_restore x29\n.cfi_restore x30\n"
        "    b 1b\n"
        ".cfi_endproc\n.size dlsym, . - dlsym\n");
#endif

static void *finds_nothing(void *handle, const char *name)
{
    (void)handle;
    (void)name;
    return NULL;
}

/* libc's own finds the next one, which another preloaded library may have. */
FOR_ASSEMBLER void ar_dlsym_find(void)
{
    struct link_map *libc = NULL;
    dlsym_call *real = NULL;
    Dl_info info;

    if (dladdr1((const void *)dladdr1, &info, (void **)&libc, RTLD_DL_LINKMAP) != 0 && libc != NULL)
        *(void **)&real = ar_elfsym_exported(libc, "dlsym");
    if (real != NULL)
        *(void **)&real = real(RTLD_NEXT, "dlsym");
    ar_dlsym_real = real != NULL ? real : finds_nothing;
}

/* NULL: the real one is to answer. */
FOR_ASSEMBLER void *ar_dlsym_look(void *handle, const char *name)
{
    enum ar_sdl_call call;
    void *function;
    int saved;

    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT || ar_dlsym_real == NULL ||
        ar_thread_foreign())
        return NULL;
    call = ar_sdl_slots_named(name);
    if (call == AR_SDL_NO_CALL)
        return NULL;
    function = ar_dlsym_real(handle, name);
    if (function == NULL)
        return NULL;
    saved = errno;
    function = ar_sdl_table_wrap(call, function);
    errno = saved;
    return function;
}

/* After the options were read. */
__attribute__((constructor(102))) static void start(void)
{
    ar_dlsym_hooked = ar_process_ready() && ar_config.dlsym != 0;
}
