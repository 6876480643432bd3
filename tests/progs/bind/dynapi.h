/* SPDX-License-Identifier: MIT */
/*
 * dynapi.h: a stand-in's table of functions, as SDL's own works (src/dynapi of SDL 2 and 3): public
 * functions are stubs that jump through the table; before the first call each slot holds a function
 * that fills the table, asking the library that a variable names, and then jumps again.
 *
 * The file that includes it defines SDL_MAJOR (2 or 3) and `reals`, the functions by slot.
 * TABLE_HIDDEN: nothing is exported. TABLE_WAITS: the table is left as it is when the library
 * refuses, as SDL 2.0.9 and 2.0.10 do, which then wait for ever.
 */
#include "tests/progs/bind/slots.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

#if SDL_MAJOR == 2
#define LEADING  "11"
#define VARIABLE "SDL_DYNAMIC_API"
#else
#define LEADING  "15"
#define VARIABLE "SDL3_DYNAMIC_API"
#endif
#define API_VERSION (SDL_MAJOR - 1)

#ifdef TABLE_HIDDEN
#define EXPORTED __attribute__((visibility("hidden")))
#define SCOPE    ".hidden "
#else
#define EXPORTED __attribute__((visibility("default")))
#define SCOPE    ".protected "
#endif

/* A public function: the stub of its slot. */
#define PUBLIC(name, slot)                                                                         \
    __asm__(".globl " #name "\n" SCOPE #name "\n.type " #name ", @function\n.set " #name           \
            ", first_stub + 16 * (" TEXT(slot) " - " LEADING ")\n")

extern void *table[SLOTS] __attribute__((visibility("hidden")));
static void *const reals[SLOTS];
__attribute__((visibility("hidden"))) void fill_table_once(void);

#if defined(__x86_64__)
#define STUB    "jmp *table + 8 * i(%rip)\n"
#define DEFAULT "mov $i, %eax\njmp any_default\n"
#define ANY                                                                                        \
    "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\n"                  \
    "call fill_table_once\n"                                                                       \
    "pop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"                         \
    "lea table(%rip), %r11\njmp *(%r11, %rax, 8)\n"
#elif defined(__aarch64__)
#define STUB    "adrp x16, table + 8 * i\nldr x16, [x16, #:lo12:table + 8 * i]\nbr x16\n"
#define DEFAULT "mov w16, #i\nb any_default\n"
#define ANY                                                                                        \
    "stp x0, x1, [sp, #-80]!\nstp x2, x3, [sp, #16]\nstp x4, x5, [sp, #32]\n"                      \
    "stp x6, x7, [sp, #48]\nstp x16, x30, [sp, #64]\nbl fill_table_once\n"                         \
    "ldp x16, x30, [sp, #64]\nldp x6, x7, [sp, #48]\nldp x4, x5, [sp, #32]\n"                      \
    "ldp x2, x3, [sp, #16]\nldp x0, x1, [sp], #80\n"                                               \
    "adrp x17, table\nadd x17, x17, #:lo12:table\nldr x17, [x17, x16, lsl #3]\nbr x17\n"
#endif

#define EACH(from, what)                                                                           \
    ".set i, " from "\n.rept " TEXT(SLOTS) " - " from "\n" what ".set i, i + 1\n.endr\n"

__asm__(".data\n.p2align 4\n.globl table\n.hidden table\ntable:\n" EACH(
    "0",
    ".quad first_default + 16 * i\n") ".text\n.p2align 4\nany_default:\n" ANY
                                      ".p2align 4\nfirst_default:\n" EACH(
                                          "0", DEFAULT
                                          ".p2align 4\n") "first_stub:\n" EACH(LEADING, STUB
                                                                               ".p2align 4\n"));

static void unexpected(void)
{
    fputs("a function of the stand-in that it has not\n", stderr);
    abort();
}

/* Not by its exported name, which another SDL in the process may have too. */
static int fill_table(uint32_t version, void *filled, uint32_t size)
{
    if (filled == NULL || version != API_VERSION || size > sizeof table)
        return -1;
    for (unsigned i = 0; i < SLOTS; i++)
        table[i] = reals[i] != NULL ? reals[i] : (void *)unexpected;
    if (filled != table)
        memcpy(filled, table, size);
    return 0;
}

EXPORTED int SDL_DYNAPI_entry(uint32_t version, void *filled, uint32_t size);
EXPORTED int SDL_DYNAPI_entry(uint32_t version, void *filled, uint32_t size)
{
    return fill_table(version, filled, size);
}

static int ask_library(void)
{
    const char *name = getenv(VARIABLE);
    void *library = name != NULL ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*entry)(uint32_t, void *, uint32_t) = NULL;

    if (library != NULL)
        *(void **)&entry = dlsym(library, "SDL_DYNAPI_entry");
    if (entry == NULL)
        return fill_table(API_VERSION, table, sizeof table);
    return entry(API_VERSION, table, sizeof table);
}

void fill_table_once(void)
{
    static int filled;

    if (filled)
        return;
    filled = 1;
    if (ask_library() >= 0)
        return;
#ifndef TABLE_WAITS
    fprintf(stderr, "%s\n", "SDL Dynamic API Failure!");
    fill_table(API_VERSION, table, sizeof table);
#endif
}
