/* SPDX-License-Identifier: MIT */
#include "tests/unit/rec_walk_helper.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

REC_HOOK_SECTION

/* The words that are said to determine the walk are those of the stack. */
static void words_are_there(void)
{
    assert_int_equal(walk.plain_count, walk.count - 1);
    for (unsigned i = 0; i < walk.plain_count; i++)
        assert_int_equal(walk.plain[i].value, walk.addresses[i + 1]);
}

static void test_plain(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth < 20; depth++) {
        through_plain(depth);
        same_stacks();
        words_are_there();
        assert_true(walk.outermost);
        assert_true(walk.memorable);
    }
}

static void test_cut(void **state)
{
    (void)state;
    through_plain(MOST + 10);
    assert_int_equal(walk.count, MOST);
    assert_false(walk.outermost);
    assert_false(walk.broken);
    assert_true(walk.memorable);
    for (unsigned i = 0; i < walk.count; i++)
        assert_int_equal(walk.addresses[i], (uintptr_t)others[i]);
}

static void test_alloca(void **state)
{
    (void)state;
    for (unsigned bytes = 16; bytes < 3000; bytes += 77) {
        through_room(bytes, bytes % 9);
        same_stacks();
        words_are_there();
        assert_true(walk.memorable);
        assert_true(walk.relative_count > 0);
    }
}

static void test_realigned(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth < 10; depth++) {
        through_realigned(depth);
        same_stacks();
        words_are_there();
        assert_true(walk.memorable);
    }
}

/* Realigned with room: gcc keeps where the arguments were in a word of the frame. */
FRAME static void through_realigned_room(unsigned bytes, unsigned left)
{
    char local[64] __attribute__((aligned(64)));
    char *room = alloca(bytes);

    __asm__ volatile("" : : "r"(local), "r"(room) : "memory");
    if (left > 0)
        through_realigned_room(bytes + 16, left - 1);
    else
        take_stack();
    __asm__ volatile("" : : "r"(local), "r"(room) : "memory");
}

static void test_realigned_room(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth < 10; depth++) {
        through_realigned_room(24, depth);
        same_stacks();
        assert_true(walk.outermost);
    }
}

static int compare(const void *one, const void *other)
{
    take_stack();
    return *(const int *)one - *(const int *)other;
}

/* Through another module's frames. */
static void test_through_libc(void **state)
{
    int numbers[2] = {2, 1};

    (void)state;
    qsort(numbers, 2, sizeof numbers[0], compare);
    same_stacks();
    words_are_there();
}

static void handle(int number)
{
    (void)number;
    take_stack();
}

FRAME static void be_interrupted(void)
{
    raise(SIGUSR1);
    __asm__ volatile("");
}

static void test_signal(void **state)
{
    struct sigaction action;

    (void)state;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    be_interrupted();
    same_stacks();
    assert_true(walk.outermost);
    assert_false(walk.memorable);
    /* Just one frame was interrupted: the one behind the handler and its return code. */
    assert_int_equal(walk.exact & (walk.exact - 1), 0);
    assert_true(walk.exact != 0);
}

static char other_stack[65536] __attribute__((aligned(16)));

static void test_signal_on_another_stack(void **state)
{
    stack_t other = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    stack_t none = {.ss_flags = SS_DISABLE};
    struct sigaction action;

    (void)state;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    assert_int_equal(sigaltstack(&other, NULL), 0);
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    be_interrupted();
    assert_int_equal(sigaltstack(&none, NULL), 0);
    same_stacks();
    assert_true(walk.outermost);
}

static void *walk_in_thread(void *depth)
{
    spans = (struct ar_spans){0};
    through_plain((unsigned)(uintptr_t)depth);
    return NULL;
}

static void run_thread(uintptr_t depth, void *stack, size_t size)
{
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    if (stack != NULL)
        assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, walk_in_thread, (void *)depth), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    spans = (struct ar_spans){0};
}

static void test_thread(void **state)
{
    (void)state;
    run_thread(5, NULL, 0);
    same_stacks();
    words_are_there();
    assert_true(walk.outermost);
    assert_true(walk.memorable);
}

/* Code that is in no object: what it keeps in its frame pointer is tried. */
static void call_from_code(const unsigned char *code, size_t size)
{
    void *place =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*call)(void (*)(void));

    assert_true(place != MAP_FAILED);
    memcpy(place, code, size);
    memcpy(&call, &place, sizeof call);
    call(take_stack);
    munmap(place, 4096);
}

#if defined(__x86_64__)
static void test_code_with_frame_pointer(void **state)
{
    /* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

    unsigned count;
    uintptr_t last;

    (void)state;
    through_plain(0);
    count = walk.count;
    last = walk.addresses[count - 1];
    call_from_code(code, sizeof code);
    /* The code and call_from_code stand where through_plain did. */
    assert_int_equal(walk.count, count + 1);
    assert_int_equal(walk.addresses[walk.count - 1], last);
    assert_true(walk.outermost);
    assert_false(walk.memorable);
}

static void test_code_with_wild_frame_pointer(void **state)
{
    static const unsigned char codes[][20] = {
        /* push rbp; xor ebp, ebp; call rdi; pop rbp; ret */
        {0x55, 0x31, 0xed, 0xff, 0xd7, 0x5d, 0xc3},
        /* push rbp; mov rbp, -8; call rdi; pop rbp; ret */
        {0x55, 0x48, 0xc7, 0xc5, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xd7, 0x5d, 0xc3},
        /* push rbp; lea rbp, [rsp + 3]; call rdi; pop rbp; ret */
        {0x55, 0x48, 0x8d, 0x6c, 0x24, 0x03, 0xff, 0xd7, 0x5d, 0xc3},
        /* push rbp; lea rbp, [rsp - 64]; call rdi; pop rbp; ret */
        {0x55, 0x48, 0x8d, 0x6c, 0x24, 0xc0, 0xff, 0xd7, 0x5d, 0xc3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        call_from_code(codes[i], sizeof codes[i]);
        assert_true(walk.count >= 1);
        assert_true(walk.broken || walk.outermost);
        assert_false(walk.memorable);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_alloca),
        cmocka_unit_test(test_realigned),
        cmocka_unit_test(test_realigned_room),
        cmocka_unit_test(test_through_libc),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_signal_on_another_stack),
        cmocka_unit_test(test_thread),
#if defined(__x86_64__)
        cmocka_unit_test(test_code_with_frame_pointer),
        cmocka_unit_test(test_code_with_wild_frame_pointer),
#endif
    };

    return cmocka_run_group_tests(tests, start_walking, NULL);
}
