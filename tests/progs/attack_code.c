/* SPDX-License-Identifier: MIT */
/*
 * attack_code: code that no table describes calls C functions that allocate. usage:
 * attack_code MODE [PLUGIN.so]
 *   kinds     machine code made at run time: with a frame pointer, with a wild one, with none; its
 *             pages are unmapped and used again for other code
 *   guarded   code whose frame pointer points to where a stack was and is a guard page now
 *   mapped    the same, with another mapping there
 *   replaced  PLUGIN is loaded where such code was
 */
#include "tests/progs/attack.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE  ((size_t)4096)
#define STACK ((size_t)16 * PAGE)

typedef void call_it(void (*function)(void));

/* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
static const unsigned char framed[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
/* push rbp; mov rbp, IMMEDIATE; call rdi; pop rbp; ret */
static const unsigned char wild[] = {0x55, 0x48, 0xbd, 0,    0,    0,    0,   0,
                                     0,    0,    0,    0xff, 0xd7, 0x5d, 0xc3};
#define WILD_IMMEDIATE 3
/* push rbp; sub rsp, 2048; xor ebp, ebp; call rdi; add rsp, 2048; pop rbp; ret */
static const unsigned char frameless[] = {0x55, 0x48, 0x81, 0xec, 0, 8, 0, 0, 0x31, 0xed, 0xff,
                                          0xd7, 0x48, 0x81, 0xc4, 0, 8, 0, 0, 0x5d, 0xc3};

static unsigned long made[4];

ATTACK_FRAME static void framed_makes(void)
{
    free(attack_keep(malloc(16)));
    made[0]++;
}

ATTACK_FRAME static void wild_makes(void)
{
    free(attack_keep(malloc(17)));
    made[1]++;
}

ATTACK_FRAME static void frameless_makes(void)
{
    free(attack_keep(malloc(18)));
    made[2]++;
}

static unsigned char *code_pages(void)
{
    unsigned char *pages =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    must(pages != MAP_FAILED);
    return pages;
}

static call_it *place_code(unsigned char *at, const unsigned char *code, size_t size,
                           const void *immediate)
{
    call_it *function;

    memcpy(at, code, size);
    if (immediate != NULL)
        memcpy(at + WILD_IMMEDIATE, &immediate, sizeof immediate);
    memcpy(&function, &at, sizeof function);
    return function;
}

ATTACK_FRAME static void through_framed(call_it *code)
{
    code(framed_makes);
    attack_escape(code);
}

static void use_kinds(void)
{
    for (unsigned round = 0; round < 40; round++) {
        unsigned char *pages = code_pages();
        unsigned offset = round % 5 * 64;
        call_it *one = place_code(pages + offset, framed, sizeof framed, NULL);
        call_it *two = place_code(pages + 1024 + offset, wild, sizeof wild, (void *)0xba9876543210);
        call_it *three = place_code(pages + 2048 + offset, frameless, sizeof frameless, NULL);

        for (unsigned i = 0; i < 100; i++) {
            through_framed(one);
            two(wild_makes);
            three(frameless_makes);
        }
        munmap(pages, PAGE);
    }
    expect("framed_makes", "allocations=%lu frees=%lu live_blocks=0", made[0], made[0]);
    expect("through_framed", "allocations=%lu", made[0]);
    expect("wild_makes", "allocations=%lu frees=%lu live_blocks=0", made[1], made[1]);
    expect("frameless_makes", "allocations=%lu frees=%lu live_blocks=0", made[2], made[2]);
}

static ucontext_t back;
static ucontext_t coroutine;
static call_it *code_now;

static void coroutine_entry(void)
{
    for (unsigned i = 0; i < 100; i++)
        code_now(wild_makes);
    must(swapcontext(&coroutine, &back) == 0);
}

static void run_on(char *stack, size_t size)
{
    must(getcontext(&coroutine) == 0);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = NULL;
    makecontext(&coroutine, coroutine_entry, 0);
    must(swapcontext(&back, &coroutine) == 0);
}

/* A stack of 16 pages is used to its top, and then only the lower half of it is a stack: the rest
 * is protected, or another mapping. */
static void use_guarded(bool mapped)
{
    char *place = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *upper = place + STACK / 2;

    must(place != MAP_FAILED);
    code_now = place_code(code_pages(), wild, sizeof wild, place + STACK - 2 * PAGE);
    run_on(place, STACK);
    run_on(place, STACK / 2);
    if (mapped)
        must(mmap(upper, STACK / 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
             upper);
    else
        must(mprotect(upper, STACK / 2, PROT_NONE) == 0);
    run_on(place, STACK / 2);
    expect("wild_makes", "allocations=%lu frees=%lu live_blocks=0", made[1], made[1]);
}

ATTACK_FRAME static void use_plugin(void *(*make)(unsigned), unsigned count)
{
    while (count-- > 0)
        free(attack_keep(make(29)));
}

struct range {
    unsigned char *start;
    size_t bytes;
};

/* Of the object that the function lies in. */
static struct range object_of(void *function)
{
    Dl_info info;
    const ElfW(Ehdr) * file;
    const ElfW(Phdr) * segments;
    size_t end = 0;

    must(dladdr(function, &info) != 0);
    file = info.dli_fbase;
    segments = (const void *)((const char *)file + file->e_phoff);
    for (unsigned i = 0; i < file->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > end)
            end = segments[i].p_vaddr + segments[i].p_memsz;
    return (struct range){info.dli_fbase, (end + PAGE - 1) & ~(size_t)(PAGE - 1)};
}

/* The plugin's function comes to lie where such code was before: all of its page is filled with
 * calls, so that each address behind one has been seen. Its whole place is kept for it meanwhile.
 */
static void use_replaced(const char *path)
{
    const unsigned char call[] = {0x50, 0xff, 0xd7, 0x58, 0xc3}; /* push rax; call rdi; pop; ret */
    unsigned long count = 0;
    unsigned same = 0;

    /* The first times, what else is mapped and unmapped meanwhile may lead it elsewhere. */
    for (unsigned round = 0; round < 6; round++) {
        void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void *(*make)(unsigned) = NULL;
        unsigned char *page;
        unsigned char *code;
        struct range place;

        must(plugin != NULL);
        *(void **)&make = dlsym(plugin, "plugin_first");
        must(make != NULL);
        page = (unsigned char *)((uintptr_t)make & ~(PAGE - 1));
        place = object_of((void *)make);
        dlclose(plugin);
        must(mmap(place.start, place.bytes, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == place.start);
        code = mmap(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        must(code == page);
        for (size_t at = 0; at + sizeof call <= PAGE; at++) {
            call_it *function = place_code(code + at, call, sizeof call, NULL);

            function(frameless_makes);
        }
        munmap(place.start, place.bytes);
        plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        must(plugin != NULL);
        same += dlsym(plugin, "plugin_first") == (void *)make;
        *(void **)&make = dlsym(plugin, "plugin_first");
        use_plugin(make, 2000);
        count += 2000;
        dlclose(plugin);
    }
    printf("at the same address: %s\n", same > 0 ? "yes" : "no");
    fflush(stdout);
    expect("plugin_first", "allocations=%lu bytes=%lu live_blocks=0", count, 29 * count);
    expect("use_plugin", "allocations=%lu frees=%lu", count, count);
    expect("frameless_makes", "allocations=%lu", made[2]);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    if (strcmp(mode, "kinds") == 0)
        use_kinds();
    else if (strcmp(mode, "guarded") == 0 || strcmp(mode, "mapped") == 0)
        use_guarded(strcmp(mode, "mapped") == 0);
    else if (strcmp(mode, "replaced") == 0 && argc > 2)
        use_replaced(argv[2]);
    else
        return 2;
    return 0;
}
