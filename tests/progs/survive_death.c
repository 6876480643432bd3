/* SPDX-License-Identifier: MIT */
/*
 * survive_death: the main thread and another one allocate, the main thread polls, and the program
 * dies. usage: survive_death MODE
 *   fault            a store through a null pointer
 *   fault_exits      the same, with a handler that allocates and leaves by _exit
 *   fault_goes_on    the same, ten times, with a handler that allocates and leaves by siglongjmp
 *   overflow         the stack ends in a recursion; the handler has a stack of its own
 *   abort            abort, with a handler that allocates and comes back
 *   thread_exit, thread__exit, thread_quick_exit, thread_fault, thread_abort
 *                    the other thread ends the program, while the main thread waits
 *   main_leaves      the main thread ends by pthread_exit, the other one goes on
 */
#include "tests/progs/target_sdl.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

static const char *mode;
static sigjmp_buf back;
static int *volatile nowhere;

TARGET static void main_makes(void)
{
    for (int i = 0; i < 100; i++)
        target_keep(malloc(24));
}

TARGET static void thread_makes(void)
{
    for (int i = 0; i < 50; i++)
        target_keep(malloc(40));
}

TARGET static void handler_makes(void)
{
    free(target_keep(malloc(16)));
}

TARGET static void late_makes(void)
{
    for (int i = 0; i < 30; i++)
        free(target_keep(malloc(56)));
}

static bool is(const char *word)
{
    return strcmp(mode, word) == 0;
}

static void on_signal(int signal)
{
    handler_makes();
    if (is("fault_goes_on"))
        siglongjmp(back, 1);
    if (signal == SIGSEGV)
        _exit(7);
}

static void handle(int signal, int flags)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};

    must(sigaction(signal, &action, NULL) == 0);
}

/* Never ends by itself, but no compiler may know. */
TARGET static int descend(int depth)
{
    volatile char room[512];

    room[depth % 512] = (char)depth;
    return depth == -1 ? 0 : descend(depth + 1) + room[0];
}

static void overflow(void)
{
    static char alternate[65536];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};

    must(sigaltstack(&stack, NULL) == 0);
    handle(SIGSEGV, SA_ONSTACK);
    descend(0);
}

static void die(void)
{
    if (is("fault_exits") || is("fault_goes_on"))
        handle(SIGSEGV, 0);
    else if (is("abort"))
        handle(SIGABRT, 0);
    else if (is("overflow"))
        overflow();
    if (is("fault_goes_on")) {
        for (volatile int i = 0; i < 10; i++)
            if (sigsetjmp(back, 1) == 0)
                *nowhere = 1;
        late_makes();
        return;
    }
    if (is("abort") || is("thread_abort"))
        abort();
    if (is("thread_exit"))
        exit(3);
    if (is("thread__exit"))
        _exit(4);
    if (is("thread_quick_exit"))
        quick_exit(5);
    *nowhere = 1;
}

static void *other(void *main_thread)
{
    thread_makes();
    if (is("main_leaves")) {
        must(pthread_join(*(pthread_t *)main_thread, NULL) == 0);
        late_makes();
        exit(0);
    }
    if (strncmp(mode, "thread_", 7) == 0)
        die();
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t self;
    pthread_t thread;
    const char *handled = "";

    must(argc == 2);
    mode = argv[1];
    self = pthread_self();
    target_start();
    target_poll(6);
    main_makes();
    target_poll(6);
    expect("main_makes", "allocations=100 bytes=2400 live_bytes=2400 live_blocks=100");
    expect("thread_makes", "allocations=50 bytes=2000 live_bytes=2000 live_blocks=50");
    if (is("fault_goes_on"))
        handled = "allocations=10 bytes=160 frees=10 live_blocks=0";
    else if (is("fault_exits") || is("overflow") || is("abort"))
        handled = "allocations=1 bytes=16 frees=1 live_blocks=0";
    if (*handled != '\0')
        expect("handler_makes", "%s", handled);
    if (is("fault_goes_on") || is("main_leaves"))
        expect("late_makes", "allocations=30 bytes=1680 frees=30 live_blocks=0");
    must(pthread_create(&thread, NULL, other, &self) == 0);
    if (is("main_leaves"))
        pthread_exit(NULL);
    must(pthread_join(thread, NULL) == 0);
    die();
    return 0;
}
