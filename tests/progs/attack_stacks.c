/* SPDX-License-Identifier: MIT */
/*
 * attack_stacks: the same functions on many stacks. usage: attack_stacks MODE
 *   heap     coroutines on stacks from malloc, junk above their first frame, used again
 *   ended    the same, with an outermost frame whose table says that there is none behind
 *   mapped   such coroutines on mapped stacks between guard pages, of changing sizes at the same
 * place, with other functions at their entry shrunk   a frame that is large on a stack of 16 pages,
 * and small on one of 8 at the same place whose upper half is a guard now jumps    longjmp out of
 * deep frames, from one coroutine's stack too
 */
#include "tests/progs/attack.h"

#include <alloca.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#define COROUTINES 20u
#define SWITCHES   30u
#define ROUNDS     12u
#define STACK      ((size_t)32768)
#define PLACE      ((size_t)1 << 20)
#define PAGE       ((size_t)4096)

typedef void entry(void);

static ucontext_t back;
static ucontext_t contexts[COROUTINES];
static unsigned now;
static bool over[COROUTINES];
static struct attack_random random_depths;
static unsigned long counts[3];

ATTACK_FRAME static void yield_now(void)
{
    must(swapcontext(&contexts[now], &back) == 0);
}

/* A block is held while others run, and is released on the stack it was made on. */
ATTACK_FRAME static void coroutine_makes(unsigned left)
{
    char pad[48];

    attack_escape(pad);
    if (left > 0) {
        coroutine_makes(left - 1);
    } else {
        void *block = attack_keep(malloc(32));

        yield_now();
        free(block);
    }
    attack_escape(pad);
}

#define ENTRY(number)                                                                              \
    ATTACK_FRAME static void entry_##number(void)                                                  \
    {                                                                                              \
        for (unsigned i = 0; i < SWITCHES; i++) {                                                  \
            coroutine_makes(attack_next(&random_depths) % 12);                                     \
            counts[number]++;                                                                      \
        }                                                                                          \
    }

ENTRY(0)
ENTRY(1)
ENTRY(2)

static entry *const entries[3] = {entry_0, entry_1, entry_2};

static entry *entry_of[COROUTINES];
static bool ended; /* by `outermost`; else by libc's own code, which has no table there */

void coroutine_entry(void);
void outermost(void);

void coroutine_entry(void)
{
    entry_of[now]();
    over[now] = true;
    yield_now();
}

#if defined(__x86_64__)
/* As libraries make it that do not use libc's contexts. */
__asm__(".text\n"
        ".type outermost, @function\n"
        "outermost:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "    sub $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "    call coroutine_entry\n"
        "    hlt\n"
        ".cfi_endproc\n"
        ".size outermost, .-outermost\n");
#else
void outermost(void)
{
    coroutine_entry();
}
#endif

static void prepare(unsigned i, entry *function, void *stack, size_t size)
{
    must(getcontext(&contexts[i]) == 0);
    contexts[i].uc_stack.ss_sp = stack;
    contexts[i].uc_stack.ss_size = size;
    contexts[i].uc_link = NULL;
    over[i] = false;
    entry_of[i] = function;
    makecontext(&contexts[i], ended ? outermost : coroutine_entry, 0);
}

static void run_all(unsigned count)
{
    for (unsigned left = count; left > 0;) {
        left = 0;
        for (now = 0; now < count; now++) {
            if (over[now])
                continue;
            must(swapcontext(&back, &contexts[now]) == 0);
            left += !over[now];
        }
    }
}

static void expect_coroutines(void)
{
    unsigned long all = 0;

    for (unsigned i = 0; i < 3; i++) {
        char name[] = "entry_0";

        name[6] = (char)('0' + i);
        expect(name, "allocations=%lu bytes=%lu frees=%lu live_blocks=0", counts[i], 32 * counts[i],
               counts[i]);
        all += counts[i];
    }
    expect("coroutine_makes", "allocations=%lu frees=%lu live_blocks=0", all, all);
}

static void use_heap(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        void *stacks[COROUTINES];

        for (unsigned i = 0; i < COROUTINES; i++) {
            stacks[i] = malloc(STACK);
            must(stacks[i] != NULL);
            memset(stacks[i], 0xee, STACK);
            prepare(i, entries[(i + round) % 3], stacks[i], STACK);
        }
        run_all(COROUTINES);
        for (unsigned i = 0; i < COROUTINES; i++)
            free(stacks[i]);
    }
    expect_coroutines();
}

ATTACK_FRAME static void coroutine_keeps(void)
{
    free(attack_keep(malloc(8)));
}

/* The place is cut into stacks of one size and guard pages between; sizes change by round, so that
 * guard pages come to lie where stacks were, and the other way round. */
static void use_mapped(void)
{
    char *place = mmap(NULL, PLACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    must(place != MAP_FAILED);
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        size_t size = (3 + round % 7) * 2 * PAGE;
        unsigned count = 0;

        for (size_t at = PAGE; at + size + PAGE <= PLACE && count < COROUTINES; count++) {
            must(mprotect(place + at, size, PROT_READ | PROT_WRITE) == 0);
            prepare(count, entries[(count + round) % 3], place + at, size);
            at += size + PAGE;
        }
        run_all(count);
        must(mmap(place, PLACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                  -1, 0) == place);
    }
    expect_coroutines();
}

static size_t room_now;

ATTACK_FRAME static void room_makes(void)
{
    char *room = alloca(room_now);

    attack_escape(room);
    for (unsigned i = 0; i < 200; i++)
        coroutine_keeps();
    attack_escape(room);
}

static void room_entry(void)
{
    room_makes();
    attack_escape(&room_now);
}

static void run_with_room(char *stack, size_t size, size_t room)
{
    room_now = room;
    prepare(0, room_entry, stack, size);
    run_all(1);
}

/* The rooms differ by whole pages: the innermost frames are at the same places of their page. */
static void use_shrunk(bool mapped)
{
    char *place = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *upper = place + 8 * PAGE;

    must(place != MAP_FAILED);
    run_with_room(place, 16 * PAGE, 8 * PAGE + 16);
    run_with_room(place, 16 * PAGE, 4 * PAGE + 16);
    if (mapped)
        must(mmap(upper, 8 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
             upper);
    else
        must(mprotect(upper, 8 * PAGE, PROT_NONE) == 0);
    run_with_room(place, 8 * PAGE, 16);
    expect("room_makes", "allocations=600 frees=600 live_blocks=0");
    expect("room_entry", "allocations=600 frees=600");
}

static jmp_buf outside;
static void *carried;
static unsigned long jumps;

ATTACK_FRAME static void jumper_makes(unsigned left)
{
    char pad[80];

    attack_escape(pad);
    if (left > 0) {
        jumper_makes(left - 1);
    } else {
        carried = attack_keep(malloc(48));
        jumps++;
        if (carried != NULL)
            longjmp(outside, 1);
    }
    attack_escape(pad);
}

ATTACK_FRAME static void jumping_one(unsigned depth)
{
    jumper_makes(depth);
    attack_escape(&carried);
}

ATTACK_FRAME static void jumping_other(unsigned depth)
{
    jumper_makes(depth);
    attack_escape(&carried);
}

static volatile unsigned long jumped[2];

static void jump_from_here(void)
{
    for (volatile unsigned i = 0; i < 3000; i = i + 1) {
        volatile unsigned which = attack_next(&random_depths) % 2;

        if (setjmp(outside) == 0)
            (which == 0 ? jumping_one : jumping_other)(attack_next(&random_depths) % 50);
        jumped[which]++;
        free(carried);
    }
}

static void jump_on_coroutine(void)
{
    jump_from_here();
    attack_escape(&carried);
}

static void use_jumps(void)
{
    void *stack = malloc(4 * STACK);

    must(stack != NULL);
    jump_from_here();
    prepare(0, jump_on_coroutine, stack, 4 * STACK);
    run_all(1);
    jump_from_here();
    free(stack);
    expect("jumper_makes", "allocations=%lu frees=%lu live_blocks=0", jumps, jumps);
    expect("jumping_one", "allocations=%lu", jumped[0]);
    expect("jumping_other", "allocations=%lu", jumped[1]);
    expect("jump_on_coroutine", "allocations=3000 frees=3000");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    random_depths = attack_seed(3);
    ended = strcmp(mode, "heap") != 0;
    if (strcmp(mode, "heap") == 0 || strcmp(mode, "ended") == 0)
        use_heap();
    else if (strcmp(mode, "mapped") == 0)
        use_mapped();
    else if (strcmp(mode, "shrunk") == 0 || strcmp(mode, "replaced") == 0)
        use_shrunk(strcmp(mode, "replaced") == 0);
    else if (strcmp(mode, "jumps") == 0)
        use_jumps();
    else
        return 2;
    return 0;
}
